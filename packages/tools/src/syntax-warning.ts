// After a call that edited documents, a warning where one of them is no longer valid by the rules of its kind. For all
// toolsets: it looks at what the call did to the turn's documents, not at how. A call is never refused because of it.

import type { Hook } from "@stet/agent/hooks";
import { withNote } from "@stet/agent/result-note";
import { isFault } from "@stet/protocol/fault";
import { changesSince, type History } from "@stet/text/history";
import { syntaxProblem } from "@stet/text/syntax";
import type { Turn } from "@stet/workspace/turns/turns";
import type { Workspace } from "@stet/workspace/workspace";

/** Calls of tools that may edit never overlap, so what is different after one is its doing. */
export function syntaxWarnings(workspace: Workspace, turn: Turn): Hook {
  let before: ReturnType<Turn["histories"]> = new Map();
  return {
    async beforeCall() {
      before = turn.histories();
      return undefined;
    },
    async afterCall({ tool, result, isRefused }) {
      if (isRefused || tool?.traits.includes("exclusive") !== true) return undefined;
      const warnings: string[] = [];
      for (const [document, history] of turn.histories()) {
        if (before.get(document)?.revision === history.revision) continue;
        const row = workspace.documents.row(document);
        const name = row?.path ?? row?.title ?? undefined;
        const problem = name === undefined ? undefined : await problemOf(name, history);
        if (problem !== undefined) warnings.push(`${name}: ${problem}`);
      }
      if (warnings.length === 0) return undefined;
      const warning = `Warning: ${warnings.join(" ")} Nothing was refused; mend it if it was not meant.`;
      return { result: withNote(result, warning) };
    },
  };
}

async function problemOf(name: string, history: History): Promise<string | undefined> {
  const [last] = lastChange(history);
  return last === undefined ? undefined : syntaxProblem(name, history.text, last.before);
}

/** None for a document that was only opened. */
function lastChange(history: History) {
  const changes = changesSince(history, history.revision - 1);
  return isFault(changes) ? [] : changes;
}
