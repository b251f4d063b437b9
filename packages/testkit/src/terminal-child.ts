// A program that takes the terminal it runs in, and writes what happens into a file (its first argument), one line each. Keys:
// ctrl+d stops, `q` settles and stops, ctrl+z suspends, `e` exits in the middle, `t` throws, `w` writes a megabyte.

import { appendFileSync } from "node:fs";
import { ProcessTerminal } from "@stet/tui/terminal/process-terminal";
import { suspendProcess } from "@stet/tui/terminal/suspend";
import type { TerminalHandlers } from "@stet/tui/terminal/terminal";

const [, , path = ""] = process.argv;
const log = (line: string): void => appendFileSync(path, `${line}\n`);

const terminal = new ProcessTerminal();
const handlers: TerminalHandlers = {
  onInput: (input) => {
    if (input.kind === "paste") return log(`paste ${input.text.length}`);
    log(`key ${input.id}`);
    if (input.id === "ctrl+d") terminal.stop();
    if (input.id === "q") void settleAndStop();
    if (input.id === "ctrl+z") suspend();
    if (input.id === "e") process.exit(7);
    if (input.id === "t") throw new Error("a bug");
    if (input.id === "w") writeMuch();
  },
  onResize: () => log(`size ${terminal.columns}x${terminal.rows}`),
  onCapabilities: () => log(`capabilities ${JSON.stringify(terminal.capabilities)}`),
  onFocus: (isFocused) => log(`focus ${isFocused}`),
  onDrain: () => log("drained"),
  onLost: () => {
    log("lost");
    terminal.stop();
  },
};

async function settleAndStop(): Promise<void> {
  await terminal.settle();
  terminal.stop();
  log("stopped");
}

function suspend(): void {
  terminal.stop();
  suspendProcess(() => {
    terminal.start(handlers);
    log("resumed");
  });
}

function writeMuch(): void {
  terminal.write("x".repeat(1_000_000));
  log(`backlog ${terminal.hasBacklog}`);
}

terminal.start(handlers);
log("started");
