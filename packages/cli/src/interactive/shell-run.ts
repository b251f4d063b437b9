// A command that the person runs from the prompt: their own shell, their own rights, no sandbox and no question, as if they had
// typed it there. Its output is shown as it comes, and controls in it are shown, never obeyed.

import { type ChildProcess, spawn } from "node:child_process";
import { visible } from "@stet/protocol/visible";
import type { Component } from "@stet/tui/component";
import { truncateCells } from "@stet/tui/text/slice";
import { expandTabs } from "@stet/tui/text/width";
import { wrapText } from "@stet/tui/text/wrap";
import type { Interactive } from "./interactive.ts";
import type { Theme } from "./theme/theme.ts";

/** The end of the output that is kept, in characters, and what the agent is told of it. */
const keptCharacters = 200_000;
const toldCharacters = 20_000;
const shownRows = 20;
/** How long a command has between being asked to end and being ended, in milliseconds. */
const graceMs = 2000;

export class ShellRun {
  /** What the agent is told of it; undefined where it could not be started. */
  readonly ended: Promise<string | undefined>;
  readonly #child: ChildProcess;
  readonly #block: ShellBlock;
  #isStopped = false;

  constructor(command: string, app: Interactive) {
    this.#block = new ShellBlock(app.theme, command);
    app.screenParts.show(this.#block);
    const shell = app.environment.SHELL ?? "/bin/sh";
    this.#child = spawn(shell, ["-c", command], {
      cwd: app.folder,
      env: app.environment,
      stdio: ["ignore", "pipe", "pipe"],
      detached: process.platform !== "win32",
    });
    const add = (data: Buffer) => {
      this.#block.add(data.toString("utf8"));
      app.requestRender();
    };
    this.#child.stdout?.on("data", add);
    this.#child.stderr?.on("data", add);
    this.ended = new Promise((resolve) => {
      this.#child.once("error", (error) => {
        this.#block.end(`It could not be started: ${error.message}`);
        app.requestRender();
        resolve(undefined);
      });
      this.#child.once("close", (code, signal) => {
        const how = this.#isStopped ? "stopped" : code === 0 ? "" : `exit ${code ?? signal}`;
        this.#block.end(how);
        app.requestRender();
        resolve(toldText(command, this.#block.output, how));
      });
    });
  }

  /** The command and all that it started. */
  stop(): void {
    this.#isStopped = true;
    this.#kill("SIGTERM");
    setTimeout(() => this.#kill("SIGKILL"), graceMs).unref();
  }

  #kill(signal: NodeJS.Signals): void {
    const { pid, exitCode, signalCode } = this.#child;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    try {
      process.kill(process.platform === "win32" ? pid : -pid, signal);
    } catch {
      // It ended in this moment.
    }
  }
}

function toldText(command: string, output: string, how: string): string {
  const end = output.length > toldCharacters ? `…${output.slice(-toldCharacters)}` : output;
  const what = how === "" ? "" : ` (${how})`;
  return `I ran this command myself${what}:\n\n$ ${command}\n${end.trimEnd() === "" ? "(no output)" : end.trimEnd()}`;
}

class ShellBlock implements Component {
  readonly #theme: Theme;
  readonly #command: string;
  #output = "";
  #end: string | undefined;

  constructor(theme: Theme, command: string) {
    this.#theme = theme;
    this.#command = command;
  }

  get output(): string {
    return this.#output;
  }

  add(text: string): void {
    this.#output = (this.#output + text).slice(-keptCharacters);
  }

  end(how: string): void {
    this.#end = how;
  }

  isTranscriptBlockFinalized(): boolean {
    return this.#end !== undefined;
  }

  /** While it runs, the last rows; then as many, and how many there were. */
  render(width: number): readonly string[] {
    const theme = this.#theme;
    const text = expandTabs(visible(this.#output.replaceAll("\r\n", "\n").trimEnd()));
    const all = text === "" ? [] : wrapText(text, Math.max(1, width - 2));
    const hidden = Math.max(0, all.length - shownRows);
    const rows = ["", theme.fg("bashMode", truncateCells(`$ ${visible(this.#command)}`, width))];
    if (hidden > 0) rows.push(theme.fg("dim", truncateCells(`  … ${hidden} rows above`, width)));
    for (const row of all.slice(hidden)) rows.push(`  ${theme.fg("toolOutput", row)}`);
    if (this.#end !== undefined && this.#end !== "")
      rows.push(theme.fg("error", truncateCells(`  ${this.#end}`, width)));
    return rows;
  }
}
