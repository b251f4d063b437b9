// Replacing text: find the files that hold it, read each, edit every line that holds it, search again.
//
// A search is only a way to the files: what is replaced is decided on the lines that were read. A search that reached its
// cap is narrowed to one file at a time, so that no file is forgotten.

import { type Applied, applyEdits, replacementsOf } from "./edits.ts";
import { answerOf, type Replacement } from "./replace-answer.ts";
import type { Request } from "./request-lines.ts";
import { Obstacle, type Steps } from "./steps.ts";
import { choose, type Desk, filesNamed, pathsOf } from "./target.ts";
import type { Hit } from "./toolset.ts";
import { countIn, replaceIn, type Wanted } from "./words.ts";

export type ReplaceRequest = Request & { readonly kind: "replace" };

export function* replaceText(desk: Desk, asked: ReplaceRequest): Steps<string> {
  const request = yield* settled(desk, asked);
  if (request instanceof Obstacle) return request.sentence;
  const refusal = refusalOf(request);
  if (refusal !== undefined) return refusal;
  const { from, to } = request;
  const wanted: Wanted = { text: from, isWholeWord: request.isWholeWord, ignoresCase: request.ignoresCase };
  const files = yield* filesWith(desk, request, wanted);
  if (files instanceof Obstacle) return files.sentence;
  const done: Replacement[] = [];
  const obstacles: Obstacle[] = [];
  let isInsideOnly = false;
  for (const path of files) {
    const reading = yield* desk.toolset.read(path, `I read ${path} to see the exact lines.`);
    if (reading instanceof Obstacle) {
      obstacles.push(reading);
      if (desk.toolset.isStopped?.()) break;
      continue;
    }
    const count = countIn(reading.lines.join("\n"), wanted);
    if (count === 0) {
      isInsideOnly ||= reading.lines.some((line) => line.includes(from));
      continue;
    }
    const reason = to === "" ? `Removes “${from}”` : `“${from}” becomes “${to}”`;
    const change = (line: string) => replaceIn(line, wanted, to);
    const applied = yield* applyEdits(
      desk.toolset,
      reading,
      (lines) => replacementsOf(lines, change),
      reason,
    );
    done.push(replacementOf(path, applied, count, wanted, reading.lines));
    if (applied.obstacle !== undefined) obstacles.push(applied.obstacle);
    if (applied.obstacle?.code === "not_offered" || desk.toolset.isStopped?.()) break;
  }
  const left = yield* leftOver(desk, done, wanted, to);
  return answerOf({ noun: desk.toolset.noun, request, done, obstacles, left, isInsideOnly });
}

/** Why a replacement cannot be made anywhere. */
export function refusalOf({ from, to }: ReplaceRequest): string | undefined {
  if (from === to) return `“${from}” and “${to}” are the same, so there is nothing to change.`;
  if (!from.includes("\n")) return undefined;
  return "I replace text within lines only. Name a text without a line break, or the lines to delete and insert.";
}

function replacementOf(
  path: string,
  applied: Applied,
  count: number,
  wanted: Wanted,
  before: readonly string[],
): Replacement {
  const lines = applied.edits.reduce(
    (sum, edit) => sum + (edit.operation === "replace" ? edit.last - edit.first + 1 : 0),
    0,
  );
  const isWhole = applied.obstacle === undefined && !applied.isCorrected;
  let made = count;
  if (!isWhole) {
    made = 0;
    for (const edit of applied.edits) {
      if (edit.operation === "replace")
        made += countIn(before.slice(edit.first - 1, edit.last).join("\n"), wanted);
    }
  }
  return { path, count: Math.max(made, lines), lines, isCorrected: applied.isCorrected };
}

/** A guess at a file name is settled by the list of files. */
export function* settled(desk: Desk, asked: ReplaceRequest): Steps<ReplaceRequest | Obstacle> {
  const { guess, ...request } = asked;
  if (guess === undefined || !desk.toolset.can("list")) return request;
  const files = yield* desk.toolset.list("The last words may name a file, so I look which files there are.");
  if (files instanceof Obstacle) return files;
  const { to, name } = guess;
  if (filesNamed(files, name).length === 0) return request;
  return { ...request, to, scope: { kind: "file", name }, isPlaced: true };
}

