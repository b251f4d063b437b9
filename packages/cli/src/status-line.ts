// One line at the bottom of the screen that says what is going on, written over again and again, where somebody watches.
//
// Everything else is written through `terminal`: it takes the line away first. The line comes back only at the start of a
// line, so it never cuts into words that are still being written.

import { cutText } from "@stet/protocol/cut-text";
import { visibleName } from "@stet/protocol/visible";
import { clearLine } from "./screen-text.ts";
import type { Terminal } from "./terminal.ts";

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const interval = 120;

export class StatusLine {
  /** The given one, which takes the line away before it writes. */
  readonly terminal: Terminal;
  readonly #screen: Terminal;
  #text = "";
  #since = 0;
  #isShown = false;
  #isAtLineStart = true;
  #isHeld = false;
  #frame = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(screen: Terminal) {
    this.#screen = screen;
    const through = (write: (text: string) => void) => (text: string) => {
      if (text === "") return;
      this.#takeAway();
      write(text);
      this.#isAtLineStart = text.endsWith("\n");
    };
    this.terminal = {
      ...screen,
      out: through(screen.out),
      data: through(screen.data),
      note: through(screen.note),
      json: (value) => {
        this.#takeAway();
        screen.json(value);
      },
    };
  }

  /** Shown at once; the clock starts anew with `isNew`. */
  show(text: string, isNew = true): void {
    this.#text = visibleName(text.split("\n")[0] ?? "");
    if (isNew) this.#since = performance.now();
    if (!this.#screen.isWatched) return;
    this.#timer ??= setInterval(() => this.#draw(), interval).unref();
    this.#draw();
  }

  /** Takes the line away until the returned function is called. */
  hold(): () => void {
    this.#takeAway();
    if (!this.#isAtLineStart) this.terminal.out("\n");
    this.#isHeld = true;
    return () => {
      this.#isHeld = false;
    };
  }

  end(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#takeAway();
    this.#text = "";
  }

  #draw(): void {
    if (this.#isHeld || !this.#isAtLineStart || this.#text === "") return;
    this.#frame = (this.#frame + 1) % frames.length;
    const seconds = Math.floor((performance.now() - this.#since) / 1000);
    const time = seconds < 2 ? "" : ` ${seconds} s`;
    const room = Math.max(10, this.#screen.width - time.length - 4);
    const text = cutText(this.#text, room - 1);
    this.#screen.note(`${clearLine()}${this.#screen.style("dim", `${frames[this.#frame]} ${text}${time}`)}`);
    this.#isShown = true;
  }

  #takeAway(): void {
    if (this.#isShown) this.#screen.note(clearLine());
    this.#isShown = false;
  }
}
