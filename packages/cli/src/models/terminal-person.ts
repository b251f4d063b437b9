// Questions to the person before a command's terminal, line by line. What is secret is not echoed.

import { visibleName } from "@stet/protocol/visible";
import type { ChoiceQuestion } from "../interactive/app.ts";
import { ctrlC } from "../keyboard.ts";
import type { Terminal, TerminalInput } from "../terminal.ts";
import type { ConnectPerson } from "./connect-person.ts";

export function terminalPerson(
  terminal: Terminal,
  { keys, show }: TerminalInput,
  signal: AbortSignal,
): ConnectPerson {
  const said = (line: string | undefined) => (line === ctrlC || signal.aborted ? undefined : line?.trim());
  const readLine = async () => said(await keys.line(show, signal));
  return {
    tell: (text) => terminal.note(`${text}\n`),
    async choose<Value>({ title, choices }: ChoiceQuestion<Value>) {
      show(`${terminal.style("bold", title)}\n`);
      const digits = String(choices.length).length;
      const longest = Math.min(40, Math.max(...choices.map(({ label }) => visibleName(label).length)));
      for (const [index, { label, detail = "" }] of choices.entries()) {
        const number = `  ${String(index + 1).padStart(digits)}. `;
        const name = visibleName(label);
        const beside = detail === "" ? name : `${name.padEnd(longest)}  ${terminal.style("dim", detail)}`;
        show(`${number}${beside}\n`);
      }
      for (;;) {
        show(`A number, the beginning of a name, or Enter for none: `);
        const line = await readLine();
        if (line === undefined || line === "") return undefined;
        const numbered = choices[Number(line) - 1];
        const named = choices.filter(({ label, words = "" }) =>
          `${label} ${words}`
            .toLowerCase()
            .split(/\s+/)
            .some((word) => word.startsWith(line.toLowerCase())),
        );
        const exact = choices.find(({ label }) => label === line);
        const chosen = numbered ?? exact ?? (named.length === 1 ? named[0] : undefined);
        if (chosen !== undefined) return chosen.value;
        show(named.length > 1 ? `${named.length} of them begin like that.\n` : `There is no ${line}.\n`);
      }
    },
    async ask({ title, isSecret = false }) {
      const question = `${title} `;
      if (isSecret) return said(await keys.secretLine(question, show, signal));
      show(question);
      return readLine();
    },
    wait: (words, action) => {
      if (terminal.isWatched) terminal.note(terminal.style("dim", `${words} …\n`));
      return action(signal);
    },
  };
}
