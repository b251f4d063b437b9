// Edits to the lines of one file, made one call at a time, and corrected once when the file has moved on.
//
//   order        from the last line to the first, so that the numbers of lines not yet edited stay true
//   correction   after a stale fault the file is read again. What stands below the refused edit was edited already: it
//                must be found unchanged at the end of the file. The rest is planned anew from what stands there now
//   otherwise    the edits that were made stand, and the obstacle is told
//   many edits   are one rewrite where the toolset has one: a turn has only so many calls. Where a call takes several
//                edits, all of a file are one call, made or refused as a whole

import { Obstacle, type Steps } from "./steps.ts";
import type { LineEdit, Reading, Toolset } from "./toolset.ts";

/** The edits that lines need; called again with the lines not yet edited, if the file changed meanwhile. */
export type Plan = (lines: readonly string[]) => readonly LineEdit[];

export interface Applied {
  readonly edits: readonly LineEdit[];
  /** The file had moved on, and the model read it again. */
  readonly isCorrected: boolean;
  readonly obstacle: Obstacle | undefined;
  readonly lines: readonly string[];
}

const maxSingleEdits = 6;
/** A text that cannot be written as a whole. */
export const tooLong = "too_long";
/** The edit was made, but the tool says that it is not quite the one that was asked for. */
export const altered = "altered";
export const staleCodes = /conflict|mismatch|stale|hash|changed|external_change|unknown_revision|version/i;

export function* applyEdits(toolset: Toolset, reading: Reading, plan: Plan, reason: string): Steps<Applied> {
  const edits: LineEdit[] = [];
  let current = reading;
  let isCorrected = false;
  const planned = (lines: readonly string[]) =>
    bottomUp(toolset.isLineByLine ? plan(lines).flatMap(singleLines) : plan(lines));
  let waiting = planned(reading.lines);
  const finished = (obstacle?: Obstacle): Applied => ({ edits, isCorrected, obstacle, lines: current.lines });
  if (!toolset.can("edit"))
    return finished(
      new Obstacle(
        "not_offered",
        `The tool ${toolset.tool("edit")} is not offered here, so I cannot change ${toolset.noun}s.`,
      ),
    );
  if (toolset.editAll !== undefined)
    return yield* applyAtOnce(toolset, toolset.editAll, reading, plan, reason);
  if (toolset.rewrite !== undefined && waiting.length > maxSingleEdits) {
    const all = waiting;
    const lines = editedAll(reading.lines, all);
    const thought = `${all.length} places change, so I write the text anew as a whole.`;
    const obstacle = yield* toolset.rewrite(reading, lines, { reason, thought, isRepeated: false });
    if (obstacle === undefined) return { edits: all, isCorrected, obstacle, lines };
    // Line by line it may take more than one turn, but it can be done.
    if (obstacle.code !== tooLong) return finished(obstacle);
  }
  for (let edit = waiting.shift(); edit !== undefined; edit = waiting.shift()) {
    const thought = isCorrected
      ? "I repeat the edit on the lines as they are now."
      : thoughtOf(edit, edits.length);
    const obstacle = yield* toolset.edit(current, edit, { reason, thought, isRepeated: isCorrected });
    if (obstacle === undefined) {
      current = { ...current, lines: edited(current.lines, edit) };
      edits.push(edit);
      continue;
    }
    if (isCorrected || !staleCodes.test(obstacle.code)) return finished(obstacle);
    isCorrected = true;
    const tail = current.lines.slice(lastLine(edit));
    const fresh = yield* toolset.read(current.path, `${current.path} changed under me, so I read it again.`);
    if (fresh instanceof Obstacle) return finished(fresh);
    const boundary = fresh.lines.length - tail.length;
    if (boundary < 0 || fresh.lines.slice(boundary).join("\n") !== tail.join("\n")) return finished(obstacle);
    current = fresh;
    waiting = planned(fresh.lines.slice(0, boundary));
    if (waiting.length === 0 && edits.length === 0) return finished(obstacle);
  }
  return finished();
}

