// What the practice model knows while it works with toolset code, and its ways to look around.
//
//   answers     are text for people who program. Lines of files are `41th|text` or `41|text`; what is said beside them
//               stands in lines of another form
//   refused     once the person did not allow something, no further call is made in the turn
//   the list    of files is kept until something may have changed it

import { type Call, textIn } from "./fields.ts";
import { type Fields, Obstacle, type Steps } from "./steps.ts";
import type { Hit, SearchAnswer } from "./toolset.ts";

export const codeTools = {
  read: "read",
  search: "search",
  find: "find",
  edit: "edit",
  write: "write",
  bash: "bash",
  job: "job",
  ask: "ask",
} as const;

export type CodeTool = keyof typeof codeTools;

/** How the tool `edit` wants its edits; the other modes are not known here. */
export type EditMode = "hashline" | "replace" | "other";

const changing: ReadonlySet<CodeTool> = new Set(["edit", "write", "bash", "job"]);

export class CodeState {
  readonly offered: ReadonlySet<string>;
  readonly mode: EditMode;
  /** The anchors of each file's lines, from its newest read; none where it was shown without. */
  readonly anchors = new Map<string, readonly string[]>();
  private readonly call: Call<CodeTool>;
  private files: readonly string[] | undefined;
  private refusal: Obstacle | undefined;

  constructor(call: Call<CodeTool>, offered: ReadonlySet<string>, mode: EditMode) {
    this.call = call;
    this.offered = offered;
    this.mode = mode;
  }

  has(tool: CodeTool): boolean {
    return this.offered.has(codeTools[tool]);
  }

  get isStopped(): boolean {
    return this.refusal !== undefined;
  }

  /** The text of an answer. */
  *ask(tool: CodeTool, thought: string, values: Fields): Steps<string | Obstacle> {
    if (this.refusal !== undefined) return this.refusal;
    const value = yield* this.call(tool, thought, values);
    if (changing.has(tool)) this.files = undefined;
    if (!(value instanceof Obstacle)) return textIn(value, "text") ?? "";
    if (value.code === "not_allowed") {
      this.refusal = new Obstacle(value.code, refusalSentence(value.sentence));
      return this.refusal;
    }
    return value;
  }

  *list(thought: string, prefix?: string, names?: readonly string[]): Steps<readonly string[] | Obstacle> {
    if (prefix === undefined && this.files !== undefined) return this.files;
    const found = yield* this.find(thought, "*", prefix);
    if (found instanceof Obstacle) return found;
    if (found.isWhole) {
      if (prefix === undefined) this.files = found.files;
      return found.files;
    }
    if (names === undefined) {
      const where = prefix === undefined ? "here" : `in ${prefix}`;
      return new Obstacle(
        "too_many",
        `There are more than ${found.files.length.toLocaleString("en-US")} files ${where}, which is as many as I list. Name a folder with fewer, such as “in the folder src”.`,
      );
    }
    const named: string[] = [];
    for (const name of names) {
      const some = yield* this.find(`There are many files, so I look for ${name}.`, name, prefix);
      if (some instanceof Obstacle) return some;
      named.push(...some.files);
    }
    return [...new Set([...found.files, ...named])].sort();
  }

  /** The files that a glob or the letters of a name fit. */
  *find(thought: string, pattern: string, folder?: string): Steps<FoundFiles | Obstacle> {
    const text = yield* this.ask("find", thought, { pattern, path: folder, limit: listLimit });
    return text instanceof Obstacle ? text : foundFiles(text);
  }

  *search(
    query: string,
    thought: string,
    path: string | undefined,
    ignoresCase: boolean | undefined,
  ): Steps<SearchAnswer | Obstacle> {
    const where = path === undefined ? undefined : searchPlace(path);
    const hits: Hit[] = [];
    for (let skip = 0; skip <= maxSkip; skip += placesPerPage) {
      const text = yield* this.ask("search", skip === 0 ? thought : "", {
        pattern: query,
        literal: true,
        i: ignoresCase || undefined,
        paths: where === undefined ? undefined : [where],
        skip: skip === 0 ? undefined : skip,
      });
      if (text instanceof Obstacle) return text;
      const page = searchPage(text);
      hits.push(...page.hits);
      if (page.isLast) return { hits, isComplete: true };
    }
    return { hits, isComplete: false };
  }
}

const listLimit = 1000;
const placesPerPage = 50;
const maxSkip = 450;

/** What the tool says to the model, as the model says it to the person. */
function refusalSentence(message: string): string {
  const said = message
    .replace(/^The person did not allow (\S{1,40}) to do this/, "You did not allow the tool $1 to do this")
    .replace("They said:", "You said:")
    .replace("A rule of the person denies", "A rule of yours denies")
    .trim();
  const how = said.startsWith("This needs permission")
    ? "You can allow it with a rule in the setting permission.rules, or with another mode (`--permission MODE`). "
    : "";
  // A list of what was not allowed stands by itself.
  const end = said.includes("\n") ? "\n" : /[.!?]$/.test(said) ? " " : ". ";
  return `${said}${end}${how}So I stop here.`;
}

interface FoundFiles {
  /** In order. */
  readonly files: readonly string[];
  readonly isWhole: boolean;
}

function foundFiles(text: string): FoundFiles {
  if (text.startsWith("No files found")) return { files: [], isWhole: true };
  const lines = text.split("\n");
  const isCut = lines.some((line) => /^\[Shown: the first \d+ of /.test(line));
  const note = lines.findIndex((line) =>
    /^\[(?:(?:More than )?\d+ more; |Shown: the first \d+ of )/.test(line),
  );
  // An answer that was cut may end within a path.
  const files = note < 0 ? lines : lines.slice(0, isCut ? Math.max(0, note - 1) : note);
  return { files: files.filter((line) => line !== "").sort(), isWhole: note < 0 };
}

/** A file or a folder as the search takes it. A name with characters of globs is searched for with its neighbours. */
function searchPlace(path: string): string | undefined {
  const plain = path.endsWith("/**") ? path.slice(0, -3) : path;
  const names = plain.split("/");
  const glob = names.findIndex((name) => /[*?[\]{}!\\]/.test(name));
  const folder = glob < 0 ? plain : names.slice(0, glob).join("/");
  return folder === "" ? undefined : folder;
}

const shownLine = /^[* ](\d+)(?:[a-z]{2})?\|/;

/** Places in files: the path, then its lines; "…" between places that are apart. */
function searchPage(text: string): { readonly hits: readonly Hit[]; readonly isLast: boolean } {
  const lines = text.split("\n");
  const hits: Hit[] = [];
  let path: string | undefined;
  for (const [index, line] of lines.entries()) {
    const match = shownLine.exec(line);
    if (match === null) {
      if (shownLine.test(lines[index + 1] ?? "") && line !== "…") path = line;
    } else if (path !== undefined && line.startsWith("*")) {
      const number = Number(match[1]);
      hits.push({ path, startLine: number, endLine: number, snippet: line.slice(match[0].length) });
    }
  }
  const isMore = /^\[(?:\d+ matches in all|There are more matches than are shown|Shown: the first \d+ of)/;
  return { hits, isLast: !lines.some((line) => isMore.test(line)) };
}
