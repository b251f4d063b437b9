// Text that is in memory, with the limits, ranges and notes of every read. It cannot be edited, so it has no anchors.

import type { ToolOutcome } from "@stet/agent/tool";
import { linesOf } from "@stet/text/lines";
import type { CodeContext } from "../code-context.ts";
import { behindEnd, type LineSource, type Page, pageNotes, pageOf } from "./page.ts";
import type { LineRange } from "./selector.ts";

export interface PagedTextOptions {
  readonly selector: LineRange | undefined;
  readonly isRaw: boolean;
  /** What to read to see more, without a selector: a path or an address. */
  readonly source: string;
  /** Lines at most, unless a range asks for more. Default: the setting's. */
  readonly limit?: number | undefined;
  /** What stands before a line's bar. Default: its number. */
  readonly prefix?: (line: number) => string;
}

export interface PagedDetails {
  readonly source: string;
  /** The lines that were shown, 1-based and inclusive. */
  readonly from: number;
  readonly to: number;
  readonly totalLines: number;
  readonly nextLine: number | undefined;
}

export interface PagedOutcome extends ToolOutcome {
  readonly content: string;
  readonly details: PagedDetails;
}

export function pagedText(
  context: Pick<CodeContext, "settings">,
  text: string,
  options: PagedTextOptions,
): PagedOutcome {
  const lines = linesOf(text);
  return pagedLines(context, { total: lines.length, content: (line) => lines[line - 1] ?? "" }, options);
}

/** The same for lines that need not all be in memory. */
export function pagedLines(
  context: Pick<CodeContext, "settings">,
  lines: LineSource,
  options: PagedTextOptions,
): PagedOutcome {
  return pageIn(context, lines, options).outcome;
}

/** The answer, and the page that it shows; undefined where the range is behind the end. */
export function pageIn(
  { settings }: Pick<CodeContext, "settings">,
  lines: LineSource,
  { selector, isRaw, source, limit = settings.readLimit, prefix = String }: PagedTextOptions,
): { readonly outcome: PagedOutcome; readonly page: Page | undefined } {
  const { total } = lines;
  const from = selector?.from ?? 1;
  if (from > Math.max(1, total)) {
    const details = { source, from, to: from - 1, totalLines: total, nextLine: undefined };
    return { outcome: { content: behindEnd(source, from, total), details }, page: undefined };
  }
  const page = pageOf(lines, { selector, isRaw, limit });
  const shown = page.lines.map(({ line, content }) => (isRaw ? content : `${prefix(line)}|${content}`));
  const content = total === 0 ? `(${source} is empty)` : [...shown, ...pageNotes(page, source)].join("\n");
  const details = {
    source,
    from: page.lines[0]?.line ?? 1,
    to: page.lines.at(-1)?.line ?? 0,
    totalLines: total,
    nextLine: page.next,
  };
  return { outcome: { content, details }, page };
}
