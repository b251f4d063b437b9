// The list below the prompt with what the word before the cursor may become. Files are looked for a moment after the last key,
// and a search that is no longer wanted is aborted. Tab and Enter take the selected row, Esc closes the list until the word
// changes.

import type { Component } from "@stet/tui/component";
import { SelectList } from "@stet/tui/components/select-list";
import type { Editor } from "@stet/tui/editor/editor";
import type { Input } from "@stet/tui/input/input";
import { truncateCells } from "@stet/tui/text/slice";
import type { KeyBindings } from "../keys/bindings.ts";
import type { Theme } from "../theme/theme.ts";
import {
  type Candidate,
  type CompletionSources,
  candidatesFor,
  type Word,
  wordAt,
} from "./completion-sources.ts";

export interface CompletionOptions {
  readonly editor: Editor;
  readonly sources: CompletionSources;
  readonly theme: Theme;
  readonly keys: () => KeyBindings;
  readonly screenRows: () => number;
  readonly requestRender: () => void;
}

const debounceMs = 25;
const maxRows = 8;

export class Completion implements Component {
  readonly #options: CompletionOptions;
  #word: Word | undefined;
  #list: SelectList<Candidate> | undefined;
  #search = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: CompletionOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#list !== undefined || this.#isListing;
  }

  /** The first listing of a large folder takes a moment. */
  get #isListing(): boolean {
    return this.#word?.kind === "file" && this.#options.sources.files()?.isListed !== true;
  }

  /** After something was typed or deleted. */
  look(): void {
    const word = this.#wordNow();
    this.#search.abort();
    clearTimeout(this.#timer);
    if (word === undefined) {
      this.close();
      return;
    }
    this.#word = word;
    const search = new AbortController();
    this.#search = search;
    if (word.kind === "command") void this.#find(word, search.signal);
    else this.#timer = setTimeout(() => void this.#find(word, search.signal), debounceMs);
  }

  /** After the cursor was moved: the list stays only for the same word. */
  moved(): void {
    if (!this.isOpen && this.#word === undefined) return;
    const word = this.#wordNow();
    if (word?.from !== this.#word?.from || word?.word !== this.#word?.word) this.close();
  }

  close(): void {
    this.#search.abort();
    clearTimeout(this.#timer);
    this.#word = undefined;
    this.#list = undefined;
  }

  /** Returns `submit` where what was taken is to be sent at once. */
  handleInput(input: Input): boolean | "submit" {
    const list = this.#list;
    if (!this.isOpen || input.kind === "paste" || input.isRelease) return false;
    const { actionOf } = this.#options.keys();
    if (list === undefined) return actionOf.list(input.id) === "list.cancel" && this.#leave(true);
    const inPrompt = actionOf.prompt(input.id);
    if (inPrompt === "prompt.complete") return this.#take(list.selectedItem?.value);
    if (inPrompt === "editor.submit") {
      const candidate = list.selectedItem?.value;
      if (candidate === undefined || this.#isWritten(candidate)) return this.#leave("submit");
      this.#take(candidate);
      return candidate.isWhole === true ? "submit" : true;
    }
    const inList = actionOf.list(input.id);
    if (inList === undefined || inList === "list.first" || inList === "list.last" || inList === "list.accept")
      return false;
    if (inList === "list.cancel") return this.#leave(true);
    list.perform(inList);
    return true;
  }

  /** The host is there now: what was typed before is looked for. */
  hostOpened(): void {
    if (this.#word?.kind === "file") this.look();
  }

  render(width: number): readonly string[] {
    if (this.#list !== undefined) return this.#list.render(width);
    return this.#isListing
      ? [this.#options.theme.fg("dim", truncateCells("Looking for files …", width))]
      : [];
  }

  async #find(word: Word, signal: AbortSignal): Promise<void> {
    const candidates = await candidatesFor(word, this.#options.sources, signal);
    if (signal.aborted || this.#word !== word) return;
    this.#show(candidates ?? []);
    this.#options.requestRender();
  }

  #show(candidates: readonly Candidate[]): void {
    if (candidates.length === 0) {
      this.#list = undefined;
      return;
    }
    const { theme, screenRows } = this.#options;
    this.#list = new SelectList({
      items: candidates.map((value) => ({ value, label: value.label, detail: value.detail })),
      maxRows: () => Math.max(1, Math.min(maxRows, Math.floor(screenRows() / 3))),
      isSearchable: false,
      style: {
        selected: (text) => theme.fg("accent", text),
        detail: (text) => theme.fg("muted", text),
        hint: (text) => theme.fg("dim", text),
        pointer: `${theme.symbol("selected")} `,
        searchSign: "",
      },
    });
  }

  #wordNow(): Word | undefined {
    const { editor, sources } = this.#options;
    const { line, column } = editor.cursor;
    return wordAt(editor.content.buffer.line(line).slice(0, column), line === 0, sources.commands);
  }

  #isWritten({ text }: Candidate): boolean {
    const { editor } = this.#options;
    const { line, column } = editor.cursor;
    return editor.content.buffer.line(line).slice(this.#word?.from, column) === text.trimEnd();
  }

  #leave<Result>(result: Result): Result {
    this.close();
    return result;
  }

  #take(candidate: Candidate | undefined): boolean {
    const word = this.#word;
    if (candidate === undefined || word === undefined) return false;
    const { editor } = this.#options;
    const { line, column } = editor.cursor;
    const rest = editor.content.buffer.line(line).slice(column);
    // A blank or a closing quote that stands there already is not written twice.
    const isClosed = candidate.text.endsWith(" ") && /^"?\s/.test(rest);
    const to = { line, column: isClosed && rest.startsWith('"') ? column + 1 : column };
    const text = isClosed ? candidate.text.trimEnd() : candidate.text;
    editor.content.replace({ line, column: word.from }, to, text);
    this.close();
    if (candidate.isPartial === true || word.kind === "command") this.look();
    return true;
  }
}
