// One line of text with a cursor, as searches and short questions need it: the editor's text without rows. Line ends that come
// in with a paste are blanks.

import { cursorMarker } from "../component.ts";
import { clusterCells, clusterEnd, clusterFloor, drawnCluster } from "../editor/clusters.ts";
import { edit } from "../editor/edit.ts";
import { type ActionOf, defaultActionOf, type EditorAction, editorActions } from "../editor/editor-keys.ts";
import { EditorText } from "../editor/editor-text.ts";
import type { Input } from "../input/input.ts";

const noChips: ReadonlyMap<string, string> = new Map();

export class OneLine {
  onChange: () => void = () => {};
  actionOf: ActionOf<EditorAction> = defaultActionOf(editorActions);
  /** Shown instead of the text, cluster for cluster; for passwords and keys. */
  mask: string | undefined;
  readonly #content = new EditorText(() => this.onChange());
  /** The first column that is shown. */
  #start = 0;

  get text(): string {
    return this.#content.buffer.text;
  }

  setText(text: string): void {
    this.#content.setText(oneLineOf(text));
    this.#start = 0;
  }

  /** Whether the input changed the text or moved in it. */
  handleInput(input: Input): boolean {
    const content = this.#content;
    if (input.kind === "paste") {
      content.insert(oneLineOf(input.text));
      return true;
    }
    if (input.isRelease) return false;
    const action = this.actionOf(input.id);
    if (action !== undefined) return edit(content, action);
    if (input.text === undefined || input.text === "") return false;
    content.insert(oneLineOf(input.text), "typing");
    return true;
  }

  /** The part of the line around the cursor. */
  row(width: number, isFocused: boolean): string {
    const line = this.#content.buffer.line(0);
    const cursor = this.#content.cursor.column;
    this.#scroll(line, cursor, Math.max(1, width - 1));
    let drawn = "";
    let cells = 0;
    for (let at = this.#start; at < line.length; ) {
      if (at === cursor && isFocused) drawn += cursorMarker;
      const end = clusterEnd(line, at);
      const cluster = this.mask ?? line.slice(at, end);
      const taken = clusterCells(cluster, cells, noChips);
      if (cells + taken > width - 1) return drawn;
      drawn += drawnCluster(cluster, cells, noChips);
      cells += taken;
      at = end;
    }
    return isFocused && cursor === line.length ? drawn + cursorMarker : drawn;
  }

  /** Moves the window so that the cursor is in it; a few characters at a time, since it follows the cursor. */
  #scroll(line: string, cursor: number, width: number): void {
    if (cursor < this.#start) this.#start = cursor;
    this.#start = clusterFloor(line, Math.max(this.#start, cursor - width * 16));
    for (;;) {
      let cells = 0;
      for (let at = this.#start; at < cursor; ) {
        const end = clusterEnd(line, at);
        cells += clusterCells(this.mask ?? line.slice(at, end), cells, noChips);
        at = end;
      }
      if (cells <= width || this.#start >= cursor) return;
      this.#start = clusterEnd(line, this.#start);
    }
  }
}

function oneLineOf(text: string): string {
  return text.replace(/\r\n?|\n/g, " ");
}
