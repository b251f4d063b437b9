// Searches that are kept, for the model and for people.

import type { Executor } from "./executor.ts";
import { outcome } from "./executor.ts";
import type { KeyParams } from "./kept-handlers.ts";
import { linesOf } from "./paper-searches.ts";

type None = Readonly<Record<string, never>>;

/** Lines that the model is shown with their text. The rest is named by its numbers. */
const shownLines = 15;

export const executeKeepSearch: Executor<KeyParams> = async ({ paper, controller }, input, call) => {
  const key = input.key || "search";
  const result = await controller.execute("keep_search", { key }, call);
  if (!result.ok) return result.error;
  const { query = "", result: results = [] } = paper.searches.kept.get(key) ?? {};
  const lineCount = linesOf(results).length;
  return outcome(
    { success: true, key, query, totalSaved: result.output.totalSaved },
    { type: "search.kept", data: { key, query, lineCount } },
  );
};

export const executeRetrieveSearch: Executor<KeyParams> = async ({ paper, controller }, { key }, call) => {
  const result = await controller.execute("retrieve_search", { key }, call);
  if (!result.ok) return result.error;
  const { query, lines, resultCount, rev } = result.output;
  const shown = lines.slice(0, shownLines);
  const more = lines.slice(shownLines).map(({ line }) => line);
  const current = shown.filter(({ isStale }) => isStale !== true);
  paper.show(
    rev,
    current.map(({ line, content }) => ({ lineNumber: line, content })),
  );
  const isStale = lines.some((line) => line.isStale === true);
  return outcome(
    {
      success: true,
      key,
      query,
      resultCount,
      rev,
      lines: shown,
      ...(more.length > 0 ? { moreLines: more } : {}),
      ...(isStale ? { note: "The paper has changed at the stale lines: search again before you edit." } : {}),
    },
    { type: "search.retrieved", data: { key, query, lineCount: lines.length } },
  );
};

export const executeGetKeptSearches: Executor<None> = async ({ controller }, _, call) => {
  const result = await controller.execute("get_kept_searches", {}, call);
  return result.ok ? outcome({ success: true, ...result.output }) : result.error;
};

export const executeClearKeptSearch: Executor<KeyParams> = async ({ controller }, { key }, call) => {
  const result = await controller.execute("clear_kept_search", { key }, call);
  if (!result.ok) return result.error;
  const { deleted, remaining } = result.output;
  return outcome({ success: true, key, deleted, remaining }, { type: "search.cleared", data: { key } });
};

export const executeClearAllKeptSearches: Executor<None> = async ({ controller }, _, call) => {
  const result = await controller.execute("clear_all_kept_searches", {}, call);
  return result.ok ? outcome({ success: true, ...result.output }) : result.error;
};
