// Changing the form of lines: white space and heading levels.

import { applyEdits, type Plan, replacementsOf } from "./edits.ts";
import { atLevel, fencedLines, type Heading, headingsIn } from "./headings.ts";
import { headingsNamed } from "./line-skills.ts";
import type { Request } from "./request-lines.ts";
import { Obstacle, type Steps } from "./steps.ts";
import { type Desk, pathsOf } from "./target.ts";
import { counted, listed } from "./words.ts";

export function* tidySpaces(desk: Desk, request: Request & { kind: "tidy" }): Steps<string> {
  const { isTrailing, isDouble, scope } = request;
  const what = isTrailing && isDouble ? "white space" : isTrailing ? "trailing white space" : "double spaces";
  const paths = yield* pathsOf(desk, scope, `shall I fix ${what} in`, true);
  if (paths instanceof Obstacle) return paths.sentence;
  const report = yield* changeEach(
    desk,
    paths,
    (lines) => spacePlan(lines, isTrailing, isDouble),
    `Fixes ${what}`,
  );
  return sayReport(report, `fixed ${what}`, `I found no ${what} in ${listed(paths)}, so I changed nothing.`);
}

function spacePlan(lines: readonly string[], isTrailing: boolean, isDouble: boolean) {
  const fenced = fencedLines(lines);
  return replacementsOf(lines, (line, index) => {
    let changed = isTrailing ? line.replace(/[ \t\u00a0]+$/, "") : line;
    // Several spaces align columns in code and tables; only those of running text are a slip.
    const isText = !fenced.has(index) && !/^\s*\|/.test(line) && !/^(?: {4}|\t)/.test(line);
    if (isDouble && isText) changed = changed.replace(/(?<=\S) {2,}(?=\S)/g, " ");
    return changed;
  });
}

export function* changeHeadings(desk: Desk, request: Request & { kind: "headings" }): Steps<string> {
  const { change, scope } = request;
  const paths = yield* pathsOf(desk, scope, "has the headings that I shall change", scope.kind !== "unsaid");
  if (paths instanceof Obstacle) return paths.sentence;
  const texts = paths.filter((path) => paths.length === 1 || /\.(?:md|markdown|mdx)$/i.test(path));
  const plan: Plan = (lines) => {
    const chosen = new Map<number, Heading>(
      wantedHeadings(lines, change).map((heading) => [heading.line, heading]),
    );
    return replacementsOf(lines, (line, index) => {
      const heading = chosen.get(index + 1);
      return heading === undefined ? line : atLevel(line, heading, change.to);
    });
  };
  const report = yield* changeEach(desk, texts, plan, "Changes heading levels");
  const which = change.title === undefined ? "such heading" : `heading “${change.title}”`;
  return sayReport(
    report,
    "changed the level of headings",
    `I found no ${which} that can move in ${listed(paths)}, so I changed nothing.`,
  );
}

function wantedHeadings(
  lines: readonly string[],
  change: (Request & { kind: "headings" })["change"],
): readonly Heading[] {
  const headings = headingsIn(lines).filter(
    ({ level }) => change.level === undefined || level === change.level,
  );
  return change.title === undefined ? headings : headingsNamed(headings, change.title);
}

interface Report {
  readonly noun: string;
  readonly changed: readonly { readonly path: string; readonly lines: number }[];
  readonly obstacles: readonly Obstacle[];
  readonly isCorrected: boolean;
  /** After the edits every file was as planned, when read again or searched. */
  readonly isVerified: boolean;
}

function* changeEach(desk: Desk, paths: readonly string[], plan: Plan, reason: string): Steps<Report> {
  const changed: { path: string; lines: number }[] = [];
  const obstacles: Obstacle[] = [];
  let isCorrected = false;
  let isVerified = true;
  for (const path of paths) {
    const reading = yield* desk.toolset.read(path, `I read ${path}.`);
    if (reading instanceof Obstacle) {
      obstacles.push(reading);
      if (desk.toolset.isStopped?.()) break;
      continue;
    }
    if (plan(reading.lines).length === 0) continue;
    const applied = yield* applyEdits(desk.toolset, reading, plan, reason);
    isCorrected ||= applied.isCorrected;
    const lines = applied.edits.reduce(
      (sum, edit) => sum + (edit.operation === "replace" ? edit.last - edit.first + 1 : 0),
      0,
    );
    if (lines > 0) changed.push({ path, lines });
    if (applied.obstacle !== undefined) obstacles.push(applied.obstacle);
    if (applied.obstacle?.code === "not_offered" || desk.toolset.isStopped?.()) break;
    if (applied.obstacle === undefined) {
      const after = yield* desk.toolset.read(path, "I read it once more, to be sure.");
      isVerified &&= !(after instanceof Obstacle) && after.lines.join("\n") === applied.lines.join("\n");
    }
  }
  return { noun: desk.toolset.noun, changed, obstacles, isCorrected, isVerified };
}

function sayReport(
  { noun, changed, obstacles, isCorrected, isVerified }: Report,
  done: string,
  nothing: string,
): string {
  const said: string[] = [];
  if (changed.length > 0) {
    const total = changed.reduce((sum, { lines }) => sum + lines, 0);
    const places = listed(
      changed.map(({ path, lines }) => `${path} (${lines})`),
      12,
    );
    const where = noun === "paper" ? "the paper" : `${counted(changed.length, noun)}: ${places}`;
    said.push(`I ${done} in ${counted(total, "line")} of ${where}.`);
    if (isCorrected) said.push("A file had changed meanwhile, so I read it again and repeated the edit.");
    if (isVerified && obstacles.length === 0)
      said.push("I read the result again, and it is as it should be.");
  } else if (obstacles.length === 0) said.push(nothing);
  if (obstacles.length > 0)
    said.push(
      `Not everything went through: ${obstacles
        .slice(0, 3)
        .map(({ sentence }) => sentence)
        .join(" ")}`,
    );
  return said.join(" ");
}