function* applyAtOnce(
  toolset: Toolset,
  editAll: NonNullable<Toolset["editAll"]>,
  reading: Reading,
  plan: Plan,
  reason: string,
): Steps<Applied> {
  const planned = bottomUp(plan(reading.lines));
  const lines = planned.length === 1 ? "one place" : `${planned.length} places`;
  const thought = `I change ${lines} of ${reading.path} in one call.`;
  const first = yield* editAll(reading, planned, { reason, thought, isRepeated: false });
  if (first === undefined || !staleCodes.test(first.code)) return outcomeOf(reading, planned, first, false);
  const fresh = yield* toolset.read(reading.path, `${reading.path} changed under me, so I read it again.`);
  if (fresh instanceof Obstacle) return outcomeOf(reading, planned, fresh, true);
  const again = bottomUp(plan(fresh.lines));
  if (again.length === 0) return outcomeOf(fresh, again, first, true);
  const repeated = "I repeat the edit on the lines as they are now.";
  const second = yield* editAll(fresh, again, { reason, thought: repeated, isRepeated: true });
  return outcomeOf(fresh, again, second, true);
}

function outcomeOf(
  { lines }: Reading,
  edits: readonly LineEdit[],
  obstacle: Obstacle | undefined,
  isCorrected: boolean,
): Applied {
  const isMade = obstacle === undefined || obstacle.code === altered;
  if (!isMade) return { edits: [], isCorrected, obstacle, lines };
  return { edits, isCorrected, obstacle, lines: editedAll(lines, edits) };
}

function thoughtOf(edit: LineEdit, count: number): string {
  if (count > 0) return "";
  if (edit.operation === "insert") return `I insert the text before line ${edit.before}.`;
  return `I start with the last place, line ${edit.first}, so that the other line numbers stay true.`;
}

/** A replacement of lines by as many others, line by line. */
function singleLines(edit: LineEdit): readonly LineEdit[] {
  const lines = edit.operation === "replace" ? edit.text.split("\n") : [];
  if (edit.operation !== "replace" || lines.length !== edit.last - edit.first + 1) return [edit];
  return lines.map((text, index) => {
    const line = edit.first + index;
    return { operation: "replace", first: line, last: line, text };
  });
}

export function bottomUp(edits: readonly LineEdit[]): LineEdit[] {
  return [...edits].sort((one, other) => firstLine(other) - firstLine(one));
}

export function firstLine(edit: LineEdit): number {
  return edit.operation === "insert" ? edit.before : edit.first;
}

function lastLine(edit: LineEdit): number {
  return edit.operation === "insert" ? edit.before - 1 : edit.last;
}

export function edited(lines: readonly string[], edit: LineEdit): readonly string[] {
  const text = edit.operation === "delete" ? [] : edit.text.split("\n");
  return [...lines.slice(0, firstLine(edit) - 1), ...text, ...lines.slice(lastLine(edit))];
}

/** With all edits made, which refer to the lines as they were before any of them. */
export function editedAll(lines: readonly string[], edits: readonly LineEdit[]): readonly string[] {
  const result: string[] = [];
  let next = 0;
  const takeTo = (end: number) => {
    for (; next < end; next += 1) result.push(lines[next] ?? "");
  };
  for (const edit of bottomUp(edits).reverse()) {
    takeTo(firstLine(edit) - 1);
    if (edit.operation !== "delete") for (const line of edit.text.split("\n")) result.push(line);
    next = Math.max(next, lastLine(edit));
  }
  takeTo(lines.length);
  return result;
}

/** One replacement for each run of neighbouring lines that `change` changes. */
export function replacementsOf(
  lines: readonly string[],
  change: (line: string, index: number) => string,
): LineEdit[] {
  const edits: LineEdit[] = [];
  let first = 0;
  let run: string[] = [];
  const close = () => {
    if (run.length > 0)
      edits.push({ operation: "replace", first: first + 1, last: first + run.length, text: run.join("\n") });
    run = [];
  };
  for (const [index, line] of lines.entries()) {
    const changed = change(line, index);
    if (changed === line) close();
    else {
      if (run.length === 0) first = index;
      run.push(changed);
    }
  }
  close();
  return edits;
}
