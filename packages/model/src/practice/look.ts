// Looking without changing: find, list, outline, count, summarise.

import { outlineOf } from "./headings.ts";
import { shortened } from "./line-skills.ts";
import { filesMatching } from "./replace.ts";
import type { Request } from "./request-lines.ts";
import { Obstacle, type Steps } from "./steps.ts";
import { summaryOf } from "./summary.ts";
import { type Desk, openFile, pathsOf } from "./target.ts";
import { counted, countIn, countWords, listed, type Wanted } from "./words.ts";

const maxShown = 20;

type FileRequest = Request & { readonly kind: "list" | "outline" | "summarise" | "show" };

export function* findText(desk: Desk, request: Request & { kind: "find" }): Steps<string> {
  const { query, scope } = request;
  const { noun } = desk.toolset;
  if (!desk.toolset.can("search"))
    return `The tool ${desk.toolset.tool("search")} is not offered here, so I cannot search.`;
  let only: string | undefined;
  if (scope.kind === "file") {
    const paths = yield* pathsOf(desk, scope, "shall I search", false);
    if (paths instanceof Obstacle) return paths.sentence;
    only = paths[0];
  }
  const glob = only ?? (scope.kind === "folder" ? `${scope.prefix}/**` : undefined);
  const forms = [...new Set([query, capitalised(query), query.toLowerCase()])];
  for (const form of forms) {
    const thought = form === query ? `I search for “${query}”.` : `Nothing; I try “${form}”.`;
    const answer = yield* desk.toolset.search(form, thought, glob);
    if (answer instanceof Obstacle) return answer.sentence;
    // A file name is also a glob, which may fit files of that name elsewhere.
    const hits = only === undefined ? answer.hits : answer.hits.filter((hit) => hit.path === only);
    const places = hits.flatMap((hit) =>
      linesOfHit(hit.snippet, hit.startLine, form).map((line) => ({ path: hit.path, ...line })),
    );
    if (places.length === 0) continue;
    const files = new Set(places.map(({ path }) => path));
    const shown = places
      .slice(0, maxShown)
      .map(
        ({ path, line, text }) =>
          `- ${noun === "paper" ? "line " : `${path}:`}${line}: ${shortened(text, 120)}`,
      );
    const most = answer.isComplete ? "" : "at least ";
    const rest = places.length > maxShown ? `\n…and ${places.length - maxShown} more.` : "";
    return `I found “${form}” in ${most}${counted(places.length, "line")} of ${noun === "paper" ? only : counted(files.size, noun)}:\n${shown.join("\n")}${rest}`;
  }
  return `I found no “${query}” in ${only ?? `any ${noun}`}.`;
}

function capitalised(text: string): string {
  return text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}

function linesOfHit(snippet: string, startLine: number, text: string): { line: number; text: string }[] {
  const lines = snippet.split("\n").map((line, index) => ({ line: startLine + index, text: line }));
  const fitting = lines.filter((line) => line.text.toLowerCase().includes(text.toLowerCase()));
  return fitting.length > 0 ? fitting : lines.slice(0, 1);
}

export function* listFiles(desk: Desk, request: FileRequest): Steps<string> {
  const { scope } = request;
  const prefix = scope.kind === "folder" ? scope.prefix : undefined;
  const { noun } = desk.toolset;
  const files = yield* desk.toolset.list(`I look which ${noun}s there are.`, prefix);
  if (files instanceof Obstacle) return files.sentence;
  const where = prefix === undefined ? "here" : `in ${prefix}`;
  if (files.length === 0) return `There are no ${noun}s ${where}.`;
  const most = 100;
  const rest = files.length > most ? `\n…and ${files.length - most} more.` : "";
  const list = files.slice(0, most).map((file) => `- ${file}`);
  return `There ${files.length === 1 ? "is" : "are"} ${counted(files.length, noun)} ${where}:\n${list.join("\n")}${rest}`;
}

export function* outlineFile(desk: Desk, request: FileRequest): Steps<string> {
  const reading = yield* openFile(desk, request.scope, "shall I outline");
  if (reading instanceof Obstacle) return reading.sentence;
  const entries = outlineOf(reading.path, reading.lines);
  const size = `${counted(reading.lines.length, "line")}, ${counted(countWords(reading.lines), "word")}`;
  if (entries.length === 0) return `${reading.path} has no headings (${size}).`;
  const top = Math.min(...entries.map(({ level }) => level));
  const list = entries.map(
    ({ line, level, title }) => `${"  ".repeat(level - top)}- ${title} (line ${line})`,
  );
  return `${reading.path} (${size}):\n${list.join("\n")}`;
}

