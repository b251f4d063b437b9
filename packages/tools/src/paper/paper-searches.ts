// The searches of a session: the current one, and those that were kept under a key.

import { Fault } from "@stet/protocol/fault";

export interface SearchLine {
  /** From 1. */
  readonly line: number;
  readonly content: string;
  /** The line is longer than what is shown of it. */
  readonly isPart?: true;
}

export interface SearchResult {
  readonly match: string;
  readonly keyword: string;
  readonly lines: readonly SearchLine[];
}

export interface KeptSearch {
  readonly query: string;
  readonly result: readonly SearchResult[];
  readonly timestamp: number;
}

const maxKept = 50;

export class PaperSearches {
  /** Undefined where the last search found nothing. */
  current: Omit<KeptSearch, "timestamp"> | undefined;
  readonly kept = new Map<string, KeptSearch>();

  keep(key: string): KeptSearch | Fault {
    if (this.current === undefined) {
      return new Fault(
        "no_match",
        "No active search result to keep. Call search_paper() first.",
        "Search for something that is in the paper, then keep it.",
      );
    }
    if (!this.kept.has(key) && this.kept.size >= maxKept) {
      return new Fault(
        "not_allowed",
        `${maxKept} searches are kept already.`,
        "Clear one with clear_kept_search() first; get_kept_searches() lists them.",
      );
    }
    const kept = { ...this.current, timestamp: Date.now() };
    this.kept.set(key, kept);
    return kept;
  }
}

/** The lines of some results, each once, in order. */
export function linesOf(results: readonly SearchResult[]): SearchLine[] {
  const lines = new Map<number, SearchLine>();
  for (const result of results) for (const line of result.lines) lines.set(line.line, line);
  return [...lines.values()].sort((one, other) => one.line - other.line);
}
