// What rewrite rules make of a set of files. Nothing is changed here: the same call finds it for a preview and, once more,
// when the preview is applied.
//
// All files are in one language. Files with syntax errors are left out, and told. Matches that overlap are refused as a
// whole, because either could be meant; so is a result that is not written as its language wants.

import { hash } from "node:crypto";
import type { Text } from "@codemirror/state";
import { Fault, isFault } from "@stet/protocol/fault";
import type { CodeContext } from "../code-context.ts";
import { compileAll } from "./ast-grep.ts";
import { type Language, loadParser, type Node } from "./languages.ts";
import type { ParseIssues } from "./parse-issues.ts";
import { type CompiledPattern, mayMatch } from "./patterns.ts";
import { Pace, parsableText, type SourceFile, sourceFiles } from "./source-files.ts";
import { codeProblem } from "./syntax.ts";
import { compileTemplate, fillTemplate, type Template } from "./template.ts";

export interface RewriteRule {
  readonly pat: string;
  readonly out: string;
}

/** Characters `[start, end)` of the text before. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly insert: string;
}

export interface RewrittenFile {
  readonly path: string;
  readonly text: Text;
  readonly replacements: readonly Replacement[];
  readonly after: string;
  /** Tells whether both the text and what it becomes are the same as another time. */
  readonly identity: string;
}

export interface Rewrites {
  readonly files: readonly RewrittenFile[];
  readonly filesSearched: number;
  readonly limitReached: boolean;
  readonly isSingle: boolean;
  readonly issues: ParseIssues;
}

/** How many files one rewrite may touch. */
export const maxRewrittenFiles = 1000;

interface CompiledRule {
  readonly pat: string;
  readonly pattern: CompiledPattern;
  readonly template: Template;
}

export async function findRewrites(
  context: CodeContext,
  rules: readonly RewriteRule[],
  paths: readonly string[],
  call: ConstructorParameters<typeof Pace>[0],
): Promise<Rewrites | Fault> {
  const sources = await sourceFiles(context, paths, call.signal);
  if (isFault(sources)) return sources;
  const language = oneLanguage(sources.files);
  if (isFault(language)) return language;
  const { issues } = sources;
  const compiled = await compileRules(rules, sources.files, language, issues);
  if (isFault(compiled)) return compiled;
  const pace = new Pace(call);
  const files: RewrittenFile[] = [];
  let filesSearched = 0;
  for (const { path } of compiled.length === 0 ? [] : sources.files) {
    const stopped = await pace.step(() => `${filesSearched} of ${sources.files.length} files`);
    if (stopped !== undefined) return stopped;
    filesSearched += 1;
    const file = await rewrite(context, path, language, compiled, issues);
    if (isFault(file)) return file;
    if (file === undefined) continue;
    if (files.length === maxRewrittenFiles) {
      return { files, filesSearched, limitReached: true, isSingle: sources.isSingle, issues };
    }
    files.push(file);
  }
  if (files.length === 0) {
    for (const { pat, pattern } of compiled) if (pattern.isBroken) issues.addBroken(pat, language);
  }
  return { files, filesSearched, limitReached: false, isSingle: sources.isSingle, issues };
}

function oneLanguage(files: readonly SourceFile[]): Language | Fault {
  const counts = new Map<Language, number>();
  for (const { language } of files) counts.set(language, (counts.get(language) ?? 0) + 1);
  const [only] = counts.keys();
  if (counts.size === 1 && only !== undefined) return only;
  const listed = [...counts].map(([language, count]) => `${language} (${count})`).join(", ");
  return new Fault(
    "invalid_arguments",
    `The paths have files in several languages: ${listed}. A rewrite is for one.`,
    'Narrow the paths with a glob, such as "src/**/*.ts".',
    { languages: Object.fromEntries(counts) },
  );
}

