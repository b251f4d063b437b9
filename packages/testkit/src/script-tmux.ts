// A real tmux as a terminal of random scripts. Its pane copies what is written to a pipe; rows are read back with capture-pane.

import { execFile, execFileSync } from "node:child_process";
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { TerminalHandlers } from "@stet/tui/terminal/terminal";
import type { ScriptTerminal } from "./terminal-script.ts";
import { plainCapabilities } from "./virtual-terminal.ts";

const run = promisify(execFile);

export class ScriptTmux implements ScriptTerminal {
  readonly capabilities = { ...plainCapabilities, isMultiplexer: true };
  readonly hasBacklog = false;
  readonly writes: string[] = [];
  columns: number;
  rows: number;
  readonly #socket: string;
  readonly #pipe: number;
  #handlers: TerminalHandlers | undefined;
  #marks = 0;

  private constructor(columns: number, rows: number, socket: string, pipe: number) {
    this.columns = columns;
    this.rows = rows;
    this.#socket = socket;
    this.#pipe = pipe;
  }

  /** The folder is for its socket and its pipe. */
  static open(folder: string, columns: number, rows: number): ScriptTmux {
    const socket = join(folder, "tmux");
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    const command = `stty raw -echo; exec cat '${pipe}'`;
    const size = ["-x", String(columns), "-y", String(rows)];
    execFileSync("tmux", [
      "-S",
      socket,
      "-f",
      "/dev/null",
      "new-session",
      "-d",
      ...size,
      "sh",
      "-c",
      command,
    ]);
    execFileSync("tmux", ["-S", socket, "set", "-g", "history-limit", "10000"]);
    execFileSync("tmux", ["-S", socket, "set", "-g", "status", "off"]);
    execFileSync("tmux", ["-S", socket, "resize-window", ...size]);
    return new ScriptTmux(columns, rows, socket, openSync(pipe, "w"));
  }

  /** What copies the pipe ends with it, and with its only pane the server. */
  close(): void {
    closeSync(this.#pipe);
  }

  start(handlers: TerminalHandlers): void {
    this.#handlers = handlers;
  }

  stop(): void {
    this.#handlers = undefined;
  }

  write(text: string): void {
    this.writes.push(text);
    writeSync(this.#pipe, text);
  }

  key(id: string): void {
    this.#handlers?.onInput({ kind: "key", id, text: id, isRelease: false });
  }

  async resize(columns: number, rows: number): Promise<void> {
    await this.flush();
    await this.#tmux("resize-window", "-x", String(columns), "-y", String(rows));
    this.columns = columns;
    this.rows = rows;
    this.#handlers?.onResize();
  }

  /** A title that comes back says that everything before it was obeyed. */
  async flush(): Promise<void> {
    const mark = `mark ${this.#marks++}`;
    writeSync(this.#pipe, `\u001b]2;${mark}\u001b\\`);
    while ((await this.#tmux("display-message", "-p", "#{pane_title}")).trim() !== mark) await sleep(2);
  }

  async readTape(): Promise<{ readonly rows: readonly string[]; readonly cursorRow: number }> {
    const row = (await this.#tmux("display-message", "-p", "#{cursor_y}")).trim();
    const all = await this.#tmux("capture-pane", "-p", "-J", "-S", "-", "-E", "-");
    const above = await this.#tmux("capture-pane", "-p", "-J", "-S", "-", "-E", row);
    return { rows: lines(all), cursorRow: lines(above).length - 1 };
  }

  async #tmux(...args: string[]): Promise<string> {
    return (await run("tmux", ["-S", this.#socket, ...args])).stdout;
  }
}

function lines(output: string): string[] {
  return output.replace(/\n$/, "").split("\n");
}
