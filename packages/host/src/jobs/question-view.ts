// A question and its answer as the API and the log tell them: as data, and how both read.

import type { EventData } from "@stet/protocol/events/log-event";
import { optionOf, optionText, optionTexts, questionText } from "@stet/protocol/question-text";
import type { OpenQuestion } from "../store/store.ts";

export function questionView({ id, asked }: OpenQuestion): EventData<"clarification.requested"> {
  return { question_id: id, question: questionText(asked), options: optionTexts(asked), asked };
}

export function answerView({ id, asked }: OpenQuestion, answer: string): EventData<"clarification.received"> {
  const option = optionOf(asked, answer);
  if (option === undefined) return { question_id: id, answer };
  return { question_id: id, answer: optionText(option), option_id: option.id };
}
