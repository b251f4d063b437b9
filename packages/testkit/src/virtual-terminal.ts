// A terminal of a real emulator (xterm, headless, with grapheme clusters) that a test writes to and reads back: its screen, its
// history, the bytes that made them.

import type { Input } from "@stet/tui/input/input";
import type { Capabilities, Terminal, TerminalHandlers } from "@stet/tui/terminal/terminal";
import { UnicodeGraphemesAddon } from "@xterm/addon-unicode-graphemes";
import xterm from "@xterm/headless";

export const plainCapabilities: Capabilities = {
  synchronizedOutput: false,
  isMultiplexer: false,
  screenToScrollback: false,
  rectangularFill: false,
  images: "none",
  kittyPlaceholders: false,
  kittyKeyboard: false,
  cellSize: undefined,
  colours: "true",
  notifications: "bell",
  appearance: "dark",
};

export class VirtualTerminal implements Terminal {
  capabilities: Capabilities;
  /** Set by a test that plays a slow terminal. */
  hasBacklog = false;
  /** Every write since the start, one entry each. */
  readonly writes: string[] = [];
  readonly #xterm: xterm.Terminal;
  #handlers: TerminalHandlers | undefined;
  #flushed: Promise<void> = Promise.resolve();

  constructor(columns: number, rows: number, capabilities: Partial<Capabilities> = {}, scrollback = 10_000) {
    this.capabilities = { ...plainCapabilities, ...capabilities };
    this.#xterm = new xterm.Terminal({ cols: columns, rows, scrollback, allowProposedApi: true });
    this.#xterm.loadAddon(new UnicodeGraphemesAddon());
    this.#xterm.unicode.activeVersion = "15-graphemes";
  }

  get columns(): number {
    return this.#xterm.cols;
  }

  get rows(): number {
    return this.#xterm.rows;
  }

  start(handlers: TerminalHandlers): void {
    this.#handlers = handlers;
  }

  stop(): void {
    this.#handlers = undefined;
  }

  write(text: string): void {
    this.writes.push(text);
    this.#flushed = new Promise((resolve) => this.#xterm.write(text, resolve));
  }

  /** Until all that was written is on the screen. */
  async flush(): Promise<void> {
    await this.#flushed;
  }

  resize(columns: number, rows: number): void {
    this.#xterm.resize(columns, rows);
    this.#handlers?.onResize();
  }

  input(input: Input): void {
    this.#handlers?.onInput(input);
  }

  /** A key by its id; a single character types itself. */
  key(id: string): void {
    const text = [...id].length === 1 ? id : id === "space" ? " " : undefined;
    this.input({ kind: "key", id, text, isRelease: false });
  }

  /** The slow terminal has taken everything. */
  drain(): void {
    this.hasBacklog = false;
    this.#handlers?.onDrain();
  }

  setFocus(isFocused: boolean): void {
    this.#handlers?.onFocus(isFocused);
  }

  changeCapabilities(capabilities: Partial<Capabilities>): void {
    this.capabilities = { ...this.capabilities, ...capabilities };
    this.#handlers?.onCapabilities();
  }

  lose(): void {
    this.#handlers?.onLost();
  }

  /** History and screen, each row without the blanks at its end. */
  get tape(): string[] {
    const { buffer } = this.#xterm;
    return Array.from({ length: buffer.active.length }, (_, row) => this.#line(row));
  }

  /** Rows as they were written: what the emulator wrapped when it became narrower is one row again. */
  get writtenTape(): { readonly rows: string[]; readonly cursorRow: number } {
    const { active } = this.#xterm.buffer;
    const rows: string[] = [];
    let cursorRow = 0;
    for (let row = 0; row < active.length; row++) {
      const line = active.getLine(row);
      const text = line?.translateToString(false) ?? "";
      if (line?.isWrapped === true && rows.length > 0) rows.push(`${rows.pop() ?? ""}${text}`);
      else rows.push(text);
      if (row === active.baseY + active.cursorY) cursorRow = rows.length - 1;
    }
    return { rows, cursorRow };
  }

  get history(): string[] {
    return Array.from({ length: this.#xterm.buffer.active.baseY }, (_, row) => this.#line(row));
  }

  get screen(): string[] {
    const { baseY } = this.#xterm.buffer.active;
    return Array.from({ length: this.rows }, (_, row) => this.#line(baseY + row));
  }

  get cursor(): { readonly row: number; readonly column: number } {
    const { cursorX, cursorY } = this.#xterm.buffer.active;
    return { row: cursorY, column: cursorX };
  }

  /** A person scrolls by this many rows; negative is up. */
  scroll(rows: number): void {
    this.#xterm.scrollLines(rows);
  }

  /** What is in view, wherever it was scrolled to. */
  get view(): string[] {
    const { viewportY } = this.#xterm.buffer.active;
    return Array.from({ length: this.rows }, (_, row) => this.#line(viewportY + row));
  }

  get isAtBottom(): boolean {
    const { viewportY, baseY } = this.#xterm.buffer.active;
    return viewportY === baseY;
  }

  #line(row: number): string {
    return this.#xterm.buffer.active.getLine(row)?.translateToString(true).trimEnd() ?? "";
  }
}
