// Unified diffs, read. The format is described in unified.ts; this reads what git and diff write, with the
// headers of git and any text around the files. It is strict: a hunk has exactly the lines that its header
// announces, because a hunk that was cut short would otherwise be applied in part.
//
// A section that only renames a file, changes its mode or is binary cannot be applied to text and is refused.

import { Fault, isFault } from "@stet/protocol/fault";

export interface UnifiedLine {
  readonly kind: "context" | "removed" | "added";
  readonly text: string;
  /** False where "\ No newline at end of file" follows. */
  readonly hasNewline: boolean;
}

export interface UnifiedHunk {
  /** As written: 1-based; where the count is 0, the line before which nothing is taken away. */
  readonly oldStart: number;
  readonly oldCount: number;
  readonly newStart: number;
  readonly newCount: number;
  readonly lines: readonly UnifiedLine[];
}

export interface UnifiedFile {
  /** Undefined for /dev/null: the file is new. */
  readonly oldPath: string | undefined;
  /** Undefined for /dev/null: the file is deleted. */
  readonly newPath: string | undefined;
  readonly hunks: readonly UnifiedHunk[];
}

const hunkHeader = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

export function parseUnified(patch: string): UnifiedFile[] | Fault {
  const lines = patch.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const files: { oldPath: string | undefined; newPath: string | undefined; hunks: UnifiedHunk[] }[] = [];
  /** The line of a git header whose file has not come yet. */
  let openSection: number | undefined;
  for (let index = 0; index < lines.length; ) {
    const line = lines[index] ?? "";
    if (line.startsWith("diff --git ")) {
      if (openSection !== undefined) return withoutHunks(openSection);
      openSection = index;
      index += 1;
    } else if (isFileHeader(lines, index)) {
      openSection = undefined;
      files.push({ ...pathsOf(line, lines[index + 1] ?? ""), hunks: [] });
      index += 2;
      if (!hunkHeader.test(lines[index] ?? ""))
        return problem(index, "a hunk header (@@ -1,2 +1,2 @@) must follow");
    } else if (line.startsWith("@@")) {
      const hunks = files.at(-1)?.hunks;
      if (hunks === undefined)
        return problem(index, "a file header (--- a/path, +++ b/path) must come first");
      const hunk = readHunk(lines, index);
      if (isFault(hunk)) return hunk;
      hunks.push(hunk.hunk);
      index = hunk.end;
    } else {
      index += 1;
    }
  }
  if (openSection !== undefined) return withoutHunks(openSection);
  if (files.length === 0) return problem(0, "there is no file header (--- a/path, +++ b/path)");
  return files;
}

function isFileHeader(lines: readonly string[], index: number): boolean {
  return (lines[index]?.startsWith("--- ") && lines[index + 1]?.startsWith("+++ ")) ?? false;
}

function readHunk(lines: readonly string[], start: number): { hunk: UnifiedHunk; end: number } | Fault {
  const header = hunkHeader.exec(lines[start] ?? "");
  if (header === null) return problem(start, "this is not a hunk header like @@ -1,2 +1,2 @@");
  const [oldStart, oldCount, newStart, newCount] = header.slice(1, 5).map((digits) => Number(digits ?? 1));
  if (oldStart === undefined || oldCount === undefined || newStart === undefined || newCount === undefined) {
    return problem(start, "this is not a hunk header like @@ -1,2 +1,2 @@");
  }
  const read: UnifiedLine[] = [];
  const found = { old: 0, new: 0 };
  const miscounted = (index: number) =>
    problem(
      index,
      `the header of line ${start + 1} announces ${oldCount} old and ${newCount} new lines, ` +
        `but ${found.old} and ${found.new} are there`,
    );
  let index = start + 1;
  for (; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    const isComplete = found.old === oldCount && found.new === newCount;
    if (line.startsWith("\\")) {
      const last = read.pop();
      if (last === undefined) return problem(index, "this must follow the line that it is about");
      read.push({ ...last, hasNewline: false });
      continue;
    }
    const kind = lineKind(line);
    if (isComplete && (kind === undefined || line === "" || line === "-- " || isFileHeader(lines, index)))
      break;
    if (kind === undefined) return miscounted(index);
    if (kind !== "added") found.old += 1;
    if (kind !== "removed") found.new += 1;
    if (found.old > oldCount || found.new > newCount) return miscounted(index);
    read.push({ kind, text: line.slice(1), hasNewline: true });
  }
  if (found.old !== oldCount || found.new !== newCount) return miscounted(index - 1);
  const unended = unendedInside(read);
  if (unended !== undefined) return problem(start, `"${unended}" has no newline, so no line can follow it`);
  return { hunk: { oldStart, oldCount, newStart, newCount, lines: read }, end: index };
}

function lineKind(line: string): UnifiedLine["kind"] | undefined {
  if (line.startsWith("-")) return "removed";
  if (line.startsWith("+")) return "added";
  // Editors and mailers strip the space of an empty context line; git and patch accept that too.
  return line.startsWith(" ") || line === "" || line === "\r" ? "context" : undefined;
}

/** The text of a line without newline that is not the last one on its side. */
function unendedInside(lines: readonly UnifiedLine[]): string | undefined {
  for (const side of ["removed", "added"]) {
    const ofSide = lines.filter(({ kind }) => kind === "context" || kind === side);
    const inside = ofSide.slice(0, -1).find(({ hasNewline }) => !hasNewline);
    if (inside !== undefined) return inside.text;
  }
  return undefined;
}

function pathsOf(
  oldLine: string,
  newLine: string,
): { oldPath: string | undefined; newPath: string | undefined } {
  const oldPath = headerPath(oldLine);
  const newPath = headerPath(newLine);
  const isGitStyle = /^(a\/|\/dev\/null$)/.test(oldPath) && /^(b\/|\/dev\/null$)/.test(newPath);
  const plain = (path: string) => (path === "/dev/null" ? undefined : isGitStyle ? path.slice(2) : path);
  return { oldPath: plain(oldPath), newPath: plain(newPath) };
}

/** What stands behind "--- " or "+++ ", without quotes and without a date behind a tab. */
function headerPath(line: string): string {
  const rest = line.slice(4).replace(/\r$/, "");
  return rest.startsWith('"') ? unquoted(rest) : rest.replace(/\t.*$/, "");
}

const escapes: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

/** A path as git quotes it: C escapes, with octal numbers for the bytes of UTF-8. */
function unquoted(quoted: string): string {
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  for (const [token, octal, escaped] of quoted.slice(1).matchAll(/\\([0-3][0-7]{2})|\\(.)|[^\\]/gsu)) {
    if (token === '"') break;
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else
      bytes.push(
        ...(escapes[escaped ?? ""] === undefined
          ? encoder.encode(escaped ?? token)
          : [escapes[escaped ?? ""] ?? 0]),
      );
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}

function withoutHunks(index: number): Fault {
  return problem(
    index,
    "this section has no hunks; a rename, a mode or a binary file is not a change of text",
  );
}

function problem(index: number, reason: string): Fault {
  return new Fault(
    "invalid_patch",
    `The patch cannot be read at its line ${index + 1}: ${reason}.`,
    "Write it as `git diff` does: file header, then hunks whose headers count their lines exactly.",
    { line: index + 1 },
  );
}
