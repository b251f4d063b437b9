// One document changed by a plan: read, plan the edits on its lines, make them. Where the document has moved on, it is read
// and planned once more; a plan that is not idempotent is not repeated after a part of it was applied.

import { cutText } from "@stet/protocol/cut-text";
import { pathsOf } from "./documents.ts";
import type { Request } from "./request.ts";
import { Obstacle, type Steps } from "./steps.ts";
import type { PracticeTools, ReadLines, RowEdit } from "./toolset.ts";
import { counted } from "./words.ts";

export interface EditPlan {
  /** In the order of the lines; empty where nothing is to be done. */
  edits(lines: readonly string[]): readonly RowEdit[] | Obstacle;
  readonly reason: string;
  readonly isRepeatable: boolean;
}

export interface EditOutcome {
  readonly before: readonly string[];
  readonly edits: readonly RowEdit[];
  /** The document had moved on, and was read again. */
  readonly isCorrected: boolean;
  /** Why not all of the edits were applied. */
  readonly obstacle: Obstacle | undefined;
}

const staleCodes = /conflict|mismatch|stale|hash|changed|unknown_revision|version/i;

export function* changeDocument(
  toolset: PracticeTools,
  path: string,
  plan: EditPlan,
): Steps<EditOutcome | Obstacle> {
  let isCorrected = false;
  for (;;) {
    const reading: ReadLines | Obstacle = yield* toolset.read(path);
    if (reading instanceof Obstacle) return reading;
    const edits = plan.edits(reading.lines);
    if (edits instanceof Obstacle) return edits;
    const change = { before: reading.lines, edits, isCorrected };
    if (edits.length === 0) return { ...change, obstacle: undefined };
    const { made, obstacle } = yield* toolset.edit(reading, edits, plan.reason);
    const isStale = obstacle !== undefined && staleCodes.test(obstacle.code);
    if (!isStale || isCorrected || (made > 0 && !plan.isRepeatable)) {
      // Edits are applied from the last to the first.
      return { ...change, edits: edits.slice(edits.length - made), obstacle };
    }
    isCorrected = true;
  }
}

export type LinesRequest = Request & { readonly kind: "set" | "insert" | "delete" };

export function* changeLines(toolset: PracticeTools, request: LinesRequest): Steps<string> {
  const paths = yield* pathsOf(toolset, request.scope, false);
  if (paths instanceof Obstacle) return paths.sentence;
  const [path = ""] = paths;
  const plan = {
    edits: (lines: readonly string[]) => lineEdit(request, path, lines),
    reason: "As the person asked",
    isRepeatable: false,
  };
  const change = yield* changeDocument(toolset, path, plan);
  if (change instanceof Obstacle) return change.sentence;
  const [edit] = change.edits;
  const why = change.obstacle?.sentence ?? "it is as it should be already.";
  if (edit === undefined) return `I changed nothing in ${path}: ${why}`;
  const corrected = " It had changed meanwhile, so I read it again and repeated the edit.";
  return sayChange(request, path, edit, change.before) + (change.isCorrected ? corrected : "");
}

function lineEdit(
  request: LinesRequest,
  path: string,
  lines: readonly string[],
): readonly RowEdit[] | Obstacle {
  // The line behind the last one is a valid position to insert.
  const count = request.kind === "insert" ? lines.length + 1 : lines.length;
  const fromEnd = (line: number) => (line < 0 ? count + 1 + line : line);
  const [first, last] = [fromEnd(request.first), fromEnd(request.last)];
  if (first < 1 || last < first || last > count) {
    const sentence = `${path} has ${counted(lines.length, "line")}; there is no line ${first < 1 ? first : last}. I changed nothing.`;
    return new Obstacle("invalid_line_range", sentence);
  }
  if (request.kind === "delete") return [{ first, last, lines: [] }];
  const fresh = request.text.split("\n");
  if (request.kind === "insert") return [{ first, last: first - 1, lines: fresh }];
  return lines[first - 1] === request.text ? [] : [{ first, last, lines: fresh }];
}

function sayChange(request: LinesRequest, path: string, edit: RowEdit, before: readonly string[]): string {
  const { first, last, lines } = edit;
  if (request.kind === "delete") {
    const which = first === last ? `${first}` : `${first} to ${last}`;
    return `I deleted ${counted(last - first + 1, "line")} (${which}) from ${path}.`;
  }
  const text = shortened(request.text);
  if (request.kind === "set")
    return `I changed line ${first} of ${path} from “${shortened(before[first - 1] ?? "")}” to “${text}”.`;
  const where = first > before.length ? "at the end" : `as line ${first}`;
  return `I added ${counted(lines.length, "line")} to ${path}, ${where}: “${text}”.`;
}

function shortened(text: string): string {
  return cutText(text.replace(/\s+/g, " ").trim(), 60);
}
