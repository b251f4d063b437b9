// What was pasted: a text that is too long to be read in the prompt, the path of a picture (terminals paste one when a file is
// dropped on them), or just text.

import { statSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

const maxLines = 10;
const maxCharacters = 1000;
const maxPathCharacters = 4096;
const pictureName = /\.(png|jpe?g|gif|webp)$/i;

export function isPictureName(path: string): boolean {
  return pictureName.test(path);
}

/** Undefined for a text that is short enough to stay text. */
export function chipLabel(text: string, number: number): string | undefined {
  const lines = lineCount(text);
  if (lines > maxLines) return `[Pasted text #${number}, ${lines.toLocaleString("en")} lines]`;
  if (text.length <= maxCharacters) return undefined;
  return `[Pasted text #${number}, ${text.length.toLocaleString("en")} characters]`;
}

/** The path of the picture that a pasted text names; undefined where it names none. */
export function pastedPicture(text: string, folder: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed.length > maxPathCharacters || trimmed.includes("\n")) return undefined;
  for (const written of spellings(trimmed)) {
    if (!isPictureName(written)) continue;
    const path = resolve(folder, written);
    if (isFile(path)) return path;
  }
  return undefined;
}

/** As it is, without quotes, with the backslashes of a shell taken out, as an address. */
function spellings(text: string): string[] {
  const quoted = /^(["'])(.*)\1$/.exec(text)?.[2];
  const found = [quoted ?? text, text.replace(/\\(.)/g, "$1")];
  if (text.startsWith("file://")) {
    try {
      found.push(fileURLToPath(text));
    } catch {
      // An address of another machine is no file here.
    }
  }
  return found;
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function lineCount(text: string): number {
  const breaks = text.match(/\r\n|\r|\n/g)?.length ?? 0;
  return /[\r\n]$/.test(text) ? breaks : breaks + 1;
}