/** In the order of their patterns, so that the same rules always do the same. */
async function compileRules(
  rules: readonly RewriteRule[],
  files: readonly SourceFile[],
  language: Language,
  issues: ParseIssues,
): Promise<CompiledRule[] | Fault> {
  const compiled: CompiledRule[] = [];
  for (const { pat, out } of rules.toSorted((one, other) => (one.pat < other.pat ? -1 : 1))) {
    const template = compileTemplate(pat, out);
    if (isFault(template)) return template;
    const patterns = await compileAll(pat, files, issues);
    const pattern = isFault(patterns) ? undefined : patterns.get(language);
    if (isFault(patterns)) issues.add("pattern", patterns.message);
    if (pattern !== undefined) compiled.push({ pat, pattern, template });
  }
  return compiled;
}

async function rewrite(
  context: CodeContext,
  path: string,
  language: Language,
  rules: readonly CompiledRule[],
  issues: ParseIssues,
): Promise<RewrittenFile | Fault | undefined> {
  const text = parsableText(context, path, issues);
  if (text === undefined) return undefined;
  const source = text.toString();
  const possible = rules.filter(({ pattern }) => mayMatch(pattern, source));
  if (possible.length === 0) return undefined;
  const root = (await loadParser()).parse(language, source);
  const replacements = replacementsIn(root, source, language, possible);
  if (replacements.length === 0) return undefined;
  if (root.has({ rule: { kind: "ERROR" } })) {
    issues.add(path, "has syntax errors, and was left out");
    return undefined;
  }
  const overlap = overlapIn(replacements);
  if (overlap !== undefined) return overlapFault(path, text, overlap);
  const after = applied(source, replacements);
  const problem = await codeProblem(language, after);
  if (problem !== undefined) {
    return new Fault(
      "invalid_arguments",
      `The rewrite would break ${path}: ${problem.message} at line ${problem.line} of the result. Nothing was changed.`,
      "Correct out, so that it is whole code in the place of every match.",
      { path, line: problem.line, column: problem.column },
    );
  }
  const identity = `${hash("sha256", source)} ${hash("sha256", after)}`;
  return { path, text, replacements, after, identity };
}

function replacementsIn(
  root: Node,
  source: string,
  language: Language,
  rules: readonly CompiledRule[],
): Replacement[] {
  const found: Replacement[] = [];
  for (const { pattern, template } of rules) {
    for (const match of root.findAll({ rule: pattern.rule })) {
      const { start, end } = match.range();
      const insert = fillTemplate(template, match, source, language);
      if (insert !== source.slice(start.index, end.index)) {
        found.push(withoutEmptyLine(source, { start: start.index, end: end.index, insert }));
      }
    }
  }
  return found.sort((one, other) => one.start - other.start || one.end - other.end);
}

/** A match that is taken away takes its lines along where nothing else is on them. */
function withoutEmptyLine(source: string, replacement: Replacement): Replacement {
  const { start, end, insert } = replacement;
  if (insert !== "") return replacement;
  const lineStart = source.lastIndexOf("\n", start - 1) + 1;
  const next = source.indexOf("\n", end);
  const lineEnd = next < 0 ? source.length : next;
  const isAlone = source.slice(lineStart, start).trim() === "" && source.slice(end, lineEnd).trim() === "";
  if (!isAlone) return replacement;
  if (next >= 0) return { start: lineStart, end: next + 1, insert };
  return { start: Math.max(0, lineStart - 1), end: lineEnd, insert };
}

function overlapIn(replacements: readonly Replacement[]): Replacement | undefined {
  let end = -1;
  for (const replacement of replacements) {
    if (replacement.start < end) return replacement;
    end = Math.max(end, replacement.end);
  }
  return undefined;
}

function overlapFault(path: string, text: Text, { start }: Replacement): Fault {
  const line = text.lineAt(start).number;
  return new Fault(
    "invalid_arguments",
    `Overlapping replacements detected; refine pattern to avoid ambiguous edits (${path}, line ${line}).`,
    "Make the patterns so narrow that no match lies within another, or rewrite in two calls.",
    { path, line },
  );
}

function applied(source: string, replacements: readonly Replacement[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, insert } of replacements) {
    parts.push(source.slice(at, start), insert);
    at = end;
  }
  parts.push(source.slice(at));
  return parts.join("");
}
