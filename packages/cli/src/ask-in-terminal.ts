// A question of the agent, asked in the terminal. Where nobody can answer, it is skipped.

import { setImmediate } from "node:timers/promises";
import type { AskPerson } from "@stet/tools/capabilities";
import { isPermissionQuestion, optionFor } from "@stet/tools/permission/question";
import { formatDiff } from "./format-diff.ts";
import { ctrlC } from "./keyboard.ts";
import type { Terminal } from "./terminal.ts";

export const noAnswer = "no_user_answer";

export interface AskOptions {
  /** Stops the turn, as Ctrl-C does while nobody is asked. */
  readonly interrupt: () => void;
  /** Clears what is being written over, and does not write again until the returned function is called. */
  readonly holdStatus: () => () => void;
  /** What a call would change, as a unified diff. */
  readonly previewOf: (callId: string) => string | undefined;
}

export function askInTerminal(
  terminal: Terminal,
  { interrupt, holdStatus, previewOf }: AskOptions,
): AskPerson {
  return async (question, options, signal, callId) => {
    const person = terminal.person();
    if (person === undefined) return noAnswer;
    // The call that asks is shown first.
    await setImmediate();
    const release = holdStatus();
    try {
      const { keys, show } = person;
      show(`\n${terminal.style("bold", question)}\n`);
      const diff = previewOf(callId);
      if (diff !== undefined) show(`${formatDiff(terminal, diff)}\n`);
      for (const [index, option] of options.entries()) show(`  ${index + 1}. ${option}\n`);
      const isPermission = isPermissionQuestion(options);
      show(terminal.style("dim", `${isPermission ? permissionHint : hintFor(options)}\n`));
      for (;;) {
        show("> ");
        const typed = await keys.line(show, signal);
        if (typed === ctrlC) interrupt();
        if (typed === undefined || typed === ctrlC || signal.aborted) return noAnswer;
        const answer = typed.trim();
        if (answer === "" && !isPermission) return noAnswer;
        if (/^\d+$/.test(answer) && options.length > 0) {
          const option = options[Number(answer) - 1];
          if (option !== undefined) return option;
          show(`There is no ${answer}: 1 to ${options.length}.\n`);
          continue;
        }
        return optionFor(answer, options) ?? answer;
      }
    } finally {
      release();
    }
  };
}

const permissionHint =
  "A number, y (allow once) or n. Enter denies; other words deny, and the agent is told them. Ctrl-C stops the turn.";

function hintFor(options: readonly string[]): string {
  const what = options.length > 0 ? "A number, or an answer in your words." : "Your answer.";
  return `${what} Enter gives none: the agent goes on as it thinks best. Ctrl-C stops the turn.`;
}
