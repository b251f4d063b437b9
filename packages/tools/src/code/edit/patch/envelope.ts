// The envelope of apply_patch:
//
//   *** Begin Patch
//   *** Add File: path             then its lines, each with +; without any it is empty
//   *** Update File: path          then optionally *** Move to: path, then hunks (patch-hunk.ts)
//   *** Delete File: path
//   *** End Patch
//
// Begin and end may be missing, and a heredoc or a code fence may stand around. Markers between sections may be indented;
// inside of a hunk an indented marker is a line of the file, except the very last line of the patch.

import { cutText } from "@stet/protocol/cut-text";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { Hunk } from "../../../locate/hunk.ts";
import { invalidPatch, type NumberedLine, numberedLines, parseHunks } from "./patch-hunk.ts";

export type PatchSection =
  | { readonly op: "add"; readonly path: string; readonly content: string; readonly line: number }
  | { readonly op: "delete"; readonly path: string; readonly line: number }
  | {
      readonly op: "update";
      readonly path: string;
      readonly moveTo: string | undefined;
      readonly hunks: readonly Hunk[];
      readonly line: number;
    };

const begin = "*** Begin Patch";
const end = "*** End Patch";
const sectionHeader = /^\*\*\* (Add|Update|Delete) File:\s*(.*)$/;
const moveHeader = /^\*\*\* Move to:\s*(.*)$/;
const heredoc = /^(?:.*\s)?<<-?\s*(['"]?)(\w+)\1$/;
const otherDiff = /^(?:diff --git |--- (?:a\/|\/dev\/null|\S+\t)|Index: |\+\+\+ )/;
const expectedHeader = 'write "*** Add File: path", "*** Update File: path" or "*** Delete File: path"';

export function parseEnvelope(input: string): PatchSection[] | Fault {
  const lines = withoutEnvelope(numberedLines(input));
  if (isFault(lines)) return lines;
  const sections: PatchSection[] = [];
  for (let index = 0; index < lines.length; ) {
    const line = lines[index];
    if (line === undefined) break;
    if (isBlank(line) || isMarker(line, begin) || isMarker(line, end)) {
      index += 1;
      continue;
    }
    const header = sectionHeader.exec(line.text.trim());
    if (header === null) return notAHeader(line);
    let next = index + 1;
    while (next < lines.length && !isBoundary(lines[next])) next += 1;
    const section = readSection(header[1] ?? "", header[2] ?? "", line.number, lines.slice(index + 1, next));
    if (isFault(section)) return section;
    sections.push(section);
    index = next;
  }
  if (sections.length > 0) return sections;
  return invalidPatch(lines[0]?.number ?? 1, "there is no file in it", expectedHeader);
}

/** The lines without what stands around the envelope, and with a last marker that is not indented. */
function withoutEnvelope(all: readonly NumberedLine[]): NumberedLine[] | Fault {
  const lines = [...all];
  while (lines.length > 0 && isBlank(lines.at(-1))) lines.pop();
  while (lines.length > 0 && isBlank(lines[0])) lines.shift();
  const first = lines[0]?.text.trim() ?? "";
  const terminator = heredoc.exec(first)?.[2];
  if (terminator !== undefined || first.startsWith("```")) {
    lines.shift();
    if (lines.at(-1)?.text.trim() === (terminator ?? "```")) lines.pop();
  }
  const opening = lines.find((line) => !isBlank(line));
  if (opening !== undefined && otherDiff.test(opening.text)) {
    return invalidPatch(
      opening.number,
      "this is a diff as git writes it",
      `begin with "${begin}", name each file with "*** Update File: path", and give the hunks without line numbers`,
    );
  }
  while (lines.length > 0 && isBlank(lines.at(-1))) lines.pop();
  const last = lines.at(-1);
  if (last !== undefined && isMarker(last, end)) lines.pop();
  return lines;
}

function isBlank(line: NumberedLine | undefined): boolean {
  return line !== undefined && line.text.trim() === "";
}

function isMarker(line: NumberedLine, marker: string): boolean {
  return line.text.trim() === marker;
}

/** Where a section ends. Only markers at the start of a line count here: what is indented belongs to the hunk. */
function isBoundary(line: NumberedLine | undefined): boolean {
  if (line === undefined) return true;
  const text = line.text.trimEnd();
  return sectionHeader.test(text) || text === end || text === begin;
}

function readSection(
  kind: string,
  name: string,
  line: number,
  body: readonly NumberedLine[],
): PatchSection | Fault {
  const path = name.trim();
  if (path === "") return invalidPatch(line, "the path is missing", `${expectedHeader} with a path`);
  if (kind === "Add") return readAdded(path, line, body);
  if (kind === "Delete") {
    const extra = body.find((each) => !isBlank(each));
    if (extra === undefined) return { op: "delete", path, line };
    return invalidPatch(extra.number, `nothing can follow "*** Delete File: ${path}"`, expectedHeader);
  }
  return readUpdate(path, line, body);
}

function readAdded(path: string, line: number, body: readonly NumberedLine[]): PatchSection | Fault {
  const lastAdded = body.findLastIndex(({ text }) => text.startsWith("+"));
  const wrong = body.find((each) => !each.text.startsWith("+") && !isBlank(each));
  if (wrong !== undefined) {
    return invalidPatch(
      wrong.number,
      "a line of a new file does not begin with +",
      "begin every line with +",
    );
  }
  // A blank line between two others has lost its +; behind the last one it only separates.
  const lines = body.slice(0, lastAdded + 1).map(({ text }) => `${text.slice(1)}\n`);
  return { op: "add", path, content: lines.join(""), line };
}

function readUpdate(path: string, line: number, body: readonly NumberedLine[]): PatchSection | Fault {
  const first = body.findIndex((each) => !isBlank(each));
  const move = moveHeader.exec(body[first]?.text.trim() ?? "");
  const moveTo = move?.[1]?.trim();
  if (moveTo === "") {
    return invalidPatch(body[first]?.number ?? line, "the new path is missing", "write *** Move to: path");
  }
  const hunks = parseHunks(moveTo === undefined ? body : body.slice(first + 1));
  if (isFault(hunks)) return hunks;
  if (hunks.length > 0 || moveTo !== undefined) return { op: "update", path, moveTo, hunks, line };
  return invalidPatch(
    line,
    `the update of ${path} has no hunk`,
    "give hunks: @@, then lines with space, - or +",
  );
}

function notAHeader({ number, text }: NumberedLine): Fault {
  const shown = JSON.stringify(cutText(text, 80));
  return invalidPatch(number, `${shown} does not begin a file`, expectedHeader);
}
