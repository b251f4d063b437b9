// keep_search, retrieve_search, get_kept_searches, clear_kept_search, clear_all_kept_searches.

import { Fault, isFault } from "@stet/protocol/fault";
import { cut } from "./cut.ts";
import type { Paper } from "./paper.ts";
import { linesOf, type SearchLine } from "./paper-searches.ts";
import { isStillThere } from "./search-handlers.ts";

/** What a list of searches shows of each query. */
const queryChars = 200;

export interface KeyParams {
  readonly key: string;
}

export interface Kept {
  readonly key: string;
  readonly saved: true;
  readonly totalSaved: number;
}

export interface RetrievedLine extends SearchLine {
  /** The paper has something else at this line now. */
  readonly isStale?: true;
}

export interface Retrieved {
  readonly key: string;
  readonly query: string;
  readonly lines: readonly RetrievedLine[];
  /** Results, not lines: one result may be on several lines. */
  readonly resultCount: number;
  readonly timestamp: number;
  readonly rev: number;
}

export interface KeptSummary {
  readonly key: string;
  readonly query: string;
  readonly timestamp: number;
  readonly resultCount: number;
}

export function keepSearch({ searches }: Paper, { key }: KeyParams): Kept | Fault {
  const kept = searches.keep(key);
  return isFault(kept) ? kept : { key, saved: true, totalSaved: searches.kept.size };
}

export function retrieveSearch(paper: Paper, { key }: KeyParams): Retrieved | Fault {
  const { searches } = paper;
  const saved = searches.kept.get(key);
  if (saved === undefined) return notFound(key, [...searches.kept.keys()]);
  const history = paper.history();
  if (isFault(history)) return history;
  const { query, result, timestamp } = saved;
  searches.current = { query, result };
  const lines = linesOf(result).map((line): RetrievedLine => {
    return isStillThere(history.text, line) ? line : { ...line, isStale: true };
  });
  return { key, query, lines, resultCount: result.length, timestamp, rev: history.revision };
}

export function getKeptSearches({ searches }: Paper): { searches: readonly KeptSummary[]; total: number } {
  const list = [...searches.kept].map(([key, { query, timestamp, result }]) => {
    return { key, query: cut(query, queryChars), timestamp, resultCount: result.length };
  });
  return { searches: list, total: list.length };
}

export function clearKeptSearch(
  { searches }: Paper,
  { key }: KeyParams,
): { deleted: boolean; remaining: number } {
  const deleted = searches.kept.delete(key);
  return { deleted, remaining: searches.kept.size };
}

export function clearAllKeptSearches({ searches }: Paper): { cleared: number } {
  const cleared = searches.kept.size;
  searches.kept.clear();
  searches.current = undefined;
  return { cleared };
}

function notFound(key: string, keys: readonly string[]): Fault {
  const there = keys.length === 0 ? "None is kept; search again." : `Kept are: ${keys.join(", ")}.`;
  return new Fault("no_match", `Search key '${key}' not found`, there);
}
