// The tool ast_grep: code by its structure. Matches are ordered by path and place, and come in pages of 50.

import type { Text } from "@codemirror/state";
import { defineTool, type ToolOutcome } from "@stet/agent/tool";
import { cutText } from "@stet/protocol/cut-text";
import { Fault, isFault } from "@stet/protocol/fault";
import * as z from "zod";
import { inPaths, quoted } from "../../call-words.ts";
import { prompt } from "../../prompt.ts";
import type { CodeContext, CodeTool } from "../code-context.ts";
import { shownLine } from "../display.ts";
import { type Language, loadParser, type Node } from "./languages.ts";
import type { ParseIssues } from "./parse-issues.ts";
import { type CompiledPattern, captured, compilePattern, mayMatch } from "./patterns.ts";
import { Pace, parsableText, permitSources, type SourceFile, sourceFiles } from "./source-files.ts";

const schema = z.object({
  pat: z.string().describe("One pattern, such as console.log($$$ARGS)"),
  paths: z.array(z.string()).min(1).describe("Files, folders or globs"),
  skip: z.number().optional().describe("Matches to pass over"),
});

export const maxMatches = 50;
const maxMatchLines = 30;
const maxMetaLength = 200;

interface Match {
  readonly path: string;
  readonly text: Text;
  /** Counted lines, from 1. */
  readonly from: number;
  readonly to: number;
  readonly meta: readonly string[];
}

interface Search {
  readonly matches: readonly Match[];
  readonly isMore: boolean;
  readonly filesSearched: number;
}

export const astGrep: CodeTool = (context) =>
  defineTool({
    name: "ast_grep",
    description: prompt(import.meta.url, "ast-grep"),
    traits: ["reads"],
    words: ({ pat, paths }) => `Search the structure for ${quoted(pat)}${inPaths(paths)}`,
    schema,
    authorise: ({ paths }, call) => permitSources(context, "ast_grep", paths, call),
    async execute({ pat, paths, skip = 0 }, call) {
      const pattern = pat.trim();
      const offset = Math.floor(skip);
      const refused = refusedRequest(pattern, offset);
      if (refused !== undefined) return refused;
      const sources = await sourceFiles(context, paths, call.signal);
      if (isFault(sources)) return sources;
      const { issues } = sources;
      const patterns = await compileAll(pattern, sources.files, issues);
      if (isFault(patterns)) return patterns;
      const pace = new Pace(call);
      const search = await searchAll(context, sources.files, patterns, offset, issues, pace);
      if (isFault(search)) return search;
      if (search.matches.length === 0 && offset === 0) {
        for (const [language, { isBroken }] of patterns) if (isBroken) issues.addBroken(pattern, language);
      }
      return answer(context, search, issues, sources.isSingle, offset);
    },
  });

function refusedRequest(pattern: string, skip: number): Fault | undefined {
  if (pattern === "") {
    return new Fault("invalid_arguments", "pat is empty.", "Give a pattern, such as console.log($$$ARGS).");
  }
  if (Number.isFinite(skip) && skip >= 0) return undefined;
  return new Fault(
    "invalid_arguments",
    "skip must be 0 or more.",
    "Leave skip out to begin with the first match.",
  );
}

/** For each language among the files; refused where it is a pattern in none of them. */
export async function compileAll(
  pattern: string,
  files: readonly SourceFile[],
  issues: ParseIssues,
): Promise<Map<Language, CompiledPattern> | Fault> {
  const parser = await loadParser();
  const compiled = new Map<Language, CompiledPattern>();
  const problems: string[] = [];
  for (const language of new Set(files.map((file) => file.language))) {
    const result = parser.has(language)
      ? compilePattern(parser, language, pattern)
      : "there is no parser for this machine";
    if (typeof result === "string") problems.push(`${language}: ${result}`);
    else compiled.set(language, result);
  }
  if (compiled.size === 0) {
    return new Fault(
      "invalid_arguments",
      `${JSON.stringify(pattern)} is not a pattern: ${problems.join("; ")}`,
      "A pattern is one whole piece of code: an expression, a statement or a declaration. Use $NAME and $$$NAME for what varies.",
      { pattern, problems },
    );
  }
  for (const problem of problems) issues.add("pattern", problem);
  return compiled;
}

