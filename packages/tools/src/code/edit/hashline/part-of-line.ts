// A line that is too long to be shown whole has an anchor, too. Whoever replaces it has seen its beginning only.

import { Fault } from "@stet/protocol/fault";
import { lineContent } from "@stet/text/lines";
import { confirmHint } from "../../../sight/unseen-text.ts";
import type { CodeContext } from "../../code-context.ts";
import type { FileStep } from "../../code-files.ts";
import { maxLineLength } from "../../read/page.ts";

/** A refusal where a line would go of which only a part was shown. */
export function partOfLine(
  { sight }: Pick<CodeContext, "sight">,
  steps: readonly FileStep[],
): Fault | undefined {
  for (const step of steps) {
    if (step.kind !== "edit") continue;
    const { path, history } = step.file;
    for (const edit of step.edits) {
      if (!("from" in edit)) continue;
      for (const { start, end } of sight.unknown(step.file, {
        start: edit.from - 1,
        end: edit.to - 1,
      })) {
        for (let line = start; line <= end; line += 1) {
          const { length } = lineContent(history.text, line);
          if (length > maxLineLength) return partlyShown(path, line + 1, length);
        }
      }
    }
  }
  return undefined;
}

function partlyShown(path: string, line: number, length: number): Fault {
  return new Fault(
    "partly_read",
    `Line ${line} of ${path} has ${length} characters, and you were not shown all of it. Nothing was changed.`,
    `Read ${path}:${line}+1:raw to see the whole line, or change it with a command; ${confirmHint}.`,
    { path, line },
  );
}
