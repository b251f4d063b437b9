// Search in what the person has typed and not saved: there the disk does not tell.

import type { Text } from "@codemirror/state";
import { type Fault, isFault } from "@stet/protocol/fault";
import { type FindOptions, findMatches } from "@stet/text/find";
import { lineContent } from "@stet/text/lines";
import { compileGlob } from "@stet/workspace/search/glob";
import type { SearchResult } from "@stet/workspace/search/search-results";
import type { Workspace } from "@stet/workspace/workspace";
import { allowedTime, guarded } from "../../regex-guard.ts";
import type { SearchScope } from "./search-scope.ts";

export interface UnsavedSearch {
  /** Paths whose text on disk is not what counts. */
  readonly paths: ReadonlySet<string>;
  readonly results: readonly SearchResult[];
}

const maxResults = 50;

export function searchUnsaved(
  workspace: Workspace,
  query: string,
  options: FindOptions,
  { prefixes, globs }: SearchScope,
): UnsavedSearch | Fault {
  const paths = new Set<string>();
  const results: SearchResult[] = [];
  for (const { path, text } of unsavedTexts(workspace)) {
    paths.add(path);
    const isInside = prefixes.some(
      (prefix) => prefix === "" || path === prefix || path.startsWith(`${prefix}/`),
    );
    if (!isInside || !fitsOne(globs, path)) continue;
    const found = guarded(query, allowedTime(text.length), () => findMatches(text, query, options));
    if (isFault(found)) return found;
    for (const line of new Set(found.matches.map((match) => match.line))) {
      if (results.length < maxResults) results.push(resultAt(path, text, line));
    }
  }
  return { paths, results };
}

/** An agent's own edits are on disk at once, so this is what the person typed. */
function unsavedTexts({ documents }: Workspace): { path: string; text: Text }[] {
  return documents.unsavedIds().flatMap((id) => {
    const path = documents.row(id)?.path;
    const state = documents.state(id);
    if (path === null || path === undefined || isFault(state)) return [];
    return [{ path, text: state.pending.current }];
  });
}

function fitsOne(globs: readonly string[], path: string): boolean {
  if (globs.length === 0) return true;
  return globs.some((glob) => {
    const isWanted = compileGlob(glob);
    return !isFault(isWanted) && isWanted(path);
  });
}

function resultAt(path: string, text: Text, line: number): SearchResult {
  const snippet = lineContent(text, line - 1);
  return {
    file_path: path,
    start_line: line,
    end_line: line,
    snippet,
    matches: [{ line, column: 1, length: 0 }],
  };
}
