// The practice model's adapter to toolset paper: one document, lines counted from 1.
//
//   edits    a few single lines are written as lines, text at the end is appended; whatever else moves lines is the whole
//            text written anew, and is refused for a paper that is too long for that
//   verify   once, after everything; its counts are reported
//   calls    a turn of this toolset ends at its fifteenth request to the model, and the last two are for verifying and
//            answering

import { isRecord } from "@stet/protocol/json-record";
import { type Fields, noCallsLeft, Obstacle, type Steps } from "./steps.ts";
import {
  call,
  edited,
  itemsIn,
  numberIn,
  oneByOne,
  type RowEdit,
  runNothing,
  type ToolsetAdapter,
  textIn,
} from "./toolset.ts";
import { counted } from "./words.ts";

const paperName = "the paper";
const maxCalls = 13;
const maxLineEdits = 8;
const searchLimit = 100;
const linesPerPage = 400;
/** What is written anew as a whole must fit into one call. */
const maxRewritten = 60_000;

export const paperAdapter: ToolsetAdapter = {
  tools: ["search_paper", "get_context_lines", "write_replace_line", "write_append", "set_text", "verify"],
  open(offered) {
    let calls = 0;
    let edits = 0;
    /** Whether the last line that was read has a line break behind it. */
    let isClosed = false;
    function* ask(tool: string, thought: string, values: Fields): Steps<Fields | Obstacle> {
      if (calls >= maxCalls && tool !== "verify") return noCallsLeft;
      calls += 1;
      return yield* call(offered, tool, thought, values);
    }
    function* write(tool: string, thought: string, values: Fields): Steps<Obstacle | undefined> {
      const value = yield* ask(tool, thought, values);
      if (value instanceof Obstacle) return value;
      edits += 1;
      return undefined;
    }
    return {
      noun: "paper",
      run: runNothing,
      // biome-ignore lint/correctness/useYield: there is one paper, which needs no call to know.
      *list() {
        return [paperName];
      },
      // biome-ignore lint/correctness/useYield: as above.
      *front() {
        return paperName;
      },
      *search(query) {
        const value = yield* ask("search_paper", `I search for “${query}”.`, { query, limit: searchLimit });
        if (value instanceof Obstacle)
          return value.code === "no_match" ? { hits: [], isComplete: true } : value;
        const hits = itemsIn(value, "results").flatMap((result) => itemsIn(result, "lines").map(hitOf));
        const more = Array.isArray(value.moreLines) && value.moreLines.length > 0;
        const matches = numberIn(value, "matches") ?? hits.length;
        return { hits, isComplete: !more && (numberIn(value, "totalMatches") ?? matches) <= matches };
      },
      *read() {
        const lines: string[] = [];
        for (let page = 0; page < maxCalls; page += 1) {
          const range = { start: lines.length + 1, end: lines.length + linesPerPage };
          const thought = page === 0 ? "I look at the lines." : "";
          const value = yield* ask("get_context_lines", thought, { ranges: [range] });
          if (value instanceof Obstacle) return value;
          const fresh = itemsIn(value, "lines").map((item) => hitOf(item).text);
          lines.push(...fresh);
          // Of a line that is too long for an answer the result has only the beginning.
          if (fresh.length === 0 || fresh.some((line) => /… \(\d+ more characters\)$/.test(line))) break;
          if (lines.length < (numberIn(value, "rows") ?? lines.length)) continue;
          // What stands behind the final line break is no line of the text.
          isClosed = lines.length > 1 && lines.at(-1) === "";
          const isEmpty = lines.length === 1 && lines[0] === "";
          return { path: paperName, lines: isClosed || isEmpty ? lines.slice(0, -1) : lines };
        }
        return new Obstacle(
          "cut",
          "The paper is too long for me to read whole in one turn, so I leave it as it is.",
        );
      },
      *edit(reading, wanted) {
        const single = wanted.flatMap(singleLines);
        if (single.length <= maxLineEdits && single.every(isOneLine)) {
          const made = yield* oneByOne(single, ({ first, lines }, thought) =>
            write("write_replace_line", thought, { lineNumber: first, text: lines[0] }),
          );
          return { ...made, made: made.obstacle === undefined ? wanted.length : made.made };
        }
        const lines = edited(reading.lines, wanted);
        const added = lines.slice(reading.lines.length).join("\n");
        const isAppended = wanted.length === 1 && (wanted[0]?.first ?? 0) > reading.lines.length;
        const text = lines.join("\n") + (isClosed && lines.length > 0 ? "\n" : "");
        if (!isAppended && text.length > maxRewritten) {
          const size = counted(text.length, "character");
          const sentence = `This moves lines, so all ${size} of the paper would have to be written anew, which is too much for one call. I can change single lines of it, and append to it.`;
          return { made: 0, obstacle: new Obstacle("too_long", sentence) };
        }
        const appended = isClosed ? `${added}\n` : reading.lines.length === 0 ? added : `\n${added}`;
        const obstacle = isAppended
          ? yield* write("write_append", "I append it.", { text: appended })
          : yield* write("set_text", "The whole text is written anew.", { text });
        return { made: obstacle === undefined ? wanted.length : 0, obstacle };
      },
      *finish(language) {
        if (edits === 0) return undefined;
        const isVietnamese = language === "vi";
        const thought = isVietnamese ? "Tôi kiểm tra kết quả." : "I verify the result.";
        const value = yield* ask("verify", thought, {});
        if (value instanceof Obstacle)
          return `${isVietnamese ? "Chưa kiểm tra được" : "I could not verify it"}: ${value.sentence}`;
        const changes = isRecord(value.changes) ? value.changes : value;
        const [added, removed] = [numberIn(changes, "added"), numberIn(changes, "removed")];
        if (added === undefined || removed === undefined) return undefined;
        return isVietnamese
          ? `Kiểm tra: so với ban đầu, thêm ${added} dòng, bớt ${removed} dòng.`
          : `Verified: against the paper as it was, ${counted(added, "line")} added and ${counted(removed, "line")} removed.`;
      },
    };
  },
};

function hitOf(item: Fields) {
  const line = numberIn(item, "line") ?? numberIn(item, "lineNumber") ?? 0;
  return { path: paperName, line, text: textIn(item, "content") ?? textIn(item, "text") ?? "" };
}

/** A replacement of lines by as many others, line by line. */
function singleLines(edit: RowEdit): readonly RowEdit[] {
  if (edit.lines.length !== edit.last - edit.first + 1) return [edit];
  return edit.lines.map((line, index) => {
    const at = edit.first + index;
    return { first: at, last: at, lines: [line] };
  });
}

function isOneLine({ first, last, lines }: RowEdit): boolean {
  return first === last && lines.length === 1;
}
