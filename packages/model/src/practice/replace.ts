// Replacing text: in every target document, with a report of what was counted.
//
// A search is only a way to the documents: what is replaced is decided on the lines that were read. Where a search reached its
// cap, every document is read.

import { changeDocument, type EditOutcome, type EditPlan } from "./change.ts";
import { choose, pathsOf } from "./documents.ts";
import type { ReplaceWish, RequestLanguage } from "./request.ts";
import { Obstacle, type Steps } from "./steps.ts";
import type { PracticeTools, RowEdit } from "./toolset.ts";
import { counted, countIn, listed, replaceIn, type SearchedText } from "./words.ts";

interface Report {
  /** Of the documents in which something was replaced. */
  readonly counts: readonly { readonly path: string; readonly count: number }[];
  readonly obstacles: readonly Obstacle[];
  readonly isCorrected: boolean;
}

export function* replaceText(toolset: PracticeTools, request: ReplaceWish): Steps<string> {
  const { from, to } = request;
  if (from === to || from.includes("\n"))
    return "I replace a text within lines by another one. Name two that differ, without a line break in the first.";
  const wanted: SearchedText = { text: from, ...request };
  const paths = yield* pathsWith(toolset, request, wanted);
  if (paths instanceof Obstacle) return paths.sentence;
  const report = yield* replaceInEach(toolset, paths, request, wanted);
  return answerOf(toolset, request, report);
}

/** The documents that hold the text, or all targets where a search cannot decide that. */
function* pathsWith(
  toolset: PracticeTools,
  { scope, language }: ReplaceWish,
  wanted: SearchedText,
): Steps<readonly string[] | Obstacle> {
  if (scope.kind === "files" || toolset.noun === "tab") return yield* pathsOf(toolset, scope, true);
  const path = scope.kind === "folder" ? `${scope.prefix}/**` : undefined;
  const found = yield* toolset.search(wanted.text, { path, ignoresCase: wanted.ignoresCase });
  if (found instanceof Obstacle) return found;
  const paths = [...new Set(found.hits.map((hit) => hit.path))];
  if (scope.kind !== "unsaid" || toolset.front !== undefined)
    return found.isComplete ? paths : yield* pathsOf(toolset, scope, true);
  if (paths.length < 2) return paths;
  const isVietnamese = language === "vi";
  const every = isVietnamese ? `tất cả ${paths.length} tệp` : `all ${paths.length} files`;
  const question = isVietnamese
    ? `“${wanted.text}” có trong ${paths.length} tệp. Đổi trong tệp nào?`
    : `“${wanted.text}” stands in ${paths.length} files. In which of them shall I change it?`;
  const chosen = yield* choose(toolset, question, [every, ...paths]);
  if (chosen instanceof Obstacle) return chosen;
  if (chosen !== every) return [chosen];
  return found.isComplete ? paths : yield* pathsOf(toolset, { kind: "all" }, true);
}

function* replaceInEach(
  toolset: PracticeTools,
  paths: readonly string[],
  request: ReplaceWish,
  wanted: SearchedText,
): Steps<Report> {
  const { from, to } = request;
  const counts: { path: string; count: number }[] = [];
  const obstacles: Obstacle[] = [];
  let isCorrected = false;
  const plan: EditPlan = {
    edits: (lines) => changedLines(lines, (line) => replaceIn(line, wanted, to)),
    reason: to === "" ? `Removes “${from}”` : `“${from}” becomes “${to}”`,
    isRepeatable: countIn(to, wanted) === 0,
  };
  for (const path of paths) {
    const own = toolset.replace?.(path, request);
    const result = own === undefined ? yield* changeDocument(toolset, path, plan) : yield* own;
    if (result instanceof Obstacle) obstacles.push(result);
    else if (typeof result === "number") counts.push({ path, count: result });
    else {
      counts.push({ path, count: placesOf(result, wanted) });
      isCorrected ||= result.isCorrected;
      if (result.obstacle !== undefined) obstacles.push(result.obstacle);
    }
    if (/^(?:stopped|not_offered)$/.test(obstacles.at(-1)?.code ?? "")) break;
  }
  return { counts: counts.filter(({ count }) => count > 0), obstacles, isCorrected };
}

/** One replacement for each run of neighbouring lines that `change` changes. */
function changedLines(lines: readonly string[], change: (line: string) => string): RowEdit[] {
  const edits: { first: number; last: number; lines: string[] }[] = [];
  for (const [index, line] of lines.entries()) {
    const fresh = change(line);
    if (fresh === line) continue;
    const run = edits.at(-1);
    if (run?.last === index) {
      run.last = index + 1;
      run.lines.push(fresh);
    } else edits.push({ first: index + 1, last: index + 1, lines: [fresh] });
  }
  return edits;
}

function placesOf({ before, edits }: EditOutcome, wanted: SearchedText): number {
  const lines = edits.flatMap(({ first, last }) => before.slice(first - 1, last));
  return lines.reduce((sum, line) => sum + countIn(line, wanted), 0);
}

/** What is said of a replacement, by language. `what` and `where` are in the same language. */
const sayings = {
  en: {
    removed: (from: string) => `removed “${from}”`,
    replaced: (from: string, to: string) => `replaced “${from}” with “${to}”`,
    nouns: { file: "file", tab: "tab", paper: "the paper" },
    done: (what: string, total: number, where: string) => `I ${what} ${counted(total, "time")} in ${where}.`,
    in: (count: number, noun: string) => counted(count, noun),
    and: "and",
    corrected: "A file had changed meanwhile, so I read it again and repeated the edit.",
    nothing: (from: string) =>
      `I found no “${from}” as a word of its own, so I changed nothing. Say “inside words” if you mean parts of words.`,
    partly: "Not everything went through",
  },
  vi: {
    removed: (from: string) => `xóa “${from}”`,
    replaced: (from: string, to: string) => `đổi “${from}” thành “${to}”`,
    nouns: { file: "tệp", tab: "tab", paper: "bài viết" },
    done: (what: string, total: number, where: string) => `Đã ${what}: ${total} chỗ trong ${where}.`,
    in: (count: number, noun: string) => `${count} ${noun}`,
    and: "và",
    corrected: "Một tệp đã thay đổi, nên tôi đọc lại và sửa lại.",
    nothing: (from: string) => `Tôi không tìm thấy “${from}” như một từ riêng, nên không đổi gì.`,
    partly: "Chưa làm được hết",
  },
} as const satisfies Record<RequestLanguage, unknown>;

function answerOf(
  { noun }: PracticeTools,
  { from, to, language }: ReplaceWish,
  { counts, obstacles, isCorrected }: Report,
): string {
  const say = sayings[language];
  const said: string[] = [];
  if (counts.length > 0) {
    const each = counts.map(({ path, count }) => `${path} (${count})`);
    const named = say.nouns[noun];
    const where = noun === "paper" ? named : `${say.in(counts.length, named)}: ${listed(each, say.and)}`;
    const what = to === "" ? say.removed(from) : say.replaced(from, to);
    const total = counts.reduce((sum, { count }) => sum + count, 0);
    said.push(say.done(what, total, where));
    if (isCorrected) said.push(say.corrected);
  } else if (obstacles.length === 0) said.push(say.nothing(from));
  const sentences = [...new Set(obstacles.map(({ sentence }) => sentence))].slice(0, 3);
  if (sentences.length > 0) said.push(`${say.partly}: ${sentences.join(" ")}`);
  return said.join(" ");
}
