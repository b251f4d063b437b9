// A question of the agent, asked in the terminal. Where nobody can answer, it is skipped.

import { Writable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import type { AskPerson } from "@stet/tools/project/project-toolset";
import { printable, type Terminal } from "./terminal.ts";

export const noAnswer = "no_user_answer";

export function askInTerminal(terminal: Terminal): AskPerson {
  return async (question, options, signal) => {
    if (!terminal.isInteractive) return noAnswer;
    // The call that asks is shown first.
    await setImmediate();
    terminal.note(`\n${terminal.style("bold", printable(question))}\n`);
    for (const [index, option] of options.entries()) terminal.note(`  ${index + 1}. ${printable(option)}\n`);
    const { createInterface } = await import("node:readline/promises");
    const output = new Writable({
      write(data, _encoding, done) {
        terminal.note(String(data));
        done();
      },
    });
    const lines = createInterface({ input: terminal.keys, output, terminal: terminal.keys.isTTY === true });
    try {
      const answer = (await lines.question("(Enter to skip) > ", { signal })).trim();
      return answer === "" ? noAnswer : (options[Number(answer) - 1] ?? answer);
    } catch {
      return noAnswer;
    } finally {
      lines.close();
    }
  };
}
