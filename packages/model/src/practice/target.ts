// Which files a request means. A name is looked up from the most exact reading to the loosest: path, path in any case,
// file name, file name without its ending, words of the name. The first reading that fits decides; where it fits several
// files, or where nothing was named, the person is asked.

import type { Scope } from "./phrases.ts";
import { Obstacle, type Steps } from "./steps.ts";
import type { Reading, Toolset } from "./toolset.ts";

export interface Desk {
  readonly toolset: Toolset;
  /** What the person answered to a question that was asked in an answer. */
  readonly answer: string | undefined;
}

const maxOptions = 8;

/**
 * One of the options: as the person has answered already, or as the tool for asking brings. Where neither gives one, the
 * obstacle's sentence is the question, for the answer.
 */
export function* choose(desk: Desk, question: string, options: readonly string[]): Steps<string | Obstacle> {
  const known = desk.answer === undefined ? undefined : optionIn(desk.answer, options);
  if (known !== undefined) return known;
  const shown = options.slice(0, maxOptions);
  const said = desk.toolset.can("ask") ? yield* desk.toolset.ask(question, shown) : desk.answer;
  const inWords = `${question} ${sayOptions(shown, options.length - shown.length)}`.trim();
  if (said === undefined) return new Obstacle("question", inWords);
  if (said instanceof Obstacle) {
    if (said.code !== "no_user_answer") return said;
    return new Obstacle("question", `I did nothing, because my question was not answered. ${inWords}`);
  }
  return (
    optionIn(said, options) ??
    new Obstacle("question", `I could not match “${said}” to one of the choices. ${inWords}`)
  );
}

function sayOptions(options: readonly string[], more: number): string {
  if (options.length === 0) return "";
  return `For example: ${options.map((option) => `“${option}”`).join(", ")}${more > 0 ? `, or ${more} more` : ""}. Which one?`;
}

function optionIn(answer: string, options: readonly string[]): string | undefined {
  const said = answer
    .trim()
    .replace(/[.!]+$/, "")
    .toLowerCase();
  const exact = options.find((option) => option.toLowerCase() === said);
  if (exact !== undefined) return exact;
  if (/^(?:all|both|every|everywhere|yes,? all|tất cả)/iu.test(said))
    return options.find((option) => /^all\b/.test(option));
  const number = /^\(?(\d{1,2})[.)]?$/.exec(said)?.[1];
  if (number !== undefined && options[Number(number) - 1] !== undefined) return options[Number(number) - 1];
  const files = filesNamed(options, said);
  if (files.length === 1) return files[0];
  const within = options.filter(
    (option) => said.includes(option.toLowerCase()) || option.toLowerCase().includes(said),
  );
  return within.length === 1 ? within[0] : undefined;
}

/** The files that a name fits, by the most exact reading that fits any. */
export function filesNamed(files: readonly string[], name: string): readonly string[] {
  const wanted = name.trim().replace(/^\.\//, "").toLowerCase();
  const readings: readonly ((path: string) => boolean)[] = [
    (path) => path === name,
    (path) => path.toLowerCase() === wanted,
    (path) => baseName(path) === wanted || path.toLowerCase().endsWith(`/${wanted}`),
    (path) => stem(path) === wanted || plain(stem(path)) === plain(wanted),
    (path) =>
      plain(wanted)
        .split(" ")
        .every((word) => plain(path).split(" ").includes(word)),
  ];
  for (const reading of readings) {
    const fitting = files.filter(reading);
    if (fitting.length > 0) return fitting;
  }
  return [];
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).toLowerCase();
}

function stem(path: string): string {
  return baseName(path).replace(/\.[^.]*$/, "");
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** The one file that is meant, read. `purpose` ends the question "Which file …?". */
export function* openFile(desk: Desk, scope: Scope, purpose: string): Steps<Reading | Obstacle> {
  const paths = yield* pathsOf(desk, scope, purpose, false);
  if (paths instanceof Obstacle) return paths;
  const [path] = paths;
  if (path === undefined) return new Obstacle("file_not_found", `There is no ${desk.toolset.noun} here.`);
  return yield* desk.toolset.read(path, `I read ${path}.`);
}

/** The files that are meant: one, or all of a folder or the project. */
export function* pathsOf(
  desk: Desk,
  scope: Scope,
  purpose: string,
  mayBeAll: boolean,
): Steps<readonly string[] | Obstacle> {
  const { noun } = desk.toolset;
  if (!desk.toolset.can("list")) {
    if (scope.kind === "file") return [scope.name];
    if (scope.kind === "files" && mayBeAll) return scope.names;
    return new Obstacle(
      "question",
      `The tool ${desk.toolset.tool("list")} is not offered here, so please name the ${noun} ${purpose}.`,
    );
  }
  const prefix = scope.kind === "folder" ? scope.prefix : undefined;
  const names = scope.kind === "file" ? [scope.name] : scope.kind === "files" ? scope.names : undefined;
  const files = yield* desk.toolset.list(`I look which ${noun}s there are.`, prefix, names);
  if (files instanceof Obstacle) return files;
  if (scope.kind === "file") return yield* namedPath(desk, files, scope.name, purpose);
  if (scope.kind === "files") {
    const paths: string[] = [];
    for (const name of scope.names) {
      const found = yield* namedPath(desk, files, name, purpose);
      if (found instanceof Obstacle) return found;
      paths.push(...found);
    }
    return mayBeAll
      ? [...new Set(paths)]
      : new Obstacle("question", `One ${noun} at a time, please. Which ${noun} ${purpose}?`);
  }
  if (files.length === 0) {
    return new Obstacle(
      "file_not_found",
      prefix === undefined ? `There is no ${noun} here.` : `There is no ${noun} in “${prefix}”.`,
    );
  }
  if (files.length === 1 || (mayBeAll && scope.kind !== "unsaid")) return files;
  const everyFile = `all ${noun}s`;
  const options = mayBeAll ? [everyFile, ...files] : files;
  const chosen = yield* choose(desk, `Which ${noun} ${purpose}?`, options);
  if (chosen instanceof Obstacle) return chosen;
  return chosen === everyFile ? files : [chosen];
}

function* namedPath(
  desk: Desk,
  files: readonly string[],
  name: string,
  purpose: string,
): Steps<readonly string[] | Obstacle> {
  const { noun } = desk.toolset;
  const fitting = filesNamed(files, name);
  if (fitting.length === 1) return fitting;
  if (fitting.length === 0) {
    const some = files.slice(0, maxOptions).join(", ");
    return new Obstacle(
      "file_not_found",
      `I find no ${noun} “${name}” here. There ${files.length === 1 ? "is" : "are"} ${some || `no ${noun}s`}${files.length > maxOptions ? ", …" : ""}.`,
    );
  }
  const chosen = yield* choose(
    desk,
    `“${name}” fits ${fitting.length} ${noun}s. Which ${noun} ${purpose}?`,
    fitting,
  );
  return chosen instanceof Obstacle ? chosen : [chosen];
}
