// Inserting, deleting and replacing whole lines. A line that was named by its number is remembered by its text, so that a
// correction finds it again where it stands now, or leaves the file alone when it is gone.

import { type Applied, altered, applyEdits, type Plan } from "./edits.ts";
import { type Heading, headingsIn } from "./headings.ts";
import type { Scope } from "./phrases.ts";
import { filesMatching } from "./replace.ts";
import type { LineChoice, Place, Request } from "./request-lines.ts";
import { Obstacle, type Steps } from "./steps.ts";
import { choose, type Desk, openFile } from "./target.ts";
import type { Reading } from "./toolset.ts";
import { counted, literally } from "./words.ts";

export function* insertText(desk: Desk, request: Request & { kind: "insert" }): Steps<string> {
  const { text, place } = request;
  const sought = place.kind === "heading" ? place.title : place.kind === "text" ? place.text : undefined;
  const scope = yield* scopeWith(desk, request.scope, sought);
  if (scope instanceof Obstacle) return scope.sentence;
  const reading = yield* openFile(desk, scope, "shall I write that into");
  if (reading instanceof Obstacle) return reading.sentence;
  const found = yield* insertionPoint(desk, reading, place);
  if (found instanceof Obstacle) return found.sentence;
  const { before, locate } = found;
  const plan: Plan = (lines) => {
    const at = lines === reading.lines ? before : locate(lines);
    return at === undefined ? [] : [{ operation: "insert", before: at, text }];
  };
  const applied = yield* applyEdits(
    desk.toolset,
    reading,
    plan,
    `Adds ${counted(text.split("\n").length, "line")}`,
  );
  const [edit] = applied.edits;
  if (edit?.operation !== "insert") return failure(reading.path, applied);
  const where =
    place.kind === "end" ? "at the end" : place.kind === "start" ? "at the start" : `as line ${edit.before}`;
  const size = counted(text.split("\n").length, "line");
  return `I added ${size} to ${reading.path}, ${where}: “${shortened(text)}”.${correction(applied)}`;
}

interface InsertionPoint {
  readonly before: number;
  /** Where the same place is in lines that changed meanwhile. */
  readonly locate: (lines: readonly string[]) => number | undefined;
}

function* insertionPoint(desk: Desk, reading: Reading, place: Place): Steps<InsertionPoint | Obstacle> {
  const { lines } = reading;
  if (place.kind === "start") return { before: 1, locate: () => 1 };
  if (place.kind === "end") return { before: lines.length + 1, locate: (now) => now.length + 1 };
  const line = place.kind === "line" ? place.line : yield* lineOf(desk, reading, place);
  if (line instanceof Obstacle) return line;
  const text = lines[line - 1];
  if (text === undefined) return new Obstacle("invalid_line_range", noSuchLine(reading, line));
  const shift = place.side === "after" ? 1 : 0;
  return {
    before: line + shift,
    locate: (now) => {
      const at = now.indexOf(text);
      return at < 0 || now.lastIndexOf(text) !== at ? undefined : at + 1 + shift;
    },
  };
}

function* lineOf(
  desk: Desk,
  reading: Reading,
  place: Place & { kind: "heading" | "text" },
): Steps<number | Obstacle> {
  const sought = place.kind === "heading" ? place.title : place.text;
  const numbers =
    place.kind === "heading"
      ? headingsNamed(headingsIn(reading.lines), sought).map(({ line }) => line)
      : linesWith(reading.lines, sought);
  const [only] = numbers;
  if (only === undefined) {
    const what = place.kind === "heading" ? "heading" : "line with";
    return new Obstacle(
      "no_match",
      `I find no ${what} “${sought}” in ${reading.path}, so I changed nothing.`,
    );
  }
  if (numbers.length === 1) return only;
  return yield* chooseLine(
    desk,
    reading,
    numbers,
    `“${sought}” stands in ${numbers.length} lines of ${reading.path}. Which one do you mean?`,
  );
}

