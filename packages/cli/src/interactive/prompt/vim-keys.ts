// Vim's keys for the prompt: normal mode on the engine of @stet/vim, insert mode on the editor.
//
// The engine carries out whole commands. So the keys of normal mode are collected until they are one: after each key they are
// tried on a copy of the text, which is dropped while the command is incomplete. A command that begins to type leaves insert mode
// to the editor; at Esc the engine is given the typed keys as well, so that a count and `.` hold for them, too.
//
// What needs more than a text is left out: visual mode, searches, command lines, macros. Undo is the editor's.

import { isFault } from "@stet/protocol/fault";
import type { Editor } from "@stet/tui/editor/editor";
import type { KeyInput } from "@stet/tui/input/input";
import { maxBufferLength } from "@stet/vim/buffer";
import { runKeys } from "@stet/vim/normal";
import { Vim } from "@stet/vim/state";

interface Insertion {
  readonly before: Vim;
  readonly command: readonly string[];
  readonly typed: string[];
  /** Whether everything since was typed: then it can be carried out again. */
  isPlain: boolean;
}

const leftOut = new Set(["v", "V", ":", "/", "?", "R", "q", "@", "Z", "z", "&", "!"]);
const maxPending = 40;

export class VimKeys {
  readonly #editor: Editor;
  #vim = new Vim([""], "    ");
  #mode: "insert" | "normal" = "insert";
  #pending: string[] = [];
  #insertion: Insertion | undefined;

  constructor(editor: Editor) {
    this.#editor = editor;
  }

  /** For the border: the mode, and what there is of a command. */
  get label(): string {
    return this.#mode === "insert" ? "INSERT" : ["NORMAL", this.#pending.join("")].join(" ").trimEnd();
  }

  /** The text was sent: the next one is typed. */
  startOver(): void {
    this.#mode = "insert";
    this.#pending = [];
    this.#insertion = undefined;
  }

  /** Returns whether it used the key. */
  handle(key: KeyInput): boolean {
    return this.#mode === "insert" ? this.#insertKey(key) : this.#normalKey(key);
  }

  #insertKey({ id, text }: KeyInput): boolean {
    if (id === "escape") {
      this.#leaveInsert();
      return true;
    }
    const insertion = this.#insertion;
    if (insertion === undefined) return false;
    if (id === "backspace") insertion.typed.push("<BS>");
    else if (text !== undefined && text !== "") insertion.typed.push(...text);
    else insertion.isPlain = false;
    return false;
  }

  /** A paste, or anything else that is not typed. */
  changedOtherwise(): void {
    if (this.#insertion !== undefined) this.#insertion.isPlain = false;
  }

  #leaveInsert(): void {
    this.#mode = "normal";
    const insertion = this.#insertion;
    this.#insertion = undefined;
    if (
      insertion?.isPlain === true &&
      this.#run(insertion.before, [...insertion.command, ...insertion.typed, "<Esc>"])
    )
      return;
    if (this.#editor.cursor.column > 0) this.#editor.content.move("left");
  }

  #normalKey({ id, text }: KeyInput): boolean {
    const editor = this.#editor;
    if (id === "escape") {
      const hadPending = this.#pending.length > 0;
      this.#pending = [];
      return hadPending;
    }
    if (id === "ctrl+r") return this.#edit(() => editor.perform("editor.redo"));
    const key = id === "backspace" ? "h" : text;
    if (key === undefined || key === "") return false;
    if (this.#pending.length === 0) {
      if (key === "u") return this.#edit(() => editor.perform("editor.undo"));
      if (key === "k") return editor.perform("editor.cursor.up");
      if (key === "j") return editor.perform("editor.cursor.down");
    }
    this.#command(key);
    return true;
  }

  #command(key: string): void {
    const isArgument = /[fFtTr"m'`]$/.test(this.#pending.at(-1) ?? "");
    if ((leftOut.has(key) && !isArgument) || this.#pending.length >= maxPending) {
      this.#pending = [];
      return;
    }
    this.#pending.push(key);
    const keys = this.#pending;
    // What g means is known with the next key.
    if (key === "g" && !isArgument && keys.at(-2) !== "g") return;
    const before = this.#now();
    if (before === undefined) this.#pending = [];
    else if (this.#run(before, keys)) {
      this.#pending = [];
      if (this.#vim.typingAt !== undefined) this.#beginInsert(before, keys);
    } else if (!this.#isIncomplete) this.#pending = [];
  }

  #isIncomplete = false;

  #beginInsert(before: Vim, command: readonly string[]): void {
    const at = this.#vim.typingAt;
    this.#mode = "insert";
    this.#insertion = { before, command, typed: [], isPlain: true };
    if (at !== undefined) this.#editor.content.cursor = { line: at.line, column: at.col };
  }

  /** The engine with what is written now; undefined for a text that is too long for it. */
  #now(): Vim | undefined {
    const { buffer } = this.#editor.content;
    if (buffer.text.length > maxBufferLength) return undefined;
    const vim = this.#vim.withLines(buffer.lines);
    const { line, column } = this.#editor.cursor;
    vim.moveTo({ line, col: column });
    return vim;
  }

  /** Carries keys out on a copy, and takes over what they did. False where they are no command, or not yet. */
  #run(before: Vim, keys: readonly string[]): boolean {
    const vim = before.copy();
    vim.feed(keys);
    const fault = runKeys(vim);
    this.#isIncomplete = vim.isIncomplete;
    if (isFault(fault)) return false;
    this.#vim = vim;
    this.#takeOver(vim);
    return true;
  }

  #takeOver({ buffer, cursor }: Vim): void {
    const { content } = this.#editor;
    const old = content.buffer.lines;
    const { lines } = buffer;
    let first = 0;
    while (first < Math.min(old.length, lines.length) - 1 && old[first] === lines[first]) first++;
    let same = 0;
    const most = Math.min(old.length, lines.length) - first - 1;
    while (same < most && old[old.length - 1 - same] === lines[lines.length - 1 - same]) same++;
    const last = old.length - 1 - same;
    const changed = lines.slice(first, lines.length - same).join("\n");
    const from = { line: first, column: 0 };
    const to = { line: last, column: old[last]?.length ?? 0 };
    if (content.buffer.slice(from, to) !== changed) content.replace(from, to, changed);
    content.cursor = { line: cursor.line, column: cursor.col };
  }

  /** Behind a change of the editor's own, the cursor is on a character again. */
  #edit(change: () => boolean): boolean {
    change();
    const vim = this.#now();
    if (vim !== undefined) this.#editor.content.cursor = { line: vim.cursor.line, column: vim.cursor.col };
    return true;
  }
}
