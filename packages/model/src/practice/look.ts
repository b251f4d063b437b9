// Requests that change nothing: list, outline, find.

import { pathsOf } from "./documents.ts";
import type { Request } from "./request.ts";
import type { RequestScope } from "./sentence.ts";
import { Obstacle, type Steps } from "./steps.ts";
import type { PracticeTools } from "./toolset.ts";
import { counted } from "./words.ts";

const maxRows = 100;

export function* listDocuments(toolset: PracticeTools, scope: RequestScope): Steps<string> {
  const prefix = scope.kind === "folder" ? scope.prefix : undefined;
  const files = yield* toolset.list(prefix);
  if (files instanceof Obstacle) return files.sentence;
  const where = prefix === undefined ? "here" : `in ${prefix}`;
  if (files.length === 0) return `There are no ${toolset.noun}s ${where}.`;
  const are = files.length === 1 ? "is" : "are";
  return `There ${are} ${counted(files.length, toolset.noun)} ${where}:\n${rowsOf(files)}`;
}

function rowsOf(items: readonly string[], most = maxRows): string {
  const rows = items.slice(0, most).map((item) => `- ${item}`);
  if (items.length > most) rows.push(`…and ${items.length - most} more.`);
  return rows.join("\n");
}

export function* outlineOf(toolset: PracticeTools, scope: RequestScope): Steps<string> {
  const paths = yield* pathsOf(toolset, scope, false);
  if (paths instanceof Obstacle) return paths.sentence;
  const reading = yield* toolset.read(paths[0] ?? "");
  if (reading instanceof Obstacle) return reading.sentence;
  const { path, lines } = reading;
  const size = `${counted(lines.length, "line")}, ${counted(wordsIn(lines), "word")}`;
  const headings = lines.flatMap((line, index) => {
    const [, marks = "", title = ""] = /^(#{1,6})[ \t]+(.+)$/.exec(line) ?? [];
    return marks === "" ? [] : [`${"  ".repeat(marks.length - 1)}- ${title} (line ${index + 1})`];
  });
  if (headings.length === 0) return `${path} has no headings (${size}).`;
  return `${path} (${size}):\n${headings.join("\n")}`;
}

function wordsIn(lines: readonly string[]): number {
  return lines.reduce((count, line) => count + (line.match(/\S+/g)?.length ?? 0), 0);
}

export function* findText(
  toolset: PracticeTools,
  { text, scope }: Request & { kind: "find" },
): Steps<string> {
  const { noun } = toolset;
  const isOne = scope.kind === "files" || toolset.front !== undefined;
  const paths = isOne ? yield* pathsOf(toolset, scope, false) : [];
  if (paths instanceof Obstacle) return paths.sentence;
  const path = scope.kind === "folder" ? `${scope.prefix}/**` : paths[0];
  const answer = yield* toolset.search(text, { path });
  if (answer instanceof Obstacle) return answer.sentence;
  const hits = answer.hits.filter((hit) => hit.text.toLowerCase().includes(text.toLowerCase()));
  if (hits.length === 0) return `I found no “${text}” in ${path ?? `any ${noun}`}.`;
  const where = noun === "paper" ? "the paper" : counted(new Set(hits.map((hit) => hit.path)).size, noun);
  const most = answer.isComplete ? "" : "at least ";
  const rows = hits.map((hit) => `${hit.path}:${hit.line}: ${hit.text.trim().slice(0, 120)}`);
  return `I found “${text}” in ${most}${counted(hits.length, "line")} of ${where}:\n${rowsOf(rows, 20)}`;
}
