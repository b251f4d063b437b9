// What kind of text a file holds, by its name.

import { extname } from "node:path";

const fileTypes: Readonly<Record<string, string>> = {
  ".md": "markdown",
  ".markdown": "markdown",
  ".txt": "txt",
  ".json": "json",
  ".yaml": "yaml",
  ".yml": "yaml",
};

export function fileTypeOf(path: string): string {
  // A result is titled after its source: "story.md - summary" is Markdown, too.
  const extension = extname(path.replace(/ - [^./\\]*$/, "")).toLowerCase();
  return fileTypes[extension] ?? (extension === "" ? "txt" : extension.slice(1));
}
