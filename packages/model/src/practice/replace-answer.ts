// What the practice model says after replacing, in the language of the request.

import type { Language } from "./request-lines.ts";
import type { Obstacle } from "./steps.ts";
import { counted, listed } from "./words.ts";

export interface Replacement {
  readonly path: string;
  readonly count: number;
  readonly lines: number;
  readonly isCorrected: boolean;
}

export interface ReplaceReport {
  readonly noun: "file" | "tab" | "paper";
  readonly request: { readonly from: string; readonly to: string; readonly language: Language };
  readonly done: readonly Replacement[];
  readonly obstacles: readonly Obstacle[];
  /** Files that still hold the text; undefined where that was not checked. */
  readonly left: readonly string[] | undefined;
  readonly isInsideOnly: boolean;
  /** The one document that was looked at. */
  readonly where?: string | undefined;
}

const vietnameseNouns = { file: "tệp", tab: "tab" } as const;

export function answerOf(report: ReplaceReport): string {
  return report.request.language === "vi" ? inVietnamese(report) : inEnglish(report);
}

/** What was replaced, without the documents in which nothing was. */
function madeIn({ done }: ReplaceReport) {
  const made = done.filter(({ count }) => count > 0);
  const total = made.reduce((sum, { count }) => sum + count, 0);
  const places = listed(
    made.map(({ path, count }) => `${path} (${count})`),
    12,
  );
  return { made, total, places };
}

function inEnglish(report: ReplaceReport): string {
  const { noun, request, obstacles, left, isInsideOnly, where } = report;
  const { from, to } = request;
  const { made, total, places } = madeIn(report);
  const said: string[] = [];
  if (total > 0) {
    const what = to === "" ? `removed “${from}”` : `replaced “${from}” with “${to}”`;
    const where = noun === "paper" ? "the paper" : `${counted(made.length, noun)}: ${places}`;
    said.push(`I ${what} ${counted(total, "time")} in ${where}.`);
    if (made.some(({ isCorrected }) => isCorrected))
      said.push("A file had changed meanwhile, so I read it again and repeated the edit.");
    if (left?.length === 0) said.push("I searched again: none is left.");
    if (left !== undefined && left.length > 0) said.push(`It still stands in ${listed(left)}.`);
  } else if (obstacles.length === 0) {
    said.push(
      `I found no “${from}”${where === undefined ? "" : ` in ${where}`}${isInsideOnly ? " as a whole word; it stands only inside longer words. Say “also inside words” if you mean these" : ""}, so I changed nothing.`,
    );
  }
  if (obstacles.length > 0)
    said.push(
      `${total > 0 ? "Not everything went through" : "I could not change it"}: ${sentences(obstacles)}`,
    );
  return said.join(" ");
}

function inVietnamese(report: ReplaceReport): string {
  const { noun, request, obstacles, left, isInsideOnly, where } = report;
  const { from, to } = request;
  const { made, total, places } = madeIn(report);
  const said: string[] = [];
  if (total > 0) {
    const what = to === "" ? `xóa “${from}”` : `đổi “${from}” thành “${to}”`;
    const where =
      noun === "paper"
        ? "bài viết"
        : `${made.length} ${vietnameseNouns[noun]}: ${places.replace(" and ", " và ")}`;
    said.push(`Đã ${what}: ${total} chỗ trong ${where}.`);
    if (left?.length === 0) said.push("Tôi đã tìm lại: không còn chỗ nào.");
    if (left !== undefined && left.length > 0) said.push(`Vẫn còn trong ${left.join(", ")}.`);
  } else if (obstacles.length === 0) {
    said.push(
      `Tôi không tìm thấy “${from}”${where === undefined ? "" : ` trong ${where}`}${isInsideOnly ? " như một từ riêng" : ""}, nên không đổi gì.`,
    );
  }
  if (obstacles.length > 0) said.push(`Chưa làm được hết: ${sentences(obstacles)}`);
  return said.join(" ");
}

function sentences(obstacles: readonly Obstacle[]): string {
  return [...new Set(obstacles.map(({ sentence }) => sentence))].slice(0, 3).join(" ");
}
