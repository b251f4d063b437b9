// A person at a real terminal: `stet` in a pane of tmux, keys that are typed into it, and the screen as it is read.

import { execFile, spawnSync } from "node:child_process";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { uniqueSuffix } from "@stet/protocol/ids";

const run = promisify(execFile);
const main = join(import.meta.dirname, "../../cli/src/main.ts");

export const hasTmux = process.platform !== "win32" && spawnSync("tmux", ["-V"]).status === 0;

export interface PaneOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly columns?: number;
  readonly rows?: number;
}

export class TmuxPane {
  readonly #socket: string;

  private constructor(socket: string) {
    this.#socket = socket;
  }

  /** Starts `stet` with these words in a pane; it ends with the test. What it ends with stays on the screen. */
  static async start(t: TestContext, args: readonly string[], options: PaneOptions): Promise<TmuxPane> {
    const { cwd, env, columns = 100, rows = 30 } = options;
    const pane = new TmuxPane(`stet-test-${uniqueSuffix()}`);
    const words = [process.execPath, "--disable-warning=ExperimentalWarning", main, ...args];
    const variables = Object.entries({ ...env, TERM: undefined }).flatMap(([name, value]) =>
      value === undefined ? [] : ["-e", `${name}=${value}`],
    );
    const size = ["-x", String(columns), "-y", String(rows)];
    const command = `${words.map(quoted).join(" ")}; echo "left with $?"; exec sleep 600`;
    await pane.#tmux("new-session", "-d", ...size, "-c", cwd, ...variables, command);
    t.after(() => pane.close());
    return pane;
  }

  async screen(): Promise<string> {
    return this.#tmux("capture-pane", "-p");
  }

  /** With what has scrolled away. */
  async history(): Promise<string> {
    return this.#tmux("capture-pane", "-p", "-S", "-", "-J");
  }

  /** Waits until the screen has it; returns the screen. */
  async sees(what: RegExp, patience = 90_000): Promise<string> {
    const until = performance.now() + patience;
    for (;;) {
      const screen = await this.screen();
      if (what.test(screen)) return screen;
      if (performance.now() > until) throw new Error(`The screen never had ${what}:\n${screen}`);
      await pause(50);
    }
  }

  async types(text: string): Promise<void> {
    await this.#tmux("send-keys", "-l", text);
  }

  /** Keys by tmux's names: Enter, Escape, C-c, BTab. */
  async press(...keys: string[]): Promise<void> {
    await this.#tmux("send-keys", ...keys);
  }

  async says(text: string): Promise<void> {
    await this.types(text);
    await this.press("Enter");
  }

  /** The process in the pane, which is a shell, and the first one below it. */
  async processId(): Promise<number> {
    const pid = (await this.#tmux("display-message", "-p", "#{pane_pid}")).trim();
    const { stdout } = await run("pgrep", ["-P", pid]);
    return Number(stdout.split("\n")[0]);
  }

  /** Closes the terminal as a window is closed. */
  async close(): Promise<void> {
    await this.#tmux("kill-server").catch(() => "");
  }

  async #tmux(...args: string[]): Promise<string> {
    const { TMUX: _, ...env } = process.env;
    const { stdout } = await run("tmux", ["-L", this.#socket, "-f", "/dev/null", ...args], { env });
    return stdout;
  }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
