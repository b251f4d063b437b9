import { defineTool, type Tool, type ToolOutcome } from "@stet/agent/tool";
import { Fault, isFault } from "@stet/protocol/fault";
import { hashLines } from "@stet/text/hash";
import { countLines, lineContent } from "@stet/text/lines";
import * as z from "zod";
import { prompt } from "../prompt.ts";
import type { ProjectContext } from "./project-toolset.ts";

export function readFileTool(context: ProjectContext): Tool {
  const { workspace, turn, limits, shown } = context;
  return defineTool({
    name: "read_file",
    description: prompt(import.meta.url, "read_file"),
    mode: "shared",
    schema: z.object({
      file_path: z.string().min(1).describe("Path from the project's folder"),
      start_line: z.number().int().positive().optional().describe("First line, from 1"),
      end_line: z.number().int().positive().optional().describe("Last line, inclusive"),
      max_bytes: z.number().int().positive().optional().describe("Stop before so many bytes"),
    }),
    async execute({ file_path, start_line = 1, end_line, max_bytes = limits.readBytes }) {
      const artifact = /^artifact:\/\/(\d+)$/.exec(file_path)?.[1];
      if (artifact !== undefined) return readArtifact(context, Number(artifact), start_line);
      const opened = workspace.documents.open(file_path);
      if (isFault(opened)) return opened;
      const history = turn.read(opened.id);
      if (isFault(history)) return history;
      const { text } = history;
      const total = countLines(text);
      if (start_line > Math.max(1, total) || (end_line !== undefined && end_line < start_line)) {
        return outOfRange(start_line, end_line ?? start_line, total);
      }
      const lines: string[] = [];
      let bytes = 0;
      const last = Math.min(end_line ?? total, total, start_line + limits.readLines - 1);
      for (let line = start_line; line <= last; line += 1) {
        const content = lineContent(text, line - 1);
        bytes += Buffer.byteLength(content) + 1;
        if (bytes > Math.min(max_bytes, limits.readBytes) && lines.length > 0) break;
        lines.push(content);
      }
      shown.show(opened.id, history.revision);
      const end = start_line + lines.length - 1;
      const hash = total === 0 ? undefined : hashLines(text, start_line, end);
      const content = {
        file_path,
        start_line,
        end_line: end,
        total_lines: total,
        hash,
        content: lines.join("\n"),
      };
      const more = end < total ? { has_more: true, next_start_line: end + 1 } : {};
      return {
        content: { ...content, ...more },
        details: { file_path, start_line, end_line: end, total_lines: total },
      };
    },
  });
}

/** An output that was too long to be shown whole. */
function readArtifact(
  { readArtifact: read, limits }: ProjectContext,
  number: number,
  startLine: number,
): ToolOutcome | Fault {
  const lines = read?.(number, startLine, limits.readLines);
  if (lines === undefined) {
    return new Fault(
      "file_not_found",
      `There is no artifact ${number}.`,
      "Call the tool again whose answer you need.",
    );
  }
  if (isFault(lines)) return lines;
  const end = startLine + lines.text.split("\n").length - 1;
  const content = {
    file_path: `artifact://${number}`,
    start_line: startLine,
    end_line: end,
    total_lines: lines.totalLines,
  };
  return { content: { ...content, content: lines.text }, details: content };
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
