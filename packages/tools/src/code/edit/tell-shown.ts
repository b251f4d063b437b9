// What a refusal shows of a file is what the model knows from then on: rows such as `*41th|text` or ` 41|text`, of the file as
// it is now. The next call refers to them.

import type { Fault } from "@stet/protocol/fault";
import type { CodeContext } from "../code-context.ts";
import type { OpenFile } from "../code-files.ts";

/** Told of a file whose edit is refused; a preview, which nobody answers, tells nobody. */
export type OnRefused = (file: OpenFile, fault: Fault) => void;

export function tellShown({ sight }: Pick<CodeContext, "sight">, file: OpenFile, fault: Fault): void {
  const { current } = fault.details;
  for (const row of [...fault.message.split("\n"), ...rowsIn(current)]) {
    const line = /^[* ]?(\d+)(?:[a-z]{2})?\|/.exec(row)?.[1];
    if (line !== undefined) sight.show(file, Number(line), Number(line), false);
  }
}

function rowsIn(value: unknown): string[] {
  if (typeof value === "string") return value.split("\n");
  return Array.isArray(value) ? value.flatMap(rowsIn) : [];
}
