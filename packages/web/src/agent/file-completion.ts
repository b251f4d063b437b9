// Completing "@" to a file of the folder, which then is part of the agent's context.

import { isFault } from "@stet/protocol/fault";
import { type Accessor, createSignal } from "solid-js";
import type { Workbench } from "../workspace/workbench.ts";
import { addContextRow } from "./context.ts";
import { type Mention, matchingFiles, mentionAt } from "./mention.ts";

const shownFiles = 8;
const maxFiles = 20_000;

export interface Completed {
  readonly text: string;
  readonly cursor: number;
}

export class FileCompletion {
  readonly files: Accessor<readonly string[]>;
  readonly selected: Accessor<number>;
  readonly #setFiles: (files: readonly string[]) => void;
  readonly #setSelected: (index: number) => void;
  readonly #workbench: Workbench;
  #all: readonly string[] | undefined;
  /** The state of the folder that `all` is from. */
  #seen = -1;
  #mention: Mention | undefined;

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
    const [files, setFiles] = createSignal<readonly string[]>([]);
    const [selected, setSelected] = createSignal(0);
    this.files = files;
    this.#setFiles = (next) => setFiles(next);
    this.selected = selected;
    this.#setSelected = (index) => setSelected(index);
  }

  get isOpen(): boolean {
    return this.files().length > 0;
  }

  /** After every change of the text or the cursor. */
  async look(text: string, cursor: number): Promise<void> {
    const mention = mentionAt(text, cursor);
    this.#mention = mention;
    if (mention === undefined) return this.close();
    const all = await this.#known();
    if (this.#mention !== mention) return;
    this.#setFiles(matchingFiles(all, mention.word, shownFiles));
    this.#setSelected(0);
  }

  async #known(): Promise<readonly string[]> {
    const { filesChanged } = this.#workbench.state;
    if (this.#all !== undefined && this.#seen === filesChanged) return this.#all;
    const reply = await this.#workbench.client.call("listFiles", { query: { limit: maxFiles } });
    if (isFault(reply)) return this.#all ?? [];
    this.#all = reply.files;
    this.#seen = filesChanged;
    return reply.files;
  }

  move(step: number): void {
    const { length } = this.files();
    this.#setSelected((this.selected() + step + length) % length);
  }

  close(): void {
    this.#mention = undefined;
    if (this.files().length > 0) this.#setFiles([]);
  }

  /** The text with the file's name in it. */
  choose(text: string, index = this.selected()): Completed | undefined {
    const file = this.files()[index];
    const mention = this.#mention;
    if (file === undefined || mention === undefined) return undefined;
    this.close();
    void addContextRow(this.#workbench, { kind: "file", file_path: file });
    const before = `${text.slice(0, mention.from)}@${file} `;
    return { text: before + text.slice(mention.to).trimStart(), cursor: before.length };
  }
}
