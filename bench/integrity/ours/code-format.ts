// An edit mode of toolset code as a rule set: the file is read with the toolset's own read tool, what happens to it happens,
// and the edit is sent as a model would. A refusal is answered once, from what it says.

import { readFileSync } from "node:fs";
import { type CodeCalls, codeCalls } from "../../../packages/testkit/src/code-fixture.ts";
import type { CodeTool } from "../../../packages/tools/src/code/code-context.ts";
import type { EditMode } from "../../../packages/tools/src/code/code-settings.ts";
import type { PagedDetails } from "../../../packages/tools/src/code/read/paged-text.ts";
import { read } from "../../../packages/tools/src/code/read/read.ts";
import type { Case } from "../cases.ts";
import type { Outcome } from "../judge.ts";
import type { RuleSet } from "../rule-set.ts";
import { type CaseFile, CaseFolder } from "./case-folder.ts";
import { currentContent, decoded, letHappen } from "./happen.ts";
import { ShownLines, united, type VisibleRange } from "./shown-lines.ts";

export type Input = Readonly<Record<string, unknown>>;

/** What a writer has in front of them. */
export interface Fixture {
  readonly one: Case;
  readonly path: string;
  readonly shown: ShownLines;
}

export interface CodeFormat {
  readonly name: string;
  readonly about: string;
  readonly mode: EditMode;
  readonly tool: CodeTool;
  /** The case as this format can say it; undefined where it cannot. */
  adapt?(one: Case): Promise<Case | undefined>;
  /** Whether a refusal says that the edit itself cannot be said in this format, whatever happened to the file. */
  isUnsayable?(told: string): boolean;
  /** The lines that the writer has to know whole; undefined where the format cannot say the edit. */
  needs(one: Case): readonly VisibleRange[] | undefined;
  /** Undefined where there is no room for the slip. */
  write(fixture: Fixture): Promise<Input | undefined> | Input | undefined;
  /** The edit once more, from the answer alone; undefined where that tells too little. */
  rewrite(fixture: Fixture, told: string): Promise<Input | undefined> | Input | undefined;
}

export function codeRuleSet(format: CodeFormat): RuleSet {
  const folder = new CaseFolder();
  const { name, about } = format;
  return {
    name,
    about,
    isOurs: true,
    async run(given) {
      const one = await (format.adapt?.(given) ?? given);
      const needs = one === undefined ? undefined : format.needs(one);
      if (one === undefined || needs === undefined) return undefined;
      const file = await folder.place(one);
      const { mode, tool } = format;
      const calls = codeCalls(file.workspace, [read, tool], { settings: { editMode: mode } });
      try {
        const shown = await show(calls, file, one, needs);
        if (shown === undefined) return undefined;
        const real = await letHappen(file, one);
        const before = stateNow(file);
        const fixture = { one, path: file.path, shown };
        const input = await format.write(fixture);
        if (input === undefined) return undefined;
        const answer = await calls.call("edit", input);
        if (answer.error === "generated_file" || format.isUnsayable?.(answer.text)) return undefined;
        const outcome = outcomeOf(file, before, answer);
        const again = outcome.kind === "refused" ? await format.rewrite(fixture, answer.text) : undefined;
        const retried =
          again === undefined ? undefined : outcomeOf(file, before, await calls.call("edit", again));
        return { outcome, written: JSON.stringify(input), retried, judgedAs: real };
      } finally {
        calls.turn.conclude();
      }
    },
    async close() {
      folder.close();
    },
  };
}

/** What the case says was seen, and what the writer needs; undefined where a line is too long to be shown whole. */
async function show(
  calls: CodeCalls,
  { path }: CaseFile,
  { seen, view }: Case,
  needs: readonly VisibleRange[],
): Promise<ShownLines | undefined> {
  const shown = new ShownLines();
  const texts = seen.lines.map(({ text }) => text);
  for (const [from, to] of united([...view.shown, ...needs])) {
    for (let next = from + 1; next <= to + 1; ) {
      const { text, details, error } = await calls.call("read", { path: `${path}:${next}-${to + 1}` });
      if (error !== undefined) throw new Error(`${path} cannot be read: ${text}`);
      shown.addRows(text);
      next = (details as PagedDetails).nextLine ?? to + 2;
    }
  }
  for (const range of needs) {
    for (let line = range[0]; line <= range[1]; line += 1) {
      if (shown.isWhole([line, line], texts)) continue;
      const { text } = await calls.call("read", { path: `${path}:${line + 1}+1:raw` });
      if (text !== texts[line]) return undefined;
      shown.add(line, { ...shown.at(line), text });
    }
  }
  return shown;
}

interface StateNow {
  readonly document: string;
  readonly disk: string;
}

function stateNow(file: CaseFile): StateNow {
  return { document: currentContent(file), disk: decoded(readFileSync(file.absolute)) };
}

/** What is said is not believed: a refusal that changed something was none, and both document and disk have to hold it. */
function outcomeOf(
  file: CaseFile,
  before: StateNow,
  answer: { error: string | undefined; text: string },
): Outcome {
  const { document, disk } = stateNow(file);
  if (answer.error !== undefined) {
    // A file that was changed on disk is taken in when it is looked at.
    if (disk === before.disk && (document === before.document || document === disk))
      return { kind: "refused", message: answer.text };
    return { kind: "applied", content: document };
  }
  return { kind: "applied", content: disk === document ? document : `${disk}(the document is another one)` };
}
