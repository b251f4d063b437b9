// One word of the grammar's tree as the words that a program gets, read from its raw text.

import type { Word } from "unbash";
import { substitutionsOf } from "./shell-proof.ts";
import { scanWord } from "./shell-scan.ts";
import type { ShellWord } from "./shell-step.ts";

export interface ReadWord {
  readonly words: readonly ShellWord[];
  /** The names of variables whose values become part of it. */
  readonly variables: readonly string[];
}

export function readWord(word: Word, text: string): ReadWord {
  const source = word.text;
  const substitutions = substitutionsOf(word);
  const scanned = scanWord(text, word.pos, word.end, (at) => substitutions.get(at)?.end);
  if (scanned.kind === "doubt" || scanned.end !== word.end) {
    // The line is unsure for that. What the grammar takes the word for is still good enough to warn of it.
    const known: ShellWord =
      word.parts === undefined ? { kind: "literal", value: word.value, source } : { kind: "unknown", source };
    return { words: [known], variables: [] };
  }
  const { form, values, variables } = scanned;
  if (form === "unknown") return { words: [{ kind: "unknown", source }], variables };
  const words = values.map(
    (value): ShellWord => ({ kind: form, value, source: values.length === 1 ? source : value }),
  );
  return { words, variables };
}
