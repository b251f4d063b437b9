// A question in the transcript: what was asked, and what was answered. While it waits, the panel in place of the prompt has the
// whole of it.

import type { QuestionItem } from "@stet/client/items";
import { noAnswer, questionText } from "@stet/protocol/question-text";
import type { Theme } from "../theme/theme.ts";
import { cleanLine, cleanText, hanging } from "./rows.ts";

/** The call below it says what was done. */
const maxPermissionLines = 4;

export function questionRows(item: QuestionItem, theme: Theme, width: number): string[] {
  const { asked, answer, questionId } = item;
  const sign = `${theme.fg("accent", theme.symbol("question"))} `;
  if (questionId !== null) {
    const what =
      asked.kind === "permission"
        ? `${cleanLine(asked.tool)} waits for your permission`
        : "The agent asks you";
    return hanging(sign, [theme.fg("text", what)], width);
  }
  const lines = cleanText(questionText(asked).trim())
    .split("\n")
    .filter((line) => line.trim() !== "");
  const shown = asked.kind === "permission" ? lines.slice(0, maxPermissionLines) : lines;
  return [
    ...hanging(
      sign,
      shown.map((line) => theme.fg("text", line)),
      width,
    ),
    ...hanging(`  ${theme.fg("muted", theme.symbol("arrow"))} `, [answerText(answer, theme)], width),
  ];
}

function answerText(answer: string | null, theme: Theme): string {
  if (answer === noAnswer) return theme.fg("muted", "no answer");
  if (answer !== null) return theme.emphasis("bold", cleanLine(answer));
  return theme.fg("muted", "was not answered");
}
