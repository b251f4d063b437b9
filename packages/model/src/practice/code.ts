// The practice model's adapter to toolset code: read, search, find, edit, bash, job. Their answers are text: lines of
// files are `41th|text` or `41|text`, and what is said beside them stands in lines of another form.
//
//   reading   from a line on, which shows every line where reading a file without a line may show a summary
//   edit      in the mode hashline, which is seen from its parameters: ops by anchors, all in one call
//   refused   once the person did not allow something, no further call is made in the turn

import { isRecord } from "@stet/protocol/json-record";
import type { ToolDescription } from "@stet/protocol/model-stream";
import { commandAnswer } from "./code-command.ts";
import { hashlineInput } from "./code-edit.ts";
import { readPages } from "./code-read.ts";
import { Obstacle, type Steps } from "./steps.ts";
import {
  call,
  type LineSearchOptions,
  type PracticeTools,
  type ReadLines,
  type RowEdit,
  type SearchAnswer,
  type SearchHit,
  type ToolsetAdapter,
  textIn,
} from "./toolset.ts";

/** The text of an answer. */
export type AskCode = (
  tool: string,
  thought: string,
  values: Readonly<Record<string, unknown>>,
) => Steps<string | Obstacle>;

const listLimit = 1000;
const placesPerPage = 50;
const maxPlaces = 500;

export const codeAdapter: ToolsetAdapter = {
  tools: ["read", "search", "find", "edit", "bash", "job"],
  open(offered): PracticeTools {
    const canEdit = isHashline(offered.find(({ name }) => name === "edit"));
    const anchors = new Map<string, readonly string[]>();
    let refusal: Obstacle | undefined;
    const ask: AskCode = function* (tool, thought, values) {
      if (refusal !== undefined) return refusal;
      const value = yield* call(offered, tool, thought, values, true);
      if (!(value instanceof Obstacle)) return textIn(value, "text") ?? "";
      if (value.code === "not_allowed")
        refusal = new Obstacle("stopped", `${value.sentence} So I stop here.`);
      return refusal ?? value;
    };
    return {
      noun: "file",
      *list(prefix) {
        const values = { pattern: "*", path: prefix, limit: listLimit };
        const text = yield* ask("find", "I look which files there are.", values);
        if (text instanceof Obstacle) return text;
        if (text.startsWith("No files found")) return [];
        const lines = text.split("\n").filter((line) => line !== "");
        if (!lines.some((line) => /^\[(?:(?:More than )?\d+ more; |Shown: the first \d+ of )/.test(line)))
          return lines.sort();
        const sentence = `There are more files than I list at once. Name a folder with fewer, such as “in the folder src”.`;
        return new Obstacle("too_many", sentence);
      },
      search: (text, options) => searchPages(ask, text, options),
      *read(path) {
        const pages = yield* readPages(ask, path);
        if (pages instanceof Obstacle) return pages;
        anchors.set(path, pages.anchors);
        return { path, lines: pages.lines };
      },
      *edit(reading, edits) {
        const known = anchors.get(reading.path) ?? [];
        const values = canEdit ? editValues(reading, known, edits) : otherMode;
        if (values instanceof Obstacle) return { made: 0, obstacle: values };
        const text = yield* ask("edit", `I edit ${reading.path}.`, values);
        return text instanceof Obstacle
          ? { made: 0, obstacle: firstLineOf(text) }
          : { made: edits.length, obstacle: warningIn(text) };
      },
      run: (command) => commandAnswer(ask, command),
    };
  },
};

/** Another mode has a parameter of that name, for patches. */
function isHashline(edit: ToolDescription | undefined): boolean {
  const properties = edit?.parameters.properties;
  if (!isRecord(properties)) return true;
  return "input" in properties && `${edit?.description}${JSON.stringify(properties.input)}`.includes("§");
}

function editValues(
  reading: ReadLines,
  anchors: readonly string[],
  edits: readonly RowEdit[],
): Readonly<Record<string, unknown>> | Obstacle {
  const { path, lines } = reading;
  const taken = edits.flatMap(({ first, last }) => lines.slice(first - 1, last));
  if (taken.some((line) => line.includes("[redacted:"))) {
    const sentence = `A line of ${path} holds a secret that I am not shown, so I leave the file as it is.`;
    return new Obstacle("not_readable", sentence);
  }
  const input = hashlineInput(path, lines, anchors, edits);
  return input instanceof Obstacle ? input : { input };
}

const otherMode = new Obstacle(
  "not_offered",
  "The tool edit is set to a mode that I do not know: the practice model edits in the mode hashline only. Choose it with the setting edit.mode.",
);

/** What does not fit any more is a file that has moved on; the lines around it are for the model only. */
function firstLineOf({ code, sentence }: Obstacle): Obstacle {
  const isMoved = /^(?:stale_anchor|invalid_line_range|no_match|ambiguous_match)$/.test(code);
  return new Obstacle(isMoved ? "stale_anchor" : code, sentence.split("\n", 1)[0] ?? sentence);
}

function warningIn(text: string): Obstacle | undefined {
  const warning = /\nWarnings:\n(.*)/.exec(text)?.[1];
  if (warning === undefined) return undefined;
  return new Obstacle("altered", `The edit was made, but not quite as I meant it: ${warning}`);
}

const numberedLine = /^[* ](\d+)(?:[a-z]{2})?\|/;
const moreNote = /^\[(?:\d+ matches in all|There are more matches than are shown|Shown: the first \d+ of)/;

/** Excerpts of files: the path, then its lines; "…" between lines that are apart. */
function* searchPages(
  ask: AskCode,
  pattern: string,
  { path, ignoresCase }: LineSearchOptions,
): Steps<SearchAnswer | Obstacle> {
  const hits: SearchHit[] = [];
  for (let skip = 0; skip < maxPlaces; skip += placesPerPage) {
    const text = yield* ask("search", skip === 0 ? `I search for “${pattern}”.` : "", {
      pattern,
      literal: true,
      i: ignoresCase || undefined,
      paths: path === undefined ? undefined : [path.replace(/\/\*\*$/, "")],
      skip: skip === 0 ? undefined : skip,
    });
    if (text instanceof Obstacle) return text;
    const lines = text.split("\n");
    let file: string | undefined;
    for (const [index, line] of lines.entries()) {
      const match = numberedLine.exec(line);
      if (match === null) {
        if (numberedLine.test(lines[index + 1] ?? "") && line !== "…") file = line;
      } else if (file !== undefined && line.startsWith("*")) {
        hits.push({ path: file, line: Number(match[1]), text: line.slice(match[0].length) });
      }
    }
    if (!lines.some((line) => moreNote.test(line))) return { hits, isComplete: true };
  }
  return { hits, isComplete: false };
}
