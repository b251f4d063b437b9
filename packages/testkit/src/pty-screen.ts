// A program in a pseudo terminal whose screen is kept by a real emulator (xterm, headless). The emulator answers what the
// program asks, its background colour included, and a person types and reads.

import { setTimeout as wait } from "node:timers/promises";
import { type IPty, spawn } from "@lydell/node-pty";
import { UnicodeGraphemesAddon } from "@xterm/addon-unicode-graphemes";
import xterm from "@xterm/headless";

export interface PtyScreenOptions {
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly columns: number;
  readonly rows: number;
  /** `#rrggbb`: what the terminal says that its background is. */
  readonly background: string;
}

const patience = 90_000;

export class PtyScreen {
  readonly terminal: xterm.Terminal;
  readonly #pty: IPty;
  #isOver = false;

  constructor(command: readonly [string, ...string[]], options: PtyScreenOptions) {
    const { cwd, columns: cols, rows, background } = options;
    const [program, ...args] = command;
    this.terminal = new xterm.Terminal({ cols, rows, scrollback: 5000, allowProposedApi: true });
    this.terminal.loadAddon(new UnicodeGraphemesAddon());
    this.terminal.unicode.activeVersion = "15-graphemes";
    const env = { ...options.environment, TERM: "xterm-256color", COLORTERM: "truecolor" };
    this.#pty = spawn(program, args, { cwd, cols, rows, env });
    this.#pty.onData((data) => this.terminal.write(data));
    this.#pty.onExit(() => {
      this.#isOver = true;
    });
    this.terminal.onData((reply) => this.#pty.write(reply));
    this.terminal.parser.registerOscHandler(11, (question) => {
      if (question !== "?") return false;
      const parts = background.slice(1).match(/../g) ?? [];
      this.#pty.write(`\u001b]11;rgb:${parts.map((part) => part + part).join("/")}\u001b\\`);
      return true;
    });
  }

  /** What is on the screen, row by row. */
  get text(): string {
    const { active } = this.terminal.buffer;
    const rows = Array.from({ length: this.terminal.rows }, (_, row) => active.getLine(active.baseY + row));
    return rows.map((line) => line?.translateToString(true) ?? "").join("\n");
  }

  type(keys: string): void {
    this.#pty.write(keys);
  }

  resize(columns: number, rows: number): void {
    this.terminal.resize(columns, rows);
    this.#pty.resize(columns, rows);
  }

  async until(expected: RegExp): Promise<void> {
    const end = Date.now() + patience;
    while (!expected.test(this.text)) {
      if (this.#isOver || Date.now() > end)
        throw new Error(`${expected} is not on the screen:\n${this.text}`);
      await wait(30);
    }
  }

  /** Until nothing changes any more. */
  async settle(): Promise<void> {
    for (
      let before = "", same = 0;
      same < 6;
      same = before === this.text ? same + 1 : 0, before = this.text
    ) {
      await wait(60);
    }
  }

  async close(): Promise<void> {
    if (!this.#isOver) this.#pty.kill("SIGKILL");
    while (!this.#isOver) await wait(10);
    this.terminal.dispose();
  }
}
