// What the practice model says after replacing, in the language of the request.

import type { Language } from "./practice-request-lines.ts";
import type { Obstacle } from "./practice-steps.ts";
import { counted, listed } from "./practice-words.ts";

export interface Replacement {
  readonly path: string;
  readonly count: number;
  readonly lines: number;
  readonly isCorrected: boolean;
}

export interface ReplaceReport {
  readonly request: { readonly from: string; readonly to: string; readonly language: Language };
  readonly done: readonly Replacement[];
  readonly obstacles: readonly Obstacle[];
  /** Files that still hold the text; undefined where that was not checked. */
  readonly left: readonly string[] | undefined;
  readonly isInsideOnly: boolean;
}

export function answerOf(report: ReplaceReport): string {
  return report.request.language === "vi" ? inVietnamese(report) : inEnglish(report);
}

function inEnglish({ request: { from, to }, done, obstacles, left, isInsideOnly }: ReplaceReport): string {
  const made = done.filter(({ count }) => count > 0);
  const total = made.reduce((sum, { count }) => sum + count, 0);
  const said: string[] = [];
  if (total > 0) {
    const places = listed(
      made.map(({ path, count }) => `${path} (${count})`),
      12,
    );
    const what = to === "" ? `removed “${from}”` : `replaced “${from}” with “${to}”`;
    said.push(`I ${what} ${counted(total, "time")} in ${counted(made.length, "file")}: ${places}.`);
    if (made.some(({ isCorrected }) => isCorrected))
      said.push("A file had changed meanwhile, so I read it again and repeated the edit.");
    if (left?.length === 0) said.push("I searched again: none is left.");
    if (left !== undefined && left.length > 0) said.push(`It still stands in ${listed(left)}.`);
  } else if (obstacles.length === 0) {
    said.push(
      `I found no “${from}”${isInsideOnly ? " as a whole word; it stands only inside longer words. Say “also inside words” if you mean these" : ""}, so I changed nothing.`,
    );
  }
  if (obstacles.length > 0)
    said.push(
      `${total > 0 ? "Not everything went through" : "I could not change it"}: ${sentences(obstacles)}`,
    );
  return said.join(" ");
}

function inVietnamese({ request: { from, to }, done, obstacles, left, isInsideOnly }: ReplaceReport): string {
  const made = done.filter(({ count }) => count > 0);
  const total = made.reduce((sum, { count }) => sum + count, 0);
  const said: string[] = [];
  if (total > 0) {
    const places = listed(
      made.map(({ path, count }) => `${path} (${count})`),
      12,
    ).replace(" and ", " và ");
    const what = to === "" ? `xóa “${from}”` : `đổi “${from}” thành “${to}”`;
    said.push(`Đã ${what}: ${total} chỗ trong ${made.length} tệp: ${places}.`);
    if (left?.length === 0) said.push("Tôi đã tìm lại: không còn chỗ nào.");
    if (left !== undefined && left.length > 0) said.push(`Vẫn còn trong ${left.join(", ")}.`);
  } else if (obstacles.length === 0) {
    said.push(`Tôi không tìm thấy “${from}”${isInsideOnly ? " như một từ riêng" : ""}, nên không đổi gì.`);
  }
  if (obstacles.length > 0) said.push(`Chưa làm được hết: ${sentences(obstacles)}`);
  return said.join(" ");
}

function sentences(obstacles: readonly Obstacle[]): string {
  return [...new Set(obstacles.map(({ sentence }) => sentence))].slice(0, 3).join(" ");
}
