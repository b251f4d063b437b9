// The answers that one can choose from, and what choosing one means.

import type { Question } from "@stet/protocol/question";
import { optionText } from "@stet/protocol/question-text";

export type QuestionChoice =
  /** `key` is a letter that chooses it, beside its number. */
  | { readonly kind: "answer"; readonly answer: string; readonly label: string; readonly key?: string }
  /** One of several that may be chosen together. */
  | { readonly kind: "part"; readonly answer: string; readonly label: string }
  | { readonly kind: "done"; readonly label: string }
  | { readonly kind: "own"; readonly label: string };

const recommendedMark = " (Recommended)";

export function questionChoices(question: Question): QuestionChoice[] {
  if (question.kind === "permission") {
    const choices = question.options.map((option): QuestionChoice => {
      const key = option.kind === "allow_once" ? "y" : option.kind === "deny" ? "n" : undefined;
      return {
        kind: "answer",
        answer: option.id,
        label: optionText(option),
        ...(key === undefined ? {} : { key }),
      };
    });
    return [...choices, { kind: "own", label: "Deny, and say what to do instead" }];
  }
  const { options, multi = false } = question;
  const own: QuestionChoice = { kind: "own", label: "Other (type your own)" };
  if (!multi)
    return [...options.map((label): QuestionChoice => ({ kind: "answer", answer: label, label })), own];
  const parts = options.map((label): QuestionChoice => ({ kind: "part", answer: label, label }));
  return [...parts, { kind: "done", label: "Done selecting" }, own];
}

/** Where the selection begins, and what is answered when nobody does: what is recommended, else the first. */
export function recommendedChoice(choices: readonly QuestionChoice[]): number {
  const index = choices.findIndex(({ label }) => label.endsWith(recommendedMark));
  return Math.max(0, index);
}

/** What Esc answers; undefined where it stops the turn. */
export function denial(question: Question): string | undefined {
  if (question.kind === "clarification") return undefined;
  return question.options.find(({ kind }) => kind === "deny")?.id ?? "deny";
}

/** Several answers in one: by their texts, or by their numbers where a text has a comma in it. */
export function joinedAnswers(choices: readonly QuestionChoice[], chosen: ReadonlySet<number>): string {
  const picked = [...chosen].toSorted((one, other) => one - other);
  const texts = picked.map((index) => choices[index]?.label ?? "");
  return (texts.some((text) => text.includes(",")) ? picked.map((index) => String(index + 1)) : texts).join(
    ", ",
  );
}
