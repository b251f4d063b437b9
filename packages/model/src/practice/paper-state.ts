// What the practice model knows of the paper while it works, and its two ways to look at it.

import { type Call, itemsIn, numberIn, textIn } from "./fields.ts";
import { type Fields, noCallsLeft, Obstacle, type Steps } from "./steps.ts";

export const paperTools = {
  search: "search_paper",
  context: "get_context_lines",
  replaceLine: "write_replace_line",
  append: "write_append",
  setText: "set_text",
  verify: "verify",
} as const;

export type PaperTool = keyof typeof paperTools;

/** The only document has no name that the tools tell. */
export const paperName = "the paper";

const searchLimit = 100;

/** A turn of this toolset ends at its fifteenth request to the model, and the last two are for verifying and answering. */
const maxCalls = 13;

export class PaperState {
  readonly offered: ReadonlySet<string>;
  private readonly call: Call<PaperTool>;
  private calls = 0;
  private edits = 0;

  constructor(call: Call<PaperTool>, offered: ReadonlySet<string>) {
    this.call = call;
    this.offered = offered;
  }

  has(tool: PaperTool): boolean {
    return this.offered.has(paperTools[tool]);
  }

  get isEdited(): boolean {
    return this.edits > 0;
  }

  *ask(tool: PaperTool, thought: string, values: Fields): Steps<Fields | Obstacle> {
    if (this.calls >= maxCalls && tool !== "verify") return noCallsLeft;
    this.calls += 1;
    return yield* this.call(tool, thought, values);
  }

  *edit(tool: PaperTool, thought: string, values: Fields): Steps<Fields | Obstacle> {
    const value = yield* this.ask(tool, thought, values);
    if (!(value instanceof Obstacle)) this.edits += 1;
    return value;
  }
}

export interface PaperLine {
  /** From 1. */
  readonly line: number;
  readonly content: string;
}

export interface Found {
  /** In order, each once; without content where only the number was told. */
  readonly lines: readonly { readonly line: number; readonly content: string | undefined }[];
  /** False where there are more matches than one search returns. */
  readonly isComplete: boolean;
}

export function* searchPaper(state: PaperState, query: string, thought: string): Steps<Found | Obstacle> {
  const value = yield* state.ask("search", thought, { query, limit: searchLimit });
  if (value instanceof Obstacle) return value;
  const results = itemsIn(value, "results");
  const found = new Map<number, string | undefined>();
  for (const result of results) {
    for (const item of itemsIn(result, "lines")) {
      const { line, content } = lineOf(item);
      found.set(line, content);
    }
  }
  const more = Array.isArray(value.moreLines) ? value.moreLines : [];
  for (const line of more) if (typeof line === "number" && !found.has(line)) found.set(line, undefined);
  const lines = [...found]
    .sort(([one], [other]) => one - other)
    .map(([line, content]) => ({ line, content }));
  const matches = numberIn(value, "matches") ?? results.length;
  return { lines, isComplete: (numberIn(value, "totalMatches") ?? matches) <= matches };
}

function lineOf(item: Fields): PaperLine {
  return {
    line: numberIn(item, "line") ?? numberIn(item, "lineNumber") ?? 0,
    content: textIn(item, "content") ?? textIn(item, "text") ?? "",
  };
}

export interface Context {
  readonly lines: readonly PaperLine[];
  /** Lines of the whole paper, where it is told. */
  readonly rows: number | undefined;
}

/** So many ranges one call takes. */
export const maxRanges = 50;

/** Neighbouring lines as one range. */
export function rangesOf(
  lines: readonly number[],
): readonly { readonly start: number; readonly end: number }[] {
  const ranges: { start: number; end: number }[] = [];
  for (const line of lines) {
    const last = ranges.at(-1);
    if (last !== undefined && last.end === line - 1) last.end = line;
    else ranges.push({ start: line, end: line });
  }
  return ranges;
}

/** Lines by their numbers, both ends included; fewer where they do not fit one answer or the paper ends before. */
export function* contextLines(
  state: PaperState,
  thought: string,
  ranges: readonly { readonly start: number; readonly end: number }[],
): Steps<Context | Obstacle> {
  const value = yield* state.ask("context", thought, { ranges });
  if (value instanceof Obstacle) return value;
  return { lines: itemsIn(value, "lines").map(lineOf), rows: numberIn(value, "rows") };
}

/** Of a line that is too long for an answer only the beginning is shown. */
export function isCutLine(content: string): boolean {
  return /… \(\d+ more characters\)$/.test(content);
}
