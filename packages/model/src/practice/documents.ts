// Which documents a request means. A name is looked up from the most exact reading to the loosest; where it fits several, or
// where nothing was named, the person is asked.

import type { RequestScope } from "./sentence.ts";
import { Obstacle, type Steps } from "./steps.ts";
import type { PracticeTools } from "./toolset.ts";

const maxOptions = 8;

/** One of the options, as the tool for asking brings it. Where there is none, the question is the answer of the turn. */
export function* choose(
  toolset: PracticeTools,
  question: string,
  options: readonly string[],
): Steps<string | Obstacle> {
  const offered = options.slice(0, maxOptions);
  const said = toolset.ask === undefined ? undefined : yield* toolset.ask(question, offered);
  if (said instanceof Obstacle && said.code !== "no_user_answer") return said;
  const answer = typeof said === "string" ? optionIn(said, options) : undefined;
  if (answer !== undefined) return answer;
  const more = options.length > offered.length ? `, or ${options.length - offered.length} more` : "";
  const choices = offered.map((option) => `“${option}”`).join(", ") + more;
  return new Obstacle("question", `${question} Ask again and name one of: ${choices}.`);
}

function optionIn(answer: string, options: readonly string[]): string | undefined {
  const said = answer.trim().replace(/[.!]+$/, "");
  if (/^(?:all|both|every|tất cả)/iu.test(said))
    return options.find((option) => /^(?:all|tất cả) /u.test(option));
  const [only, ...others] = filesNamed(options, said);
  return others.length === 0 ? only : undefined;
}

/** The files that a name fits, by the most exact reading that fits any. */
function filesNamed(files: readonly string[], name: string): readonly string[] {
  const wanted = name.trim().replace(/^\.\//, "").toLowerCase();
  const base = (path: string) => path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const readings: readonly ((path: string) => boolean)[] = [
    (path) => path === name,
    (path) => path.toLowerCase() === wanted,
    (path) => base(path) === wanted || path.toLowerCase().endsWith(`/${wanted}`),
    (path) => base(path).replace(/\.[^.]*$/, "") === wanted,
  ];
  return readings.map((reading) => files.filter(reading)).find((fitting) => fitting.length > 0) ?? [];
}

/** The target documents: one, or where `mayBeMany` all of a folder or of everything. */
export function* pathsOf(
  toolset: PracticeTools,
  scope: RequestScope,
  mayBeMany: boolean,
): Steps<readonly string[] | Obstacle> {
  const { noun } = toolset;
  const isFront = scope.kind === "unsaid" || scope.kind === "front" || noun === "paper";
  if (isFront && toolset.front !== undefined) {
    const front = yield* toolset.front();
    return front instanceof Obstacle ? front : [front];
  }
  const files = yield* toolset.list(scope.kind === "folder" ? scope.prefix : undefined);
  if (files instanceof Obstacle) return files;
  if (scope.kind === "files") {
    const paths: string[] = [];
    for (const name of scope.names.slice(0, mayBeMany ? undefined : 1)) {
      const path = yield* namedPath(toolset, files, name);
      if (path instanceof Obstacle) return path;
      paths.push(path);
    }
    return [...new Set(paths)];
  }
  if (files.length === 0) return new Obstacle("file_not_found", `There is no ${noun} here.`);
  if (files.length === 1 || (mayBeMany && (scope.kind === "all" || scope.kind === "folder"))) return files;
  const chosen = yield* choose(toolset, `Which ${noun} do you mean?`, files);
  return chosen instanceof Obstacle ? chosen : [chosen];
}

function* namedPath(
  toolset: PracticeTools,
  files: readonly string[],
  name: string,
): Steps<string | Obstacle> {
  const { noun } = toolset;
  const [only, ...others] = filesNamed(files, name);
  if (only !== undefined && others.length === 0) return only;
  if (only !== undefined)
    return yield* choose(toolset, `“${name}” fits ${others.length + 1} ${noun}s.`, [only, ...others]);
  const some = files.slice(0, maxOptions).join(", ") + (files.length > maxOptions ? ", …" : "");
  const are = files.length === 1 ? "is" : "are";
  const sentence = `I find no ${noun} “${name}” here. There ${are} ${some || `no ${noun}s`}.`;
  return new Obstacle("file_not_found", sentence);
}
