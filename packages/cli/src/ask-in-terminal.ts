// A question of the agent, asked in the terminal. Where nobody can answer, it is skipped.

import { setImmediate } from "node:timers/promises";
import type { Question } from "@stet/protocol/question";
import { noAnswer, optionTexts, questionText } from "@stet/protocol/question-text";
import type { AskPerson } from "@stet/tools/capabilities";
import { formatDiff } from "./format-diff.ts";
import { ctrlC } from "./keyboard.ts";
import type { Terminal } from "./terminal.ts";

export interface TerminalAskOptions {
  /** Stops the turn, as Ctrl-C does while nobody is asked. */
  readonly interrupt: () => void;
  /** Clears what is being written over, and does not write again until the returned function is called. */
  readonly holdStatus: () => () => void;
  /** What a call would change, as a unified diff; of the session's own agent unless one is named. */
  readonly previewOf: (callId: string, agent: string | undefined) => string | undefined;
}

export function askInTerminal(
  terminal: Terminal,
  { interrupt, holdStatus, previewOf }: TerminalAskOptions,
): AskPerson {
  return async (question, signal, callId) => {
    const person = terminal.person();
    if (person === undefined) return noAnswer;
    // The call that asks is shown first.
    await setImmediate();
    const release = holdStatus();
    try {
      const { keys, show } = person;
      const asker = question.agent === undefined ? "" : `${question.agent} asks: `;
      show(`\n${terminal.style("bold", `${asker}${questionText(question)}`)}\n`);
      const diff = previewOf(callId, question.agent);
      if (diff !== undefined) show(`${formatDiff(terminal, diff)}\n`);
      const texts = optionTexts(question);
      for (const [index, text] of texts.entries()) show(`  ${index + 1}. ${text}\n`);
      const isPermission = question.kind === "permission";
      show(terminal.style("dim", `${isPermission ? permissionHint : hintFor(texts)}\n`));
      for (;;) {
        show("> ");
        const typed = await keys.line(show, signal);
        if (typed === ctrlC) interrupt();
        if (typed === undefined || typed === ctrlC || signal.aborted) return noAnswer;
        const answer = typed.trim();
        if (answer === "" && !isPermission) return noAnswer;
        if (/^\d+$/.test(answer) && texts.length > 0) {
          const option = question.options[Number(answer) - 1];
          if (option !== undefined) return typeof option === "string" ? option : option.id;
          show(`There is no ${answer}: 1 to ${texts.length}.\n`);
          continue;
        }
        return shortAnswer(question, answer) ?? answer;
      }
    } finally {
      release();
    }
  };
}

/** The option of a permission that a short word stands for; nothing typed denies. */
function shortAnswer(question: Question, answer: string): string | undefined {
  if (question.kind !== "permission") return undefined;
  const word = answer.toLowerCase();
  const kind = ["y", "yes", "allow", "ok"].includes(word)
    ? "allow_once"
    : ["", "n", "no", "deny"].includes(word) && "deny";
  return question.options.find((option) => option.kind === kind)?.id;
}

const permissionHint =
  "A number, y (allow once) or n. Enter denies; other words deny, and the agent is told them. Ctrl-C stops the turn.";

function hintFor(options: readonly string[]): string {
  const what = options.length > 0 ? "A number, or an answer in your words." : "Your answer.";
  return `${what} Enter gives none: the agent goes on as it thinks best. Ctrl-C stops the turn.`;
}
