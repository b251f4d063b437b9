// The workload as components of ours, and a terminal that only counts.

import { cursorMarker, type InputComponent } from "../packages/tui/src/component.ts";
import type { Input } from "../packages/tui/src/input/input.ts";
import type { Capabilities, Terminal, TerminalHandlers } from "../packages/tui/src/terminal/terminal.ts";
import { wrapText } from "../packages/tui/src/text/wrap.ts";
import type { Block } from "../packages/tui/src/transcript/transcript.ts";
import { bottomRows, columns, rows } from "./terminal-workload.ts";

export class CountingTerminal implements Terminal {
  readonly columns = columns;
  readonly rows = rows;
  readonly capabilities: Capabilities = {
    synchronizedOutput: true,
    isMultiplexer: false,
    screenToScrollback: false,
    rectangularFill: false,
    images: "none",
    kittyPlaceholders: false,
    kittyKeyboard: false,
    cellSize: undefined,
    colours: "true",
    appearance: "dark",
    notifications: "none",
  };
  readonly hasBacklog = false;
  bytes = 0;
  writes = 0;
  write(text: string): void {
    this.bytes += Buffer.byteLength(text);
    this.writes++;
  }
  start(_handlers: TerminalHandlers): void {}
  stop(): void {}
}

export class TextBlock implements Block {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  render(width: number): readonly string[] {
    return wrapText(this.#text, width);
  }
}

/** Text that only grows: lines that are complete are wrapped once. */
export class StreamBlock implements Block {
  isFinal = false;
  #complete: string[] = [];
  #completeLength = 0;
  #text = "";
  #rows: readonly string[] = [];
  #isChanged = true;

  setText(text: string): void {
    this.#text = text;
    this.#isChanged = true;
  }

  isTranscriptBlockFinalized(): boolean {
    return this.isFinal;
  }

  render(width: number): readonly string[] {
    if (!this.#isChanged) return this.#rows;
    this.#isChanged = false;
    const end = this.#text.lastIndexOf("\n") + 1;
    if (end > this.#completeLength) {
      this.#complete.push(...wrapText(this.#text.slice(this.#completeLength, end - 1), width));
      this.#completeLength = end;
    }
    this.#rows = [...this.#complete, ...wrapText(this.#text.slice(end), width)];
    return this.#rows;
  }
}

export class Bottom implements InputComponent {
  isFocused = false;
  typed = "";
  milliseconds = 0;
  render(): readonly string[] {
    return bottomRows(this.milliseconds, this.typed, this.isFocused ? cursorMarker : "");
  }
  handleInput(input: Input): boolean {
    if (input.kind === "key" && input.text !== undefined)
      this.typed = `${this.typed}${input.text}`.slice(-60);
    return true;
  }
}
