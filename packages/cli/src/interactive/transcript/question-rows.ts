// A question in the transcript: what was asked, and what was answered. While it waits, the panel in place of the prompt has the
// whole of it.

import type { QuestionItem } from "@stet/client/items";
import { noAnswer, questionText } from "@stet/protocol/question-text";
import type { Theme } from "../theme/theme.ts";
import { cleanLine, cleanText, hanging } from "./rows.ts";

export function questionRows(
  { asked, answer, questionId }: QuestionItem,
  theme: Theme,
  width: number,
): string[] {
  const sign = `${theme.fg("accent", theme.symbol("question"))} `;
  const lines = cleanText(questionText(asked).trim())
    .split("\n")
    .filter((line) => line.trim() !== "");
  return [
    ...hanging(
      sign,
      lines.map((line) => theme.fg("text", line)),
      width,
    ),
    ...hanging(
      `  ${theme.fg("muted", theme.symbol("arrow"))} `,
      [answerText(answer, questionId, theme)],
      width,
    ),
  ];
}

function answerText(answer: string | null, questionId: string | null, theme: Theme): string {
  if (answer === noAnswer) return theme.fg("muted", "no answer");
  if (answer !== null) return theme.emphasis("bold", cleanLine(answer));
  return theme.fg("muted", questionId === null ? "was not answered" : "waits for your answer");
}
