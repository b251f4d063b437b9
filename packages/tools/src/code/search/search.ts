// Search in the text of files, by regular expression or literally. Lines come with anchors, so that they can be edited
// without reading the file first.

import { defineTool, type ToolOutcome } from "@stet/agent/tool";
import { Fault, isFault } from "@stet/protocol/fault";
import { anchorAt, anchorLetters } from "@stet/text/anchors";
import { countLines, lineContent } from "@stet/text/lines";
import type { SearchResult } from "@stet/workspace/search/search-results";
import * as z from "zod";
import { inPaths, quoted } from "../../call-words.ts";
import { leftOut } from "../../permission/left-out.ts";
import { prompt } from "../../prompt.ts";
import type { CodeContext, CodeTool } from "../code-context.ts";
import type { OpenFile } from "../code-files.ts";
import { rootPath } from "../root-path.ts";
import { scopeFrom } from "./search-scope.ts";
import { searchUnsaved } from "./search-unsaved.ts";
import { tolerantRegex } from "./tolerant-pattern.ts";

/** Places on one page. */
const pageSize = 50;
const maxSkip = 450;
const maxContext = 10;
const maxLineLength = 500;
const timeoutMs = 30_000;

const schema = z.object({
  pattern: z.string().min(1).describe("regular expression, without look-around and backreferences"),
  paths: z
    .array(z.string().min(1))
    .optional()
    .describe('files, folders, globs: ["src/**/*.ts", "docs"]; all unless given'),
  literal: z.boolean().optional().describe("the pattern is plain text"),
  i: z.boolean().optional().describe("ignore case"),
  type: z
    .string()
    .regex(/^[a-z0-9+-]+$/i)
    .optional()
    .describe("a kind of file: ts, py, rust, md …"),
  context: z
    .number()
    .int()
    .min(0)
    .max(maxContext)
    .optional()
    .describe("lines around each match; 0 unless given"),
  multiline: z.boolean().optional().describe("let . match line ends"),
  skip: z.number().int().min(0).max(maxSkip).optional().describe("places to leave out, for the next page"),
});

type Request = z.infer<typeof schema>;

export const search: CodeTool = (context) =>
  defineTool({
    name: "search",
    description: prompt(import.meta.url, "search"),
    traits: ["reads"],
    words: ({ pattern, paths }) => `Search for ${quoted(pattern)}${inPaths(paths)}`,
    schema,
    authorise({ paths = ["."] }, call) {
      const targets = paths.map((path) => ({ kind: "path", path, access: "read" }) as const);
      return context.permit({ tool: "search", targets }, call);
    },
    async execute(request, { signal }): Promise<ToolOutcome | Fault> {
      const paths = request.paths ?? ["."];
      const scope = scopeFrom(context.workspace, paths);
      const named = paths.map((path) => rootPath(context.workspace, path));
      const left = leftOut(context.readEffect("search"), named);
      const isRegex = request.literal !== true;
      // In multiline mode the search itself escapes a plain text.
      const query = isRegex ? tolerantRegex(request.pattern) : request.pattern;
      const caseSensitive = request.i !== true;
      const unsaved = searchUnsaved(context.workspace, query, { isRegex, caseSensitive }, scope);
      if (isFault(unsaved)) return unsaved;
      const found = await context.workspace.search({
        query,
        isRegex,
        caseSensitive,
        prefixes: scope.prefixes,
        ...(scope.globs.length > 0 ? { walkGlobs: scope.globs } : {}),
        ...(request.type === undefined ? {} : { types: [request.type] }),
        hidden: true,
        isLeftOut: left.isLeftOut,
        multiline: request.multiline,
        contextLines: request.context ?? 0,
        limit: pageSize,
        skip: request.skip ?? 0,
        maxSnippetLines: 200,
        maxLineLength,
        timeoutMs,
        signal,
      });
      if (isFault(found)) return found.error === "file_not_found" ? missing(found) : found;
      const onDisk = found.results.filter(({ file_path }) => !unsaved.paths.has(file_path));
      const typed = unsaved.results.filter(({ file_path }) => !left.isLeftOut(file_path));
      const results = [...onDisk, ...(request.skip === undefined ? typed : [])];
      const unshown = unsaved.results.map(({ file_path }) => file_path).filter(left.isLeftOut);
      const note = left.note([...new Set([...found.leftOut, ...unshown])]);
      const outcome = answer(context, request, results, found.truncated, found.total);
      return note === undefined ? outcome : { ...outcome, content: `${outcome.content}\n\n${note}` };
    },
  });

function answer(
  context: CodeContext,
  { skip = 0 }: Request,
  results: readonly SearchResult[],
  isTruncated: boolean,
  total: number | null,
): ToolOutcome & { content: string } {
  const byFile = Map.groupBy(results, ({ file_path }) => file_path);
  const details = {
    matches: total,
    files: byFile.size,
    places: results.length,
    skip,
    truncated: isTruncated,
  };
  if (results.length === 0) {
    return {
      content: skip === 0 ? "No matches found" : `No matches after the first ${skip} places`,
      details,
    };
  }
  const parts = [...byFile].map(([path, places]) => {
    const file = show(context, path, places);
    return `${path}\n${places.map((place) => lines(context, file, place).join("\n")).join("\n…\n")}`;
  });
  const next = skip + pageSize;
  const more =
    next > maxSkip
      ? "Narrow the pattern or the paths."
      : `Use skip: ${next} for the next ones, or narrow the pattern or the paths.`;
  const count = total === null ? "There are more matches than are shown." : `${total} matches in all.`;
  const footer = isTruncated ? [`[${count} ${more}]`] : [];
  return { content: [...parts, ...footer].join("\n\n"), details };
}

/** Anchors and numbers refer to the file as it is known now. A file that cannot be edited is shown all the same. */
function show(
  { files, sight }: CodeContext,
  path: string,
  places: readonly SearchResult[],
): OpenFile | undefined {
  const file = files.open(path);
  if (isFault(file)) return undefined;
  const { history } = file;
  const total = countLines(history.text);
  for (const { start_line, snippet } of places) {
    for (const [index, shown] of snippet.split("\n").entries()) {
      const line = start_line + index;
      if (line > total) break;
      // A line that is cut was not shown whole, nor one that is another by now.
      if (lineContent(history.text, line - 1) === shown) sight.show(file, line, line);
      else if (shown.length >= maxLineLength) sight.show(file, line, line, false);
    }
  }
  return file;
}

function lines(
  { display }: CodeContext,
  file: OpenFile | undefined,
  { start_line, snippet, matches }: SearchResult,
): string[] {
  const matched = new Set(matches.map(({ line }) => line));
  return snippet.split("\n").map((text, index) => {
    const number = start_line + index;
    const mark = matched.has(number) ? "*" : " ";
    const letters = display === "anchors" && text.length < maxLineLength ? lettersOf(file, text, number) : "";
    return `${mark}${number}${letters}|${text}`;
  });
}

/** The anchor of the line in its file, where it stands there as it was found. */
function lettersOf(file: OpenFile | undefined, content: string, line: number): string {
  const text = file?.history.text;
  if (text === undefined || line > countLines(text) || lineContent(text, line - 1) !== content)
    return anchorLetters(content, line);
  return anchorAt(text, line).letters;
}

function missing({ message, details }: Fault): Fault {
  return new Fault(
    "file_not_found",
    message,
    "Look for the right name with find, or leave paths out.",
    details,
  );
}
