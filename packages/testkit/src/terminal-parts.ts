// What the terminal's random scripts draw: messages that grow, a bottom with a spinner and a prompt, and text of all widths.

import {
  type Component,
  cursorMarker,
  type InputComponent,
  type NativeScrollbackLiveRegion,
} from "@stet/tui/component";
import type { Input } from "@stet/tui/input/input";
import { wrapText } from "@stet/tui/text/wrap";
import type { Block, Transcript } from "@stet/tui/transcript/transcript";
import type { Random } from "./random.ts";

const words = [
  "lorem",
  "ipsum",
  "dolor",
  "日本語",
  "naïve",
  "👩‍👩‍👧‍👦",
  "🇩🇪",
  "e\u0301te\u0301",
  "\u001b[1mbold\u001b[22m",
  "\u001b[38;5;208morange\u001b[39m",
  "\u001b[48;2;10;20;30mground\u001b[49m",
  "x",
  "한국어",
  "antidisestablishmentarianism",
  "→",
  "\u001b]8;;https://example.com\u001b\\link\u001b]8;;\u001b\\",
];

/** Words that every terminal draws with the same number of cells. */
const plainWords = words.filter((word) => !/\p{Emoji_Presentation}|\p{M}|\u200d|\]8;/u.test(word));

/** Text of a script. Each line has a name of its own, so that a row that is shown twice is found. */
export class ScriptText {
  readonly random: Random;
  #lines = 0;

  readonly #words: readonly string[];

  constructor(random: Random, isPlain: boolean) {
    this.random = random;
    this.#words = isPlain ? plainWords : words;
  }

  words(most = 12): string {
    return Array.from({ length: this.random.between(1, most) }, () => this.random.pick(this.#words)).join(
      " ",
    );
  }

  line(): string {
    this.#lines++;
    return this.random.chance(0.1) ? "" : `#${this.#lines} ${this.words()}`;
  }
}

/** A message: lines that are wrapped. */
export class ScriptBlock implements Block {
  readonly #text: ScriptText;
  lines: string[];
  isFinal: boolean;
  #cached: { readonly key: string; readonly rows: string[] } | undefined;

  constructor(text: ScriptText, lines: number, isFinal: boolean) {
    this.#text = text;
    this.lines = Array.from({ length: lines }, () => text.line());
    this.isFinal = isFinal;
  }

  isTranscriptBlockFinalized(): boolean {
    return this.isFinal;
  }

  render(width: number): readonly string[] {
    const key = `${width}\n${this.lines.join("\n")}`;
    if (this.#cached?.key !== key) {
      this.#cached = { key, rows: this.lines.length === 0 ? [] : wrapText(this.lines.join("\n"), width) };
    }
    return this.#cached.rows;
  }

  stream(): void {
    if (this.lines.length === 0 || this.#text.random.chance(0.3)) this.lines.push(this.#text.line());
    else this.lines.push(`${this.lines.pop() ?? ""} ${this.#text.words(3)}`);
  }

  rewrite(): void {
    if (this.lines.length > 0) this.lines[this.#text.random.below(this.lines.length)] = this.#text.line();
  }

  shrink(): void {
    this.lines.length = this.#text.random.below(this.lines.length + 1);
  }
}

/** Rows below the conversation: a spinner, some rows of status, and a prompt with the cursor. */
export class ScriptBottom implements InputComponent {
  isFocused = false;
  spinner = 0;
  statusRows = 1;
  typed = "";
  rowsBelow = 1;

  render(width: number): readonly string[] {
    return [
      ...Array.from({ length: this.statusRows }, (_, row) =>
        `~ status ${row} spinner ${this.spinner} `.slice(0, width),
      ),
      `> ${this.typed}`.slice(0, Math.max(1, width - 1)) + (this.isFocused ? cursorMarker : ""),
      ...Array.from({ length: this.rowsBelow }, () => "─".repeat(width)),
    ];
  }

  handleInput(input: Input): boolean {
    if (input.kind === "key" && input.text !== undefined) this.typed += input.text;
    return true;
  }
}

/** Rows over the whole width, with nothing that takes keys. */
export class ScriptOverlay implements Component {
  readonly rows: readonly string[];

  constructor(random: Random) {
    this.rows = Array.from({ length: random.between(1, 12) }, (_, row) => `overlay ${row}`);
  }

  render(width: number): readonly string[] {
    return this.rows.map((row) => row.slice(0, width));
  }
}

/** A transcript as the renderer saw it: what it was told when it last asked for the rows. */
export class ObservedTranscript implements Component, NativeScrollbackLiveRegion {
  readonly #transcript: Transcript;
  total = 0;
  live = 0;
  safe: number | undefined;

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
  }

  get releasedRows(): number {
    return this.#transcript.releasedRows;
  }

  render(width: number): readonly string[] {
    const rows = this.#transcript.render(width);
    this.total = this.#transcript.releasedRows + rows.length;
    this.live = this.#transcript.getNativeScrollbackLiveRegionStart();
    this.safe = this.#transcript.getNativeScrollbackCommitSafeEnd();
    return rows;
  }

  getNativeScrollbackLiveRegionStart(): number {
    return this.live;
  }

  getNativeScrollbackCommitSafeEnd(): number | undefined {
    return this.safe;
  }

  committed(rows: number): void {
    this.#transcript.committed(rows);
  }

  rewind(maxRows: number): void {
    this.#transcript.rewind(maxRows);
  }
}
