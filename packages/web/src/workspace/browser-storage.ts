// What the browser keeps for a page, as JSON: for this tab of it, or for all. A browser that lets pages keep nothing, or whose
// space is used up, forgets.

import { isRecord, type JsonRecord } from "@stet/protocol/json-record";

export type Keeper = "localStorage" | "sessionStorage";

export function keep(keeper: Keeper, key: string, value: unknown): void {
  try {
    globalThis[keeper]?.setItem(key, JSON.stringify(value));
  } catch {
    // What is not kept is as it was at the start.
  }
}

/** Undefined where nothing was kept. It may be from another version of the page. */
function kept(keeper: Keeper, key: string): unknown {
  try {
    return JSON.parse(globalThis[keeper]?.getItem(key) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

export function keptTexts(keeper: Keeper, key: string): string[] | undefined {
  const list = kept(keeper, key);
  return Array.isArray(list) ? list.filter((one) => typeof one === "string") : undefined;
}

export function keptRecord(keeper: Keeper, key: string): JsonRecord {
  const record = kept(keeper, key);
  return isRecord(record) ? record : {};
}
