// How a document is laid out: prose by sentences, code by lines. And from which size on the editor leaves out what costs
// time with every line.

import type { Text } from "@codemirror/state";

export type FileKind = "prose" | "code";

const proseEndings = new Set([
  "",
  "md",
  "markdown",
  "mdx",
  "txt",
  "text",
  "rst",
  "adoc",
  "org",
  "tex",
  "fountain",
]);
/** Names without an ending that are no prose all the same. */
const codeNames = /^(?:makefile|dockerfile|containerfile|jenkinsfile|vagrantfile|gemfile|rakefile|\..*)$/i;

export function fileKindOf(name: string): FileKind {
  const base = name.split("/").at(-1) ?? "";
  if (codeNames.test(base)) return "code";
  const ending = /\.([^.\s]+)$/.exec(base)?.[1]?.toLowerCase() ?? "";
  return proseEndings.has(ending) ? "prose" : "code";
}

/** "lines": a line is so long that it cannot be wrapped in time; "size": the whole is. */
export type Burden = "none" | "size" | "lines";

const largeLength = 4_000_000;
const longLine = 100_000;

/** Only what was inserted has to be looked at; a document that was too much once stays so until it is opened again. */
export function burdenOf(text: Text, inserted: Text = text, known: Burden = "none"): Burden {
  if (known === "lines") return known;
  // Lines cannot be longer than all of them.
  if (inserted.length > longLine / 2 && hasLongLine(text)) return "lines";
  return known === "size" || text.length > largeLength ? "size" : "none";
}

/** From the start of a line to the line that is a long line's length further on: no other line is looked at. */
function hasLongLine(text: Text): boolean {
  for (let from = 0; from + longLine < text.length; ) {
    const line = text.lineAt(from + longLine + 1);
    if (line.from <= from) return true;
    from = line.from;
  }
  return false;
}