export function* showFile(desk: Desk, request: FileRequest): Steps<string> {
  const reading = yield* openFile(desk, request.scope, "shall I show");
  if (reading instanceof Obstacle) return reading.sentence;
  const most = 60;
  const rest =
    reading.lines.length > most ? `\n…and ${counted(reading.lines.length - most, "more line")}.` : "";
  return `${reading.path} (${counted(reading.lines.length, "line")}):\n\n${reading.lines.slice(0, most).join("\n")}${rest}`;
}

export function* summariseFile(desk: Desk, request: FileRequest): Steps<string> {
  const reading = yield* openFile(desk, request.scope, "shall I summarise");
  if (reading instanceof Obstacle) return reading.sentence;
  const sentences = summaryOf(reading.lines);
  const words = counted(countWords(reading.lines), "word");
  if (sentences.length === 0) return `${reading.path} has no sentences that I could pick (${words}).`;
  return `I cannot write a summary of my own, but these sentences of ${reading.path} (${words}) carry most of it:\n${sentences.map((sentence) => `- ${sentence}`).join("\n")}`;
}

export function* count(desk: Desk, request: Request & { kind: "count" }): Steps<string> {
  const { what, scope } = request;
  if (typeof what !== "string")
    return yield* countText(desk, request, { text: what.text, isWholeWord: true, ignoresCase: false });
  const paths = yield* pathsOf(
    desk,
    what === "files" && scope.kind !== "folder" ? { kind: "all" } : scope,
    `shall I count the ${what} of`,
    true,
  );
  if (paths instanceof Obstacle) return paths.sentence;
  if (what === "files")
    return `There ${paths.length === 1 ? "is" : "are"} ${counted(paths.length, desk.toolset.noun)}${scope.kind === "folder" ? ` in ${scope.prefix}` : ""}.`;
  const measures = {
    words: countWords,
    lines: (lines: readonly string[]) => lines.length,
    characters: (lines: readonly string[]) => lines.reduce((sum, line) => sum + [...line].length, 0),
    headings: (lines: readonly string[], path: string) => outlineOf(path, lines).length,
  };
  const counts = yield* countEach(desk, paths, measures[what]);
  if (counts instanceof Obstacle) return counts.sentence;
  return sayCounts(desk, counts, what.slice(0, -1), "");
}

function* countText(desk: Desk, request: Request & { kind: "count" }, wanted: Wanted): Steps<string> {
  const { scope } = request;
  const isNamed = scope.kind === "file" || !desk.toolset.can("search");
  const folder = scope.kind === "folder" ? scope.prefix : undefined;
  const paths = isNamed
    ? yield* pathsOf(desk, scope, "shall I count in", true)
    : yield* filesMatching(desk, wanted, folder);
  if (paths instanceof Obstacle) return paths.sentence;
  const counts = yield* countEach(desk, paths, (lines) => countIn(lines.join("\n"), wanted));
  if (counts instanceof Obstacle) return counts.sentence;
  const found = counts.filter(({ amount }) => amount > 0);
  if (found.length === 0)
    return `“${wanted.text}” does not occur in ${isNamed ? listed(paths) : `any ${desk.toolset.noun}`}.`;
  return sayCounts(desk, found, "time", `“${wanted.text}” occurs `);
}

interface Amount {
  readonly path: string;
  readonly amount: number;
}

function* countEach(
  desk: Desk,
  paths: readonly string[],
  measure: (lines: readonly string[], path: string) => number,
): Steps<readonly Amount[] | Obstacle> {
  const counts: Amount[] = [];
  for (const path of paths) {
    const reading = yield* desk.toolset.read(path, `I read ${path} and count.`);
    if (reading instanceof Obstacle) {
      if (paths.length === 1 || reading.code === "not_offered" || desk.toolset.isStopped?.()) return reading;
      continue;
    }
    counts.push({ path: reading.path, amount: measure(reading.lines, reading.path) });
  }
  return counts;
}

function sayCounts(desk: Desk, counts: readonly Amount[], noun: string, lead: string): string {
  const total = counts.reduce((sum, { amount }) => sum + amount, 0);
  const [only] = counts;
  if (only !== undefined && counts.length === 1) {
    return lead === ""
      ? `${only.path} has ${counted(total, noun)}.`
      : `${lead}${counted(total, noun)} in ${only.path}.`;
  }
  const places = listed(
    counts.map(({ path, amount }) => `${path} (${amount.toLocaleString("en-US")})`),
    20,
  );
  const sum = `${counted(total, noun)} in ${counted(counts.length, desk.toolset.noun)}: ${places}.`;
  return lead === "" ? `There are ${sum}` : lead + sum;
}
