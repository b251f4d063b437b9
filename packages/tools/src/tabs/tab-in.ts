// A tab as the turn sees it, and whether the model still means that state.

import { Fault, isFault } from "@stet/protocol/fault";
import { countLines } from "@stet/text/lines";
import type { TurnTab } from "@stet/workspace/tabs/tabs";
import * as z from "zod";
import { deniedReading } from "../permission/left-out.ts";
import type { SeenDocument } from "../sight/sight.ts";
import type { LineSpan } from "../sight/spans.ts";
import type { TabsContext } from "./tabs-context.ts";

export const tabId = z.string().optional().describe("The tab; the active one unless given");
export const version = z.string().describe("The version that the last read or edit of this tab returned");
export const dryRun = z.boolean().optional().describe("Only check, and tell what would happen");

/** A tab, under the name by which it is remembered what the model was shown of it. */
export type SeenTab = TurnTab & SeenDocument;

/** The tab, whose version the model is given with it. */
export function tabIn(context: TabsContext, id: string | undefined): SeenTab | Fault {
  const { workspace, turn, sight } = context;
  const tab = workspace.tabs.in(turn, id);
  if (isFault(tab)) return tab;
  const path = workspace.documents.row(tab.document)?.path ?? null;
  const denied = deniedReading(context.readEffect, path);
  if (denied !== undefined) return denied;
  const seen = { ...tab, path: path ?? `document ${tab.document}` };
  sight.issue(seen, versionName(tab, tab.info.version));
  return seen;
}

/** Two tabs of one document have versions of their own. */
export function versionName({ info }: TurnTab, version: string): string {
  return `${info.tab_id} ${version}`;
}

/** The tab, if it is still at the version that the model names. */
export function tabAt(context: TabsContext, id: string | undefined, named: string): SeenTab | Fault {
  const tab = tabIn(context, id);
  if (isFault(tab) || tab.info.version === named) return tab;
  return versionMismatch(tab, named);
}

export function versionMismatch({ info }: TurnTab, named: string, suggestion?: string): Fault {
  return new Fault(
    "version_mismatch",
    `${info.title} is not at version ${JSON.stringify(named)}: it changed since you read it, or the version is of another tab.`,
    suggestion ?? "Call read_document to get current content and version, then repeat the edit.",
    { your_version: named, current_version: info.version },
  );
}

/** A fault where lines, 0-based and inclusive, are not all in the document. */
export function checkLines({ history }: TurnTab, start: number, end: number): Fault | undefined {
  const total = countLines(history.text);
  return start >= 0 && start <= end && end < total ? undefined : outOfRange(start, end, total);
}

/** Spans of lines as a list. */
export function spanNames(spans: readonly LineSpan[]): string {
  return spans.map(({ start, end }) => (start === end ? `${start}` : `${start}-${end}`)).join(", ");
}

export function outOfRange(start: number, end: number, total: number): Fault {
  const range = `Line range ${start}-${end}`;
  const reason =
    start > end
      ? `${range} ends before it starts`
      : start < 0
        ? `${range} starts before line 0, the first`
        : total === 0
          ? `${range} does not exist: the document is empty`
          : `${range} exceeds document length of ${total} lines`;
  const hint =
    total === 0
      ? "Use insert_lines with after_line=-1 to give it content."
      : `Lines count from 0: use 0 to ${total - 1}.`;
  return new Fault("invalid_line_range", `${reason}.`, hint, {
    requested_start: start,
    requested_end: end,
    document_lines: total,
  });
}
