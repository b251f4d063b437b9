// What is asked, as rows: of a permission the whole command, or the diff of the edit, why it needs permission, and where it
// would run. Nothing of it is left out: a person cannot knowingly allow what they do not see.

import { isRecord } from "@stet/protocol/json-record";
import type { Question } from "@stet/protocol/question";
import { type QuestionPart, questionParts } from "@stet/protocol/question-text";
import type { Theme } from "../theme/theme.ts";
import { CodeLines } from "./code-block.ts";
import { diffRows } from "./diff-rows.ts";
import { renderMarkdown } from "./markdown.ts";
import { behind, cleanText, hanging, wrapLines } from "./rows.ts";

export interface QuestionBody {
  readonly question: Question;
  /** What the call would change, as a unified diff; empty where nothing is known. */
  readonly preview: string;
  /** Arguments of the call, for an edit without a preview. */
  readonly call?: unknown;
}

export function questionBodyRows(body: QuestionBody, theme: Theme, width: number): string[] {
  const { question, preview, call } = body;
  if (question.kind === "clarification") return renderMarkdown(question.text.trim(), width, theme);
  const parts = questionParts(question);
  const rows = parts.flatMap((part) => partRows(part, theme, width));
  const isTold = call === undefined || parts.some(({ kind }) => kind === "command" || kind === "text");
  if (preview === "") return isTold ? rows : [...rows, ...argumentRows(call, theme, width)];
  return [...rows, ...behind("  ", "  ", width, (room) => diffRows(preview, theme, room))];
}

/** Each with its name; a text of several lines below it. */
function argumentRows(call: unknown, theme: Theme, width: number): string[] {
  if (!isRecord(call)) return [];
  return Object.entries(call).flatMap(([name, value]) => {
    const text = typeof value === "string" ? value.trimEnd() : JSON.stringify(value);
    const [first = "", ...more] = cleanText(text).split("\n");
    const lines = more.length === 0 ? [`${name}: ${first}`] : [`${name}:`, first, ...more];
    return behind("  ", "  ", width, (room) =>
      wrapLines(
        lines.map((line) => theme.fg("toolOutput", cleanText(line))),
        room,
      ),
    );
  });
}

function partRows(part: QuestionPart, theme: Theme, width: number): string[] {
  switch (part.kind) {
    case "words":
      return wrapLines(cleanText(part.text).split("\n"), width);
    case "command": {
      const code = new CodeLines("sh", theme);
      const lines = cleanText(part.text).split("\n");
      return behind("  ", "  ", width, (room) => lines.flatMap((line) => code.rows(line, room)));
    }
    case "text":
      return behind("  ", "  ", width, (room) => wrapLines(cleanText(part.text).split("\n"), room));
    case "items": {
      const sign = `${theme.fg("muted", theme.symbol("bullet"))} `;
      return part.items.flatMap((item) => hanging(sign, cleanText(item).split("\n"), width));
    }
  }
}