async function searchAll(
  context: CodeContext,
  files: readonly SourceFile[],
  patterns: ReadonlyMap<Language, CompiledPattern>,
  skip: number,
  issues: ParseIssues,
  pace: Pace,
): Promise<Search | Fault> {
  const parser = await loadParser();
  const matches: Match[] = [];
  let passed = 0;
  let filesSearched = 0;
  for (const { path, language } of files) {
    const stopped = await pace.step(() => `${filesSearched} of ${files.length} files, ${passed} matches`);
    if (stopped !== undefined) return stopped;
    const pattern = patterns.get(language);
    if (pattern === undefined) continue;
    filesSearched += 1;
    const text = parsableText(context, path, issues);
    const source = text?.toString() ?? "";
    if (text === undefined || !mayMatch(pattern, source)) continue;
    const root = parser.parse(language, source);
    if (root.has({ rule: { kind: "ERROR" } }))
      issues.add(path, "has syntax errors; matches may be missing there");
    for (const node of root.findAll({ rule: pattern.rule })) {
      passed += 1;
      if (passed <= skip) continue;
      if (matches.length === maxMatches) return { matches, isMore: true, filesSearched };
      matches.push(matchOf(path, text, source, node, pattern));
    }
  }
  return { matches, isMore: false, filesSearched };
}

function matchOf(path: string, text: Text, source: string, node: Node, pattern: CompiledPattern): Match {
  const { start, end } = node.range();
  const meta = pattern.captures.flatMap((capture) => {
    const place = captured(node, capture);
    if (place === undefined) return [];
    const value = source.slice(place.start, place.end).replace(/\s+/g, " ").trim();
    return [`${capture.name}=${cutText(value, maxMetaLength)}`];
  });
  // A node that ends with a line break ends on the line that it breaks.
  const last = end.column === 0 && end.line > start.line ? end.line : end.line + 1;
  return { path, text, from: start.line + 1, to: last, meta };
}

function answer(
  context: CodeContext,
  { matches, isMore, filesSearched }: Search,
  issues: ParseIssues,
  isSingle: boolean,
  skip: number,
): ToolOutcome {
  const byFile = Map.groupBy(matches, ({ path }) => path);
  const details = {
    matchCount: matches.length,
    fileCount: byFile.size,
    filesSearched,
    limitReached: isMore,
    ...(issues.list.length > 0 && { parseErrors: issues.list }),
    files: [...byFile].map(([path, found]) => ({ path, matches: found.length })),
  };
  if (matches.length === 0) {
    const none = skip > 0 ? `No matches after the first ${skip}` : "No matches found";
    const doubt = ". Parse issues mean the query may be mis-scoped; narrow paths before concluding absence.";
    return { content: issues.list.length > 0 ? `${none}${doubt}\n${issues.report()}` : none, details };
  }
  const parts = [...byFile].map(([path, found]) => {
    show(context, path, found);
    const lines = found.flatMap((match) => shownMatch(context, match));
    return (isSingle ? lines : [path, ...lines]).join("\n");
  });
  if (isMore) parts.push(`Result limit reached; narrow paths or use skip: ${skip + maxMatches}.`);
  if (issues.list.length > 0) parts.push(issues.report());
  return { content: parts.join("\n\n"), details };
}

function shownMatch({ display }: CodeContext, { text, from, to, meta }: Match): string[] {
  const end = Math.min(to, from + maxMatchLines - 1);
  const lines = [`*${shownLine(display, text, from)}`];
  for (let line = from + 1; line <= end; line += 1) lines.push(` ${shownLine(display, text, line)}`);
  if (to > end) lines.push(` [${to - end} more lines of this match]`);
  for (const value of meta) lines.push(`meta: ${value}`);
  return lines;
}

/** Only what is shown becomes a document, so that its anchors can be edited. */
function show({ files, sight }: CodeContext, path: string, matches: readonly Match[]): void {
  const file = files.open(path);
  if (isFault(file)) return;
  for (const { text, from, to } of matches) {
    if (!file.history.text.eq(text)) return;
    sight.show(file, from, Math.min(to, from + maxMatchLines - 1));
  }
}
