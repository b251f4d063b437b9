// Full outputs of tools, of which the model saw only the beginning: numbered text files in a folder per session.
//
// A number is given once, also when two processes ask at the same time. Reading goes page by page: whole lines,
// or a piece of a line that is longer than a page. The pages together are the text, exactly.

import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Fault, isFault } from "@stet/protocol/fault";
import { attempt, errnoCode } from "@stet/protocol/system-fault";
import { makeDurableFolder, writeAll } from "@stet/storage/durable-file";
import { privateFile } from "@stet/storage/private-files";

export interface Artifact {
  readonly number: number;
  readonly path: string;
}

/** Both from 1; the column counts characters. */
export interface ArtifactPosition {
  readonly line: number;
  readonly column: number;
}

export interface ArtifactPage {
  readonly text: string;
  readonly from: ArtifactPosition;
  readonly totalLines: number;
  /** Where the next page begins; undefined at the end. */
  readonly next: ArtifactPosition | undefined;
}

export interface PageLimits {
  readonly maxLines?: number;
  readonly maxCharacters?: number;
}

const defaultMaxLines = 3000;
const defaultMaxCharacters = 50_000;
const beginning: ArtifactPosition = { line: 1, column: 1 };

export class ArtifactFolder {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  write(text: string): Artifact | Fault {
    return attempt("written", this.folder, () => {
      makeDurableFolder(this.folder);
      let number = (this.numbers().at(-1) ?? -1) + 1;
      for (;;) {
        const path = this.#pathOf(number);
        const descriptor = openNew(path);
        if (descriptor === undefined) {
          number += 1;
          continue;
        }
        try {
          writeAll(descriptor, Buffer.from(text));
        } finally {
          closeSync(descriptor);
        }
        return { number, path };
      }
    });
  }

  /** In ascending order. */
  numbers(): number[] {
    const names = attempt("listed", this.folder, () => readdirSync(this.folder));
    if (isFault(names)) return [];
    const numbers = names.flatMap((name) => (/^\d+\.txt$/.test(name) ? Number.parseInt(name, 10) : []));
    return numbers.sort((one, other) => one - other);
  }

  read(number: number, from: ArtifactPosition = beginning, limits: PageLimits = {}): ArtifactPage | Fault {
    const path = this.#pathOf(number);
    const text = attempt("read", path, () => readFileSync(path, "utf8"));
    if (isFault(text)) return this.#unknown(number, text);
    return cutPage(text, from, limits);
  }

  #unknown(number: number, fault: Fault): Fault {
    if (fault.error !== "file_not_found") return fault;
    const numbers = this.numbers();
    const suggestion = numbers.length === 0 ? "No output was kept here." : `Kept are: ${numbers.join(", ")}.`;
    return new Fault("unknown_artifact", `There is no artifact ${number} in this session.`, suggestion, {
      number,
    });
  }

  #pathOf(number: number): string {
    return join(this.folder, `${number}.txt`);
  }
}

function openNew(path: string): number | undefined {
  try {
    return openSync(path, "wx", privateFile);
  } catch (error) {
    if (errnoCode(error) === "EEXIST") return undefined;
    throw error;
  }
}

function cutPage(text: string, from: ArtifactPosition, limits: PageLimits): ArtifactPage | Fault {
  const { maxLines = defaultMaxLines, maxCharacters = defaultMaxCharacters } = limits;
  const starts = lineStarts(text);
  const totalLines = starts.length;
  const lineStart = starts[from.line - 1];
  if (lineStart === undefined || from.column < 1) {
    const suggestion = `It has ${totalLines} lines; the first is 1.`;
    return new Fault("invalid_line_range", `There is no line ${from.line} in this artifact.`, suggestion);
  }
  const start = Math.min(lineStart + from.column - 1, text.length);
  const longest = start + Math.max(1, maxCharacters);
  let end = Math.min(starts[from.line - 1 + maxLines] ?? text.length, text.length);
  if (end > longest) end = starts.findLast((position) => position <= longest) ?? 0;
  // Not even one line fits: a piece of it, but never half of a surrogate pair.
  if (end <= start && start < text.length) {
    end = Math.min(longest, text.length);
    if (!text.slice(start, end).isWellFormed() && end < text.length) end += 1;
  }
  const page = { text: text.slice(start, end), from, totalLines };
  if (end >= text.length) return { ...page, next: undefined };
  const line = starts.findLastIndex((position) => position <= end) + 1;
  return { ...page, next: { line, column: end - (starts[line - 1] ?? 0) + 1 } };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let feed = text.indexOf("\n"); feed >= 0; feed = text.indexOf("\n", feed + 1)) {
    if (feed + 1 < text.length) starts.push(feed + 1);
  }
  return starts;
}