function* filesWith(
  desk: Desk,
  request: ReplaceRequest,
  wanted: Wanted,
): Steps<readonly string[] | Obstacle> {
  const { toolset } = desk;
  const { scope } = request;
  if (scope.kind === "file" || scope.kind === "files" || !toolset.can("search")) {
    return yield* pathsOf(desk, scope, `shall I change “${wanted.text}” in`, true);
  }
  const found = yield* filesMatching(desk, wanted, scope.kind === "folder" ? scope.prefix : undefined);
  if (found instanceof Obstacle || scope.kind !== "unsaid" || found.length < 2) return found;
  const everyFile = `all ${found.length} files`;
  const inEnglish = `“${wanted.text}” stands in ${found.length} files. In which of them shall I change it?`;
  const inVietnamese = `“${wanted.text}” có trong ${found.length} tệp. Đổi trong tệp nào?`;
  const question = request.language === "vi" ? inVietnamese : inEnglish;
  const chosen = yield* choose(desk, question, [everyFile, ...found]);
  if (chosen instanceof Obstacle) return chosen;
  return chosen === everyFile ? found : [chosen];
}

/** Every file that holds a text, in the order in which they were found; or those that hold it inside words only. */
export function* filesMatching(
  desk: Desk,
  wanted: Wanted,
  folder?: string,
): Steps<readonly string[] | Obstacle> {
  const { toolset } = desk;
  const { text } = wanted;
  const glob = folder === undefined ? undefined : `${folder}/**`;
  const answer = yield* toolset.search(text, `I search for “${text}”.`, glob, wanted.ignoresCase);
  if (answer instanceof Obstacle) return answer;
  const hits = [...answer.hits];
  const unsearched: string[] = [];
  if (!answer.isComplete && toolset.can("list")) {
    const files = yield* toolset.list(
      "That is as much as one search returns, so I go on file by file.",
      folder,
    );
    if (files instanceof Obstacle) return files;
    for (const path of files) {
      if (hits.some((hit) => hit.path === path)) continue;
      // A path with glob characters cannot be searched by name; reading it later costs no more.
      if (/[*?[\]{}!\\]/.test(path)) unsearched.push(path);
      else {
        const narrow = yield* toolset.search(text, "", path, wanted.ignoresCase);
        if (narrow instanceof Obstacle) return narrow;
        hits.push(...narrow.hits.filter((hit) => hit.path === path));
      }
    }
  }
  const isSure = (hit: Hit) =>
    hit.snippet === "" || hit.snippet.includes("…") || countIn(hit.snippet, wanted) > 0;
  const sure = new Set([...hits.filter(isSure).map((hit) => hit.path), ...unsearched]);
  return sure.size > 0 ? [...sure] : [...new Set(hits.map((hit) => hit.path))];
}

const maxChecked = 3;

/** Files that were edited and still hold the text; undefined where that could not be checked. */
function* leftOver(
  desk: Desk,
  done: readonly Replacement[],
  wanted: Wanted,
  to: string,
): Steps<readonly string[] | undefined> {
  const changed = done.filter(({ count }) => count > 0).map(({ path }) => path);
  if (changed.length === 0 || !desk.toolset.can("search") || countIn(to, wanted) > 0) return undefined;
  const [only] = changed;
  const answer = yield* desk.toolset.search(
    wanted.text,
    "I search once more, to be sure.",
    changed.length === 1 ? only : undefined,
    wanted.ignoresCase,
  );
  if (answer instanceof Obstacle) return undefined;
  const suspects = new Set(
    answer.hits
      .filter((hit) => changed.includes(hit.path) && countIn(hit.snippet, wanted) > 0)
      .map((hit) => hit.path),
  );
  const left: string[] = [];
  // A search may look at the saved files, while edits wait for the review: what was read decides.
  for (const path of [...suspects].slice(0, maxChecked)) {
    const reading = yield* desk.toolset.read(path, `The search still shows ${path}, so I look into it.`);
    if (!(reading instanceof Obstacle) && countIn(reading.lines.join("\n"), wanted) > 0) left.push(path);
  }
  return left;
}