export function headingsNamed(headings: readonly Heading[], title: string): readonly Heading[] {
  const wanted = title.replace(/^#+\s*/, "").toLowerCase();
  const exact = headings.filter((heading) => heading.title.toLowerCase() === wanted);
  if (exact.length > 0) return exact;
  const starting = headings.filter((heading) =>
    new RegExp(`^${literally(wanted)}(?![\\p{L}\\p{N}])`, "u").test(heading.title.toLowerCase()),
  );
  return starting.length > 0
    ? starting
    : headings.filter((heading) => heading.title.toLowerCase().includes(wanted));
}

function linesWith(lines: readonly string[], text: string): number[] {
  const exact = lines.flatMap((line, index) => (line.includes(text) ? [index + 1] : []));
  if (exact.length > 0) return exact;
  const wanted = text.toLowerCase();
  return lines.flatMap((line, index) => (line.toLowerCase().includes(wanted) ? [index + 1] : []));
}

function* chooseLine(
  desk: Desk,
  reading: Reading,
  numbers: readonly number[],
  question: string,
): Steps<number | Obstacle> {
  const options = numbers.map(
    (number) => `line ${number}: ${shortened(reading.lines[number - 1] ?? "", 60)}`,
  );
  const chosen = yield* choose(desk, question, options);
  if (chosen instanceof Obstacle) return chosen;
  return numbers[options.indexOf(chosen)] ?? new Obstacle("question", question);
}

export function* deleteLines(desk: Desk, request: Request & { kind: "delete" }): Steps<string> {
  const { lines: choice } = request;
  const scope = yield* scopeWith(desk, request.scope, choice.kind === "containing" ? choice.text : undefined);
  if (scope instanceof Obstacle) return scope.sentence;
  const reading = yield* openFile(desk, scope, "shall I delete lines from");
  if (reading instanceof Obstacle) return reading.sentence;
  const numbers = yield* chosenLines(desk, reading, choice);
  if (numbers instanceof Obstacle) return numbers.sentence;
  const runs = runsOf(numbers);
  const plan: Plan = (now) =>
    runs.flatMap(([first, last]) => {
      const at = now === reading.lines ? first : blockIn(now, reading.lines.slice(first - 1, last));
      return at === undefined ? [] : [{ operation: "delete" as const, first: at, last: at + last - first }];
    });
  const applied = yield* applyEdits(
    desk.toolset,
    reading,
    plan,
    `Deletes ${counted(numbers.length, "line")}`,
  );
  const gone = applied.edits.reduce(
    (sum, edit) => sum + (edit.operation === "delete" ? edit.last - edit.first + 1 : 0),
    0,
  );
  if (gone === 0) return failure(reading.path, applied);
  const which =
    gone === numbers.length
      ? ` (${runs.map(([first, last]) => (first === last ? `${first}` : `${first} to ${last}`)).join(", ")})`
      : "";
  const rest =
    applied.obstacle === undefined ? "" : ` The rest did not go through: ${applied.obstacle.sentence}`;
  return `I deleted ${counted(gone, "line")}${which} from ${reading.path}, which now has ${counted(applied.lines.length, "line")}.${correction(applied)}${rest}`;
}

function* chosenLines(desk: Desk, reading: Reading, choice: LineChoice): Steps<readonly number[] | Obstacle> {
  const total = reading.lines.length;
  if (choice.kind === "range") {
    const [first, last] = [fromEnd(choice.first, total), fromEnd(choice.last, total)];
    if (first < 1 || last < first || last > total)
      return new Obstacle("invalid_line_range", noSuchLine(reading, last > total ? last : first));
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  }
  const numbers = linesWith(reading.lines, choice.text);
  if (numbers.length === 0)
    return new Obstacle(
      "no_match",
      `No line of ${reading.path} contains “${choice.text}”, so I deleted nothing.`,
    );
  if (numbers.length === 1 || choice.isEvery) return numbers;
  const everyLine = `all ${numbers.length} lines`;
  const options = [
    everyLine,
    ...numbers.map((number) => `line ${number}: ${shortened(reading.lines[number - 1] ?? "", 60)}`),
  ];
  const chosen = yield* choose(
    desk,
    `${numbers.length} lines of ${reading.path} contain “${choice.text}”. Which shall I delete?`,
    options,
  );
  if (chosen instanceof Obstacle) return chosen;
  const number = numbers[options.indexOf(chosen) - 1];
  return number === undefined ? numbers : [number];
}

export function* setLine(desk: Desk, request: Request & { kind: "setLine" }): Steps<string> {
  const reading = yield* openFile(desk, request.scope, "has the line that I shall change");
  if (reading instanceof Obstacle) return reading.sentence;
  const { line, text } = request;
  const old = reading.lines[line - 1];
  if (old === undefined) return noSuchLine(reading, line);
  if (old === text) return `Line ${line} of ${reading.path} already says that, so I changed nothing.`;
  const plan: Plan = (now) => {
    const at = now === reading.lines ? line : blockIn(now, [old]);
    return at === undefined ? [] : [{ operation: "replace", first: at, last: at, text }];
  };
  const applied = yield* applyEdits(desk.toolset, reading, plan, `Rewrites line ${line}`);
  if (applied.edits.length === 0) return failure(reading.path, applied);
  return `I changed line ${line} of ${reading.path} from “${shortened(old)}” to “${shortened(text)}”.${correction(applied)}`;
}

/** Where no file was named, the text that was named may say which. */
function* scopeWith(desk: Desk, scope: Scope, text: string | undefined): Steps<Scope | Obstacle> {
  if (scope.kind === "file" || text === undefined || !desk.toolset.can("search")) return scope;
  const folder = scope.kind === "folder" ? scope.prefix : undefined;
  const files = yield* filesMatching(desk, { text, isWholeWord: false, ignoresCase: true }, folder);
  if (files instanceof Obstacle) return files;
  const [only] = files;
  if (only === undefined)
    return new Obstacle("no_match", `I find “${text}” in no file, so I changed nothing.`);
  if (files.length === 1) return { kind: "file", name: only };
  const chosen = yield* choose(
    desk,
    `“${text}” stands in ${files.length} files. Which one do you mean?`,
    files,
  );
  return chosen instanceof Obstacle ? chosen : { kind: "file", name: chosen };
}

/** The one place of a block of lines, or undefined where there is none or more than one. */
function blockIn(lines: readonly string[], block: readonly string[]): number | undefined {
  const fits = (at: number) => block.every((line, index) => lines[at + index] === line);
  const places = lines.flatMap((_, at) => (fits(at) ? [at + 1] : []));
  return places.length === 1 ? places[0] : undefined;
}

function runsOf(numbers: readonly number[]): readonly (readonly [number, number])[] {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const run = runs.at(-1);
    if (run !== undefined && run[1] === number - 1) run[1] = number;
    else runs.push([number, number]);
  }
  return runs;
}

function fromEnd(line: number, total: number): number {
  return line < 0 ? total + 1 + line : line;
}

function noSuchLine(reading: Reading, line: number): string {
  return `${reading.path} has ${counted(reading.lines.length, "line")}; there is no line ${line}. I changed nothing.`;
}

function failure(path: string, applied: Applied): string {
  return `I could not change ${path}: ${applied.obstacle?.sentence ?? "the lines that were meant are not there any more."}`;
}

function correction(applied: Applied): string {
  const said = applied.isCorrected
    ? " The file had changed meanwhile, so I read it again and repeated the edit."
    : "";
  return applied.obstacle?.code === altered ? `${said} ${applied.obstacle.sentence}` : said;
}

export function shortened(text: string, most = 80): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}
