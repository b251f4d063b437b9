// The apply_patch envelope with decreasing strictness: the lines of a hunk are looked for from where the last one ended,
// first exactly, then without trailing white space, then trimmed, then with typographic characters made plain; the first
// place that fits is taken.

import { type FileText, parseFile, renderFile } from "../file-text.ts";
import type { TextRules } from "../rule-set.ts";
import { type PatchHunk, writeHunks } from "./hunks.ts";
import { replaced } from "./line-numbers.ts";

const strictness: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.trimEnd(),
  (text) => text.trim(),
  (text) => plain(text.trim()),
];

function plain(text: string): string {
  return text
    .replace(/[‐‑‒–—―−]/g, "-")
    .replace(/[‘’‚‛]/g, "'")
    .replace(/[“”„‟]/g, '"')
    .replace(/[\u00a0\u2002-\u200a\u202f\u205f\u3000]/g, " ");
}

export const applyPatchStrictness: TextRules<readonly PatchHunk[]> = {
  name: "apply_patch with decreasing strictness",
  about:
    "No line numbers; a hunk's lines are looked for from the end of the one before, exactly, then without trailing white space, then trimmed, then with plain punctuation. The first place that fits is taken.",
  source: "the apply_patch tool of OpenAI's Codex CLI (`seek_sequence`)",
  write: (one) => (one.slip === "off by one" ? undefined : writeHunks(one, 3, false)),
  apply(content, hunks) {
    let file = parseFile(content);
    let from = 0;
    for (const hunk of hunks) {
      const old = hunk.lines.filter(({ kind }) => kind !== "+").map(({ text }) => text);
      const fresh = hunk.lines.filter(({ kind }) => kind !== "-").map(({ text }) => text);
      const at = seek(file, old, from, hunk.isAtEnd);
      if (at === undefined)
        return { kind: "refused", message: `Failed to find expected lines:\n${old.join("\n")}` };
      // What is written are the lines of the patch, context included.
      file = replaced(file, at, old.length, fresh);
      from = at + fresh.length;
    }
    return { kind: "applied", content: renderFile(file) };
  },
};

function seek(file: FileText, old: readonly string[], from: number, isAtEnd: boolean): number | undefined {
  const last = file.lines.length - old.length;
  for (const loosen of strictness) {
    const fits = (at: number) =>
      old.every((text, index) => loosen(file.lines[at + index]?.text ?? "") === loosen(text));
    if (isAtEnd && last >= from && fits(last)) return last;
    for (let at = from; at <= last; at += 1) if (fits(at)) return at;
  }
  return undefined;
}
