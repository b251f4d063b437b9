// Search over what the turn sees of documents that are not as they are on disk: staged, undecided or unsaved text.

import { type Fault, isFault } from "@stet/protocol/fault";
import { findMatches } from "@stet/text/find";
import { countLines, lineContent } from "@stet/text/lines";
import { compileGlob } from "@stet/workspace/search/glob";
import type { Turn } from "@stet/workspace/turns/turns";

export interface FoundPlace {
  readonly file_path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly snippet: string;
}

export interface StagedSearch {
  /** Paths whose text on disk is not what counts. */
  readonly paths: ReadonlySet<string>;
  readonly places: readonly FoundPlace[];
  readonly total: number;
}

/** Lines around a match, and lines of one place at most. */
export interface SnippetLimits {
  readonly context: number;
  readonly maxLines: number;
}

export function searchStaged(
  turn: Turn,
  query: string,
  glob: string | undefined,
  snippet: SnippetLimits,
): StagedSearch | Fault {
  const isWanted = glob === undefined ? () => true : compileGlob(glob);
  if (isFault(isWanted)) return isWanted;
  const paths = new Set<string>();
  const places: FoundPlace[] = [];
  let total = 0;
  for (const { path, history } of turn.unsaved()) {
    paths.add(path);
    if (!isWanted(path) || isHidden(path)) continue;
    const found = findMatches(history.text, query);
    if (isFault(found)) return found;
    total += found.total;
    const lines = [...new Set(found.matches.map((match) => match.line))];
    places.push(...placesOf(path, lines, history.text, snippet));
  }
  return { paths, places, total };
}

function placesOf(
  path: string,
  lines: readonly number[],
  text: Parameters<typeof countLines>[0],
  { context, maxLines }: SnippetLimits,
): FoundPlace[] {
  const total = countLines(text);
  const spans: { from: number; to: number }[] = [];
  for (const line of lines) {
    const from = Math.max(1, line - context);
    const to = Math.min(total, line + context);
    const last = spans.at(-1);
    const isNear = last !== undefined && from <= last.to + 1;
    if (isNear && to - last.from < maxLines) last.to = Math.max(last.to, to);
    else if (isNear) spans.push({ from: Math.max(from, last.to + 1), to });
    else spans.push({ from, to });
  }
  return spans.map(({ from, to }) => {
    const snippet: string[] = [];
    for (let line = from; line <= to; line += 1) snippet.push(lineContent(text, line - 1));
    return { file_path: path, start_line: from, end_line: to, snippet: snippet.join("\n") };
  });
}

/** A search of the disk leaves these out, too. */
function isHidden(path: string): boolean {
  return path.split("/").some((name) => name.startsWith("."));
}
