// The editor for several lines: keys to changes, a past to go through, and rows between two border lines.
//
// - Enter sends; behind a backslash, it begins a new line instead, and the backslash goes.
// - Up in the first row and Down in the last one go through what was sent before; the draft is kept.
// - It is at most half of the screen high, and scrolls.
// - Whatever text contains is shown and never obeyed: controls are pictures.

import { cursorMarker, type InputComponent } from "../component.ts";
import type { Input, KeyInput } from "../input/input.ts";
import { sliceCells } from "../text/slice.ts";
import { cellWidth } from "../text/width.ts";
import { edit } from "./edit.ts";
import { borderRow, type EditorBorder, plainBorder } from "./editor-border.ts";
import { EditorHistory } from "./editor-history.ts";
import { type ActionOf, defaultActionOf, type EditorAction, editorActions } from "./editor-keys.ts";
import { EditorText } from "./editor-text.ts";
import type { Position } from "./text-buffer.ts";

export interface EditorOptions {
  readonly screenRows: () => number;
  readonly actionOf?: ActionOf<EditorAction>;
  readonly chipStyle?: (label: string) => string;
  /** Shown while nothing is written. */
  readonly placeholder?: string;
}

export class Editor implements InputComponent {
  isFocused = false;
  /** Called with the text as it stands: whoever takes it clears the editor. */
  onSubmit: (text: string) => void = () => {};
  onChange: () => void = () => {};
  /** Asked before the editor's own keys; true where the input is used up. */
  onInput: (input: Input) => boolean = () => false;
  actionOf: ActionOf<EditorAction>;
  placeholder: string;
  readonly content: EditorText;
  readonly history = new EditorHistory();
  readonly #screenRows: () => number;
  #border: EditorBorder = plainBorder;
  #isInHistory = false;
  #last: readonly string[] = [];
  #rendered: { readonly key: string; readonly rows: readonly string[] } | undefined;

  constructor(options: EditorOptions) {
    this.#screenRows = options.screenRows;
    this.actionOf = options.actionOf ?? defaultActionOf(editorActions);
    this.placeholder = options.placeholder ?? "";
    this.content = new EditorText(() => this.#changed());
    this.content.view.drawChip = options.chipStyle ?? ((label) => label);
  }

  /** The text with the characters of chips in it. */
  get text(): string {
    return this.content.buffer.text;
  }

  get isEmpty(): boolean {
    return this.content.buffer.isEmpty;
  }

  get cursor(): Position {
    return this.content.cursor;
  }

  /** The cursor goes to its end; undo brings back what was there. */
  setText(text: string): void {
    this.history.leave();
    this.content.setText(text);
  }

  insert(text: string): void {
    this.content.insert(text);
  }

  /** Empty, without anything to undo: what was written has been sent. */
  clear(): void {
    this.history.leave();
    this.content.reset();
  }

  /** Sets what is named and leaves the rest. */
  border(border: Partial<EditorBorder>): void {
    this.#border = { ...this.#border, ...border };
    this.#rendered = undefined;
  }

  handleInput(input: Input): boolean {
    this.#rendered = undefined;
    if (this.onInput(input)) return true;
    if (input.kind === "paste") {
      this.content.insert(input.text);
      return true;
    }
    return !input.isRelease && this.handleKey(input);
  }

  handleKey(key: KeyInput): boolean {
    const action = this.actionOf(key.id);
    if (action !== undefined) return this.perform(action);
    if (key.text === undefined || key.text === "") return false;
    this.content.insert(key.text, "typing");
    return true;
  }

  /** Returns whether there was something to do. */
  perform(action: EditorAction): boolean {
    this.#rendered = undefined;
    const { content } = this;
    switch (action) {
      case "editor.submit":
        this.#submit();
        return true;
      case "editor.newLine":
        content.insert("\n");
        return true;
      case "editor.cursor.up":
        if (!content.moveRows(-1)) this.#older();
        return true;
      case "editor.cursor.down":
        if (!content.moveRows(1)) this.#newer();
        return true;
      case "editor.cursor.pageUp":
        content.moveRows(-this.#maxTextRows());
        return true;
      case "editor.cursor.pageDown":
        content.moveRows(this.#maxTextRows());
        return true;
      case "editor.delete.right":
        // Ctrl-D on nothing is somebody else's.
        if (this.isEmpty) return false;
        content.delete("right");
        return true;
      default:
        return edit(content, action);
    }
  }

  render(width: number): readonly string[] {
    const { line, column } = this.cursor;
    const key = `${width} ${this.#screenRows()} ${this.isFocused} ${line} ${column} ${this.placeholder}`;
    if (this.#rendered?.key === key) return this.#rendered.rows;
    const drawn = this.#draw(Math.max(1, width));
    // The renderer takes the same array for rows that did not change.
    const rows = isSame(drawn, this.#last) ? this.#last : drawn;
    this.#rendered = { key, rows };
    this.#last = rows;
    return rows;
  }

  #draw(width: number): string[] {
    const border = this.#border;
    const prefixCells = cellWidth(border.prefix);
    const hasPrefix = width >= prefixCells + 10;
    const prefix = hasPrefix ? border.prefix : "";
    const indent = hasPrefix ? " ".repeat(prefixCells) : "";
    // One cell is free for the cursor behind a full row.
    this.content.view.width = Math.max(1, width - indent.length - 1);
    const view = this.content.view.rows(this.cursor, this.#maxTextRows());
    if (this.isEmpty) view.rows[0] = sliceCells(this.placeholder, 0, Math.max(0, width - indent.length - 1));
    const rows = view.rows.map((row, index) => {
      const text = this.isFocused && index === view.cursor.row ? withCursor(row, view.cursor.cell) : row;
      return (index === 0 ? prefix : indent) + text;
    });
    if (!this.#hasBorder()) return rows;
    const lines = this.content.buffer.lines.length;
    const where = view.isCut ? `line ${this.cursor.line + 1} of ${lines}` : "";
    return [
      borderRow(border, border.title, border.rightTitle, width),
      ...rows,
      borderRow(border, border.footer, where, width),
    ];
  }

  #hasBorder(): boolean {
    return this.#screenRows() >= 6;
  }

  #maxTextRows(): number {
    const half = Math.floor(this.#screenRows() / 2);
    return Math.max(1, this.#hasBorder() ? half - 2 : half);
  }

  #submit(): void {
    const { line, column } = this.cursor;
    if (column > 0 && this.content.buffer.line(line)[column - 1] === "\\") {
      this.content.replace({ line, column: column - 1 }, { line, column }, "\n");
      return;
    }
    this.onSubmit(this.text);
  }

  #older(): void {
    const entry = this.history.older(this.text);
    if (entry === undefined) return;
    this.#show(entry);
    this.content.move("textStart");
    this.content.cursor = this.content.view.rowEnd(this.cursor);
  }

  #newer(): void {
    const entry = this.history.newer();
    if (entry !== undefined) this.#show(entry);
  }

  #show(entry: string): void {
    this.#isInHistory = true;
    this.content.setText(entry);
    this.#isInHistory = false;
  }

  #changed(): void {
    this.#rendered = undefined;
    // An entry that was changed is a draft of its own.
    if (!this.#isInHistory) this.history.leave();
    this.onChange();
  }
}

function withCursor(row: string, cell: number): string {
  return sliceCells(row, 0, cell) + cursorMarker + sliceCells(row, cell, Number.MAX_SAFE_INTEGER);
}

function isSame(rows: readonly string[], others: readonly string[]): boolean {
  return rows.length === others.length && rows.every((row, index) => row === others[index]);
}
