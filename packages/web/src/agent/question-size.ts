// How much of a question is shown and read out at once.

import { cutText } from "@stet/protocol/cut-text";
import type { Question } from "@stet/protocol/question";
import { questionText } from "@stet/protocol/question-text";

/** As much as fits into the card without scrolling, also in a narrow window. */
const fittingCharacters = 500;
const fittingLines = 10;
const announcedCharacters = 300;

/** Whether it may have to be scrolled. */
export function isLongQuestion(question: Question): boolean {
  const text = questionText(question);
  return text.length > fittingCharacters || text.split("\n").length > fittingLines;
}

/** What is read out when it appears; the rest is there to be read. */
export function announcedQuestion(question: Question): string {
  return cutText(questionText(question).replace(/\s+/g, " ").trim(), announcedCharacters);
}
