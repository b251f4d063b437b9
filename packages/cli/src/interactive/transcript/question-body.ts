// What is asked, as rows: of a permission the whole command, or the diff of the edit, why it needs permission, and where it
// would run. Nothing of it is left out: a person cannot knowingly allow what they do not see.

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
}

export function questionBodyRows({ question, preview }: QuestionBody, theme: Theme, width: number): string[] {
  if (question.kind === "clarification") return renderMarkdown(question.text.trim(), width, theme);
  const rows = questionParts(question).flatMap((part) => partRows(part, theme, width));
  if (preview === "") return rows;
  return [...rows, ...behind("  ", "  ", width, (room) => diffRows(preview, theme, room))];
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
    case "items": {
      const sign = `${theme.fg("muted", theme.symbol("bullet"))} `;
      return part.items.flatMap((item) => hanging(sign, cleanText(item).split("\n"), width));
    }
  }
}
