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
  const extension = extname(path).toLowerCase();
  return fileTypes[extension] ?? (extension === "" ? "txt" : extension.slice(1));
}
