import { defineTool, type Tool, type ToolOutcome } from "@stet/agent/tool";
import { Fault, isFault } from "@stet/protocol/fault";
import { hashLines } from "@stet/text/hash";
import { countLines, lineContent } from "@stet/text/lines";
import * as z from "zod";
import { answerBytes, maxAnswerBytes } from "../answer-size.ts";
import { cut, lineWords } from "../call-words.ts";
import { prompt } from "../prompt.ts";
import { openInTurn } from "./project-file.ts";
import type { ProjectContext } from "./project-toolset.ts";

const schema = z.object({
  file_path: z
    .string()
    .min(1)
    .describe("Path from the project's folder, or the artifact:// of a long answer"),
  start_line: z.number().int().positive().optional().describe("First line, from 1"),
  end_line: z.number().int().positive().optional().describe("Last line, inclusive"),
  max_bytes: z.number().int().positive().optional().describe("Stop before so many bytes"),
  start_column: z
    .number()
    .int()
    .positive()
    .optional()
    .describe("First character of start_line, from 1; to go on in a line that is too long for one answer"),
});

type Request = z.infer<typeof schema>;

export function readFileTool(context: ProjectContext): Tool {
  return defineTool({
    name: "read_file",
    description: prompt(import.meta.url, "read_file"),
    traits: ["reads"],
    words: ({ file_path, start_line, end_line }) =>
      `Read ${cut(file_path)}${lineWords(start_line, end_line)}`,
    schema,
    async authorise({ file_path }, call) {
      if (artifactIn(file_path) !== undefined) return undefined;
      const targets = [{ kind: "path", path: file_path, access: "read" }] as const;
      return context.permit({ tool: "read_file", targets }, call);
    },
    async execute(request) {
      const artifact = artifactIn(request.file_path);
      if (artifact !== undefined) return readArtifact(context, Number(artifact), request);
      return readLines(context, request);
    },
  });
}

function artifactIn(path: string): string | undefined {
  return /^artifact:\/\/(\d+)$/.exec(path)?.[1];
}

function readLines(context: ProjectContext, request: Request): ToolOutcome | Fault {
  const { limits, sight } = context;
  const { file_path, start_line = 1, end_line, max_bytes = limits.readBytes, start_column = 1 } = request;
  const file = openInTurn(context, file_path);
  if (isFault(file)) return file;
  const { text } = file.history;
  const total = countLines(text);
  if (start_line > Math.max(1, total) || (end_line !== undefined && end_line < start_line))
    return outOfRange(start_line, end_line ?? start_line, total);
  const lines: string[] = [];
  let bytes = 0;
  const last = Math.min(end_line ?? total, total, start_line + limits.readLines - 1);
  const most = Math.min(max_bytes, limits.readBytes, maxAnswerBytes);
  for (let line = start_line; line <= last; line += 1) {
    const content = lineContent(text, line - 1).slice(lines.length === 0 ? start_column - 1 : 0);
    bytes += answerBytes(content) + 2;
    if (bytes > most && lines.length > 0) break;
    lines.push(content);
  }
  const [first = ""] = lines;
  const piece = answerBytes(first) > most ? pieceOf(first, most) : undefined;
  const end = start_line + lines.length - 1;
  const isWhole = piece === undefined && start_column === 1;
  if (lines.length > 1) sight.show(file, start_line + 1, end);
  if (lines.length > 0) sight.show(file, start_line, start_line, isWhole);
  const content = {
    file_path,
    start_line,
    ...(start_column === 1 ? {} : { start_column }),
    end_line: end,
    total_lines: total,
    hash: total === 0 ? undefined : hashLines(text, start_line, end),
    content: piece ?? lines.join("\n"),
    ...(isWhole ? {} : partOf(piece ?? first, start_column, lineContent(text, start_line - 1).length)),
  };
  const next = piece === undefined ? end + 1 : end;
  const more = next <= total ? { has_more: true, next_start_line: next } : {};
  const goOn = piece === undefined ? {} : { next_start_column: start_column + piece.length };
  return {
    content: { ...content, ...more, ...goOn },
    details: { file_path, start_line, end_line: end, total_lines: total },
  };
}

/** The hash is of the whole line, so it confirms a replacement of the whole line, and of nothing else. */
function partOf(shown: string, column: number, length: number): Record<string, string> {
  return {
    note: `Characters ${column}-${column + shown.length - 1} of ${length} are shown. The hash is of the whole line: an edit replaces all of it.`,
  };
}

/** The longest start of a line that fits, never half a character. */
function pieceOf(line: string, most: number): string {
  let length = Math.min(line.length, most);
  while (length > 1 && answerBytes(line.slice(0, length)) > most) length = Math.floor(length / 2);
  const piece = line.slice(0, length);
  return piece.isWellFormed() || length === 1 ? piece : line.slice(0, length - 1);
}

/** An output that was too long to be shown whole. */
function readArtifact(
  { readArtifact: read, limits }: ProjectContext,
  number: number,
  { start_line: line = 1, start_column: column = 1 }: Request,
): ToolOutcome | Fault {
  const part = (maxCharacters: number) =>
    read?.(number, { line, column }, { maxLines: limits.readLines, maxCharacters });
  const first = part(maxAnswerBytes);
  // Kept answers are JSON themselves: what has to be escaped once more takes twice the room.
  const bytes = first === undefined || isFault(first) ? 0 : answerBytes(first.text);
  const page =
    bytes > maxAnswerBytes ? part(Math.floor((maxAnswerBytes * maxAnswerBytes) / (2 * bytes))) : first;
  if (page === undefined) {
    return new Fault(
      "file_not_found",
      `There is no artifact ${number}.`,
      "Call the tool again whose answer you need.",
    );
  }
  if (isFault(page)) return page;
  const { text, totalLines, next } = page;
  const shown = {
    file_path: `artifact://${number}`,
    start_line: line,
    ...(column === 1 ? {} : { start_column: column }),
    end_line: line + text.replace(/\n$/, "").split("\n").length - 1,
    total_lines: totalLines,
  };
  const more =
    next === undefined
      ? {}
      : {
          has_more: true,
          next_start_line: next.line,
          ...(next.column === 1 ? {} : { next_start_column: next.column }),
        };
  return { content: { ...shown, content: text.replace(/\n$/, ""), ...more }, details: shown };
}

function outOfRange(start: number, end: number, total: number): Fault {
  return new Fault(
    "invalid_line_range",
    start > end
      ? `Line range ${start}-${end} ends before it starts.`
      : `Line ${start} does not exist: the file has ${total} lines.`,
    "Use line numbers within the file.",
    { requested_start: start, requested_end: end, document_lines: total },
  );
}
