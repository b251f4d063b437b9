// The searches of a session: the current one, and those that were kept under a key.

export interface SearchLine {
  /** From 1. */
  readonly line: number;
  readonly content: string;
  /** The line is longer than what is shown of it. */
  readonly isPart?: true;
}

export interface PaperSearchResult {
  readonly match: string;
  readonly lines: readonly SearchLine[];
}

export interface KeptSearch {
  readonly query: string;
  readonly result: readonly PaperSearchResult[];
  readonly timestamp: number;
}

export class PaperSearches {
  /** Undefined where the last search found nothing. */
  current: Omit<KeptSearch, "timestamp"> | undefined;
  readonly kept = new Map<string, KeptSearch>();
}

/** The lines of some results, each once, in order. */
export function linesOf(results: readonly PaperSearchResult[]): SearchLine[] {
  const lines = new Map<number, SearchLine>();
  for (const result of results) for (const line of result.lines) lines.set(line.line, line);
  return [...lines.values()].sort((one, other) => one.line - other.line);
}
