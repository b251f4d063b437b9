// The practice model's adapter to toolset project: search_project, read_file, list_files, clarify_user, edit_file.
//
//   reading   page by page until the last line; a page that was cut is never used for an edit
//   hashes    sha256 of the target lines joined by "\n", so that an edit lands on the lines that were read or is refused

import { createHash } from "node:crypto";
import { isRecord } from "@stet/protocol/json-record";
import { Obstacle, type Steps, unreadable } from "./steps.ts";
import {
  call,
  itemsIn,
  notWhole,
  numberIn,
  oneByOne,
  pageLines,
  type ReadLines,
  type RowEdit,
  runNothing,
  type ToolsetAdapter,
  textIn,
} from "./toolset.ts";

const searchLimit = 50;
/** Small enough that the result reaches the model whole. */
const linesPerPage = 500;
const bytesPerPage = 32_768;
const maxPages = 400;

export const projectAdapter: ToolsetAdapter = {
  tools: ["search_project", "read_file", "list_files", "clarify_user", "edit_file"],
  open: (offered) => ({
    noun: "file",
    run: runNothing,
    *list(prefix) {
      const value = yield* call(offered, "list_files", "I look which files there are.", { prefix });
      if (value instanceof Obstacle) return value;
      const files: readonly unknown[] = Array.isArray(value.files) ? value.files : [];
      return files.flatMap((file) => {
        const path = isRecord(file) ? textIn(file, "file_path") : file;
        return typeof path === "string" ? [path] : [];
      });
    },
    *search(query, { path }) {
      const values = { query, glob: path, limit: searchLimit };
      const value = yield* call(offered, "search_project", `I search for “${query}”.`, values);
      // More than a result may hold: then nothing is known but that there is more.
      if (value instanceof Obstacle)
        return value.code === unreadable ? { hits: [], isComplete: false } : value;
      const hits = itemsIn(value, "results").flatMap((result) => {
        const start = numberIn(result, "start_line") ?? 1;
        const lines = (textIn(result, "snippet") ?? "").split("\n");
        const filePath = textIn(result, "file_path") ?? "";
        return lines.map((text, index) => ({ path: filePath, line: start + index, text }));
      });
      const isComplete = value.truncated !== true && itemsIn(value, "results").length < searchLimit;
      return { hits, isComplete };
    },
    *read(path) {
      const lines: string[] = [];
      for (let page = 0; page < maxPages; page += 1) {
        const value = yield* call(offered, "read_file", page === 0 ? `I read ${path}.` : "", {
          file_path: path,
          start_line: lines.length + 1,
          end_line: lines.length + linesPerPage,
          max_bytes: bytesPerPage,
        });
        if (value instanceof Obstacle) return value;
        const total = numberIn(value, "total_lines") ?? 0;
        const end = numberIn(value, "end_line") ?? total;
        const fresh = total === 0 ? [] : pageLines(textIn(value, "content") ?? "", end - lines.length);
        lines.push(...fresh);
        const isCut = value.truncated === true && end >= total;
        if (lines.length >= total && !isCut) return { path: textIn(value, "file_path") ?? path, lines };
        if (fresh.length === 0) break;
      }
      return notWhole(path);
    },
    edit: (reading, edits, reason) =>
      oneByOne(edits, function* (edit, thought): Steps<Obstacle | undefined> {
        const values = { ...editValues(reading, edit), rationale: reason };
        const value = yield* call(offered, "edit_file", thought, values);
        return value instanceof Obstacle ? value : undefined;
      }),
    *ask(question, options) {
      const values = { question, options: options.length > 0 ? options : undefined };
      const thought = "This can be meant in more than one way, so I ask.";
      const value = yield* call(offered, "clarify_user", thought, values);
      if (value instanceof Obstacle) return value;
      const answer = textIn(value, "answer")?.trim() ?? "";
      return answer === "" || answer === "no_user_answer"
        ? new Obstacle("no_user_answer", "The question was not answered.")
        : answer;
    },
  }),
};

function editValues({ path, lines }: ReadLines, { first, last, lines: fresh }: RowEdit) {
  const isInsertion = last < first;
  // The hash guards the lines that are changed; for an insertion the one that it precedes.
  const target = lines.slice(first - 1, isInsertion ? first : last);
  const hash = createHash("sha256").update(target.join("\n")).digest("hex");
  return {
    file_path: path,
    operation: isInsertion ? "insert" : fresh.length === 0 ? "delete" : "replace",
    start_line: first,
    end_line: isInsertion ? undefined : last,
    new_text: fresh.join("\n"),
    expected_hash: target.length === 0 ? undefined : `sha256:${hash}`,
  };
}
