// Hunks of a diff in the modes patch and apply_patch, with as much context as makes each of them unique in what was seen.

import { applyPatch } from "../../../packages/tools/src/code/edit/patch/apply-patch.ts";
import { patch } from "../../../packages/tools/src/code/edit/patch/patch.ts";
import type { Case } from "../cases.ts";
import { occurrences, placesOf } from "../intended-changes.ts";
import { type PatchHunk, type PatchHunkLine, writeHunks } from "../others/hunks.ts";
import type { CodeFormat, Input } from "./code-format.ts";
import { refusalIn, ToldRows } from "./refusal-rows.ts";
import { placesFromRows } from "./replace.ts";

const leastContext = 3;
const mostContext = 25;

interface Envelope {
  readonly hasNumbers: boolean;
  input(path: string, hunks: string): Input;
}

const entries: Envelope = {
  hasNumbers: true,
  input: (path, diff) => ({ edits: [{ path, diff }] }),
};

const envelope: Envelope = {
  hasNumbers: false,
  input: (path, hunks) => ({
    input: `*** Begin Patch\n*** Update File: ${path}\n${hunks}*** End Patch\n`,
  }),
};

function patchFormat(
  { name, about, mode, tool }: Pick<CodeFormat, "name" | "about" | "mode" | "tool">,
  kind: Envelope,
): CodeFormat {
  return {
    name,
    about,
    mode,
    tool,
    needs(one) {
      const hunks = uniqueHunks(one)?.hunks;
      return hunks?.map(({ oldStart, lines }) => [oldStart - 1, oldStart + oldOf(lines).length - 2]);
    },
    write({ one, path }) {
      if (one.slip === "off by one" && !kind.hasNumbers) return undefined;
      const unique = uniqueHunks(one);
      const hunks = unique === undefined ? undefined : writeHunks(one, unique.context, kind.hasNumbers);
      return hunks === undefined
        ? undefined
        : kind.input(path, hunks.map((hunk) => textOf(hunk, kind)).join(""));
    },
    rewrite({ one, path }, answer) {
      const refusal = refusalIn(answer);
      const unique = uniqueHunks(one);
      if (refusal === undefined || unique === undefined) return undefined;
      const careful = () => kind.input(path, unique.hunks.map((hunk) => textOf(hunk, kind)).join(""));
      if (refusal.error === "invalid_arguments" || /abbreviat/.test(refusal.message)) return careful();
      const rows = new ToldRows(refusal);
      // A hunk whose lines are shown is written from them, the others as before.
      const places = placesOf(one);
      const found = placesFromRows(rows, one, () => unique.context);
      // Who is told that a hunk fits at many places gives it the context that was seen.
      if (found.every((quote) => quote === undefined))
        return refusal.error === "ambiguous_match" ? careful() : undefined;
      if (unique.hunks.length !== places.length) return careful();
      const hunks = unique.hunks.map((hunk, index) => {
        const quote = found[index];
        const place = places[index];
        if (quote === undefined || place === undefined) return hunk;
        const lines = linesOf(quote.old, quote.replacement, place.removed.length, place.added.length);
        return { oldStart: quote.at + 1, lines, isAtEnd: false };
      });
      return kind.input(path, hunks.map((hunk) => textOf(hunk, kind)).join(""));
    },
  };
}

function oldOf(lines: readonly PatchHunkLine[]): string[] {
  return lines.filter(({ kind }) => kind !== "+").map(({ text }) => text);
}

/** The hunks of a careful writer. */
function uniqueHunks(one: Case): { hunks: readonly PatchHunk[]; context: number } | undefined {
  const lines = one.seen.lines.map(({ text }) => text);
  for (let context = leastContext; context <= mostContext; context += 1) {
    const hunks = writeHunks({ ...one, slip: "none" }, context);
    const isUnique = hunks?.every((hunk) => occurrences(lines, oldOf(hunk.lines)) === 1);
    if (hunks !== undefined && isUnique) return { hunks, context };
  }
  return undefined;
}

/** Context up to the first change and behind the last one stays; between them the old goes and the new comes. */
function linesOf(
  old: readonly string[],
  replacement: readonly string[],
  removed: number,
  added: number,
): PatchHunkLine[] {
  let before = 0;
  const most = Math.min(old.length - removed, replacement.length - added);
  while (before < most && old[before] === replacement[before]) before += 1;
  const goes = old.slice(before, before + removed);
  const comes = replacement.slice(before, before + added);
  const line = (kind: PatchHunkLine["kind"]) => (text: string) => ({ kind, text });
  return [
    ...old.slice(0, before).map(line(" ")),
    ...goes.map(line("-")),
    ...comes.map(line("+")),
    ...old.slice(before + removed).map(line(" ")),
  ];
}

function textOf({ oldStart, lines }: PatchHunk, { hasNumbers }: Envelope): string {
  const old = oldOf(lines).length;
  const fresh = lines.filter(({ kind }) => kind !== "-").length;
  const head = hasNumbers ? `@@ -${oldStart},${old} +${oldStart},${fresh} @@` : "@@";
  return `${head}\n${lines.map(({ kind, text }) => `${kind}${text}\n`).join("")}`;
}

export const patchMode = patchFormat(
  {
    name: "stet code: patch",
    about:
      "Hunks of a diff are looked for in the revision that the model was shown, and followed from there; line numbers are hints.",
    mode: "patch",
    tool: patch,
  },
  entries,
);

export const applyPatchMode = patchFormat(
  {
    name: "stet code: apply_patch",
    about: "The envelope without line numbers, placed by the same rules.",
    mode: "apply_patch",
    tool: applyPatch,
  },
  envelope,
);
