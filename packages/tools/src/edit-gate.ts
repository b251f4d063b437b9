// Whether what a turn changed holds: asked at its end, where another model may take over from one that was not up to it.
//
// It fails where edits were refused again and again and none landed, and where a document is not valid by the rules of its kind
// that was valid before the turn, or is new. Nothing is refused or taken back because of it.

import type { FinishedCall, Gate } from "@stet/agent/hooks";
import { isFault } from "@stet/protocol/fault";
import { changesSince, type History } from "@stet/text/history";
import { syntaxProblem } from "@stet/text/syntax";
import type { Turn } from "@stet/workspace/turns/turns";
import type { Workspace } from "@stet/workspace/workspace";

/** So many refused edits, and none that landed, are no slip any more. */
const mostRefused = 2;

export function editGate(workspace: Workspace, turn: Turn): Gate {
  /** Texts before the turn changed them. */
  const first = new Map<number, History["text"]>();
  const revisions = new Map<number, number>();
  const problems = new Map<number, string>();
  let refused = 0;
  let hasLanded = false;

  const noteUnchanged = () => {
    for (const [document, { text, revision }] of turn.histories()) {
      if (first.has(document)) continue;
      first.set(document, text);
      revisions.set(document, revision);
    }
  };
  const check = async (document: number, history: History) => {
    const row = workspace.documents.row(document);
    const name = row?.path ?? row?.title ?? undefined;
    if (name === undefined) return;
    const before = first.get(document) ?? textBefore(history);
    first.set(document, before);
    problems.delete(document);
    if ((await syntaxProblem(name, before)) !== undefined) return;
    const problem = await syntaxProblem(name, history.text, before);
    if (problem !== undefined) problems.set(document, `${name}: ${problem}`);
  };

  return {
    async beforeCall() {
      noteUnchanged();
      return undefined;
    },
    async afterCall({ tool, isRefused }: FinishedCall) {
      // Calls that may change something never overlap, so what is different after one is its doing.
      if (tool?.traits.includes("exclusive") !== true) return undefined;
      if (isRefused && tool.traits.includes("edits")) refused += 1;
      for (const [document, history] of turn.histories()) {
        const known = revisions.get(document);
        const hasChanged = known === undefined ? history.changes.length > 0 : known !== history.revision;
        if (!hasChanged) continue;
        revisions.set(document, history.revision);
        if (!isRefused) hasLanded = true;
        await check(document, history);
      }
      return undefined;
    },
    hasEdits: () => hasLanded,
    problem() {
      const broken = [...problems.values()];
      if (broken.length > 0) return broken.join(" ");
      if (hasLanded || refused < mostRefused) return undefined;
      return `${refused} edits were refused, and none landed.`;
    },
  };
}

/** Of a document that was opened and changed by one call. */
function textBefore(history: History): History["text"] {
  const changes = changesSince(history, history.revision - 1);
  return isFault(changes) ? history.text : (changes[0]?.before ?? history.text);
}
