// Replacing in the paper, step by step: search, look at the lines, write each line anew. A replacement never adds or
// removes lines, so the numbers that were shown stay true from one line to the next. Where there are more lines than a
// turn has steps for, the paper is read and written anew as a whole, which is the common way (replace.ts).

import { staleCodes } from "./edits.ts";
import {
  type Context,
  contextLines,
  isCutLine,
  maxRanges,
  type PaperState,
  paperName,
  rangesOf,
  searchPaper,
} from "./paper-state.ts";
import { type ReplaceRequest, refusalOf, replaceText } from "./replace.ts";
import { answerOf } from "./replace-answer.ts";
import { Obstacle, type Steps } from "./steps.ts";
import type { Desk } from "./target.ts";
import { countIn, listed, replaceIn, type Wanted } from "./words.ts";

/** A turn of this toolset has fifteen requests to the model; these leave room for looking and verifying. */
const maxLines = 8;
const maxRowsToRewrite = 600;

export function* replaceInPaper(state: PaperState, desk: Desk, request: ReplaceRequest): Steps<string> {
  const refusal = refusalOf(request);
  if (refusal !== undefined) return refusal;
  const { from, to, language } = request;
  const isVietnamese = language === "vi";
  const wanted: Wanted = { text: from, isWholeWord: request.isWholeWord, ignoresCase: request.ignoresCase };
  const thought = isVietnamese ? `Tôi cần tìm “${from}”.` : `I search for “${from}”.`;
  const found = yield* searchPaper(state, from, thought);
  if (found instanceof Obstacle && found.code !== "no_match") return found.sentence;
  const lines = found instanceof Obstacle ? [] : found.lines.map(({ line }) => line);
  const ranges = rangesOf(lines);
  const seen = yield* linesAsTheyAre(state, ranges.slice(0, maxRanges), isVietnamese);
  if (seen instanceof Obstacle) return seen.sentence;
  const meant = seen.lines.filter(({ content }) => countIn(content, wanted) > 0 || isCutLine(content));
  const isAllSeen = found instanceof Obstacle || (found.isComplete && seen.lines.length >= lines.length);
  const isShort = seen.rows === undefined || seen.rows <= maxRowsToRewrite;
  if ((meant.length > maxLines || !isAllSeen) && isShort) return yield* replaceText(desk, request);
  const done: { line: number; count: number }[] = [];
  let obstacle = isAllSeen ? undefined : moreThanSeen;
  for (const { line, content } of meant) {
    if (isCutLine(content)) {
      obstacle = tooLongLine(line);
      continue;
    }
    const text = replaceIn(content, wanted, to);
    const first = isVietnamese ? `Dòng ${line} cần sửa.` : `Line ${line} has to change.`;
    const value = yield* state.edit("replaceLine", done.length === 0 ? first : "", {
      lineNumber: line,
      text,
    });
    if (value instanceof Obstacle) {
      obstacle = value;
      break;
    }
    done.push({ line, count: countIn(content, wanted) });
  }
  // Somebody else changed the line: once more from the search on finds what is left to do.
  if (obstacle !== undefined && staleCodes.test(obstacle.code)) {
    const again = yield* replaceText(desk, request);
    return done.length === 0 ? again : `${sayDone(done, request)} ${again}`;
  }
  if (done.length > 0 && obstacle === undefined) return sayDone(done, request);
  const count = done.reduce((sum, one) => sum + one.count, 0);
  return answerOf({
    noun: "paper",
    request,
    done: [{ path: paperName, count, lines: done.length, isCorrected: false }],
    obstacles: obstacle === undefined ? [] : [obstacle],
    left: undefined,
    isInsideOnly: seen.lines.some(({ content }) => content.includes(from)),
  });
}

/** A search may show the lines around a place, or only the beginning of a line: what is replaced is decided on whole lines. */
function* linesAsTheyAre(
  state: PaperState,
  ranges: readonly { readonly start: number; readonly end: number }[],
  isVietnamese: boolean,
): Steps<Context | Obstacle> {
  if (ranges.length === 0) return { lines: [], rows: undefined };
  const numbers = listed(ranges.map(({ start, end }) => (start === end ? `${start}` : `${start}–${end}`)));
  const thought = isVietnamese
    ? `Tôi xem dòng ${numbers.replace(" and ", " và ")}.`
    : `I look at line ${numbers}.`;
  return yield* contextLines(state, thought, ranges);
}

const moreThanSeen = new Obstacle(
  "more",
  "it stands in more lines than I saw at once. Say “go on”, and I continue.",
);

function tooLongLine(line: number): Obstacle {
  return new Obstacle("cut", `Line ${line} is too long for me to see all of it, so I left it as it is.`);
}

function sayDone(
  done: readonly { readonly line: number; readonly count: number }[],
  { from, to, language }: ReplaceRequest,
): string {
  const count = done.reduce((sum, one) => sum + one.count, 0);
  const lines = listed(
    done.map(({ line }) => `${line}`),
    12,
  );
  if (language === "vi") {
    const what = to === "" ? `xóa “${from}”` : `sửa “${from}” thành “${to}”`;
    return `Đã ${what}: ${count} chỗ, dòng ${lines.replace(" and ", " và ")}.`;
  }
  const what = to === "" ? `removed “${from}”` : `replaced “${from}” with “${to}”`;
  const times = count === 1 ? "once" : `${count} times`;
  return `I ${what} ${times}, in line${done.length === 1 ? "" : "s"} ${lines}.`;
}
