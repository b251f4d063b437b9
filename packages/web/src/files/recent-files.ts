// Files that were in front in this folder, the latest first. Remembered in the browser, for the welcome and the palette.

import { type Accessor, createSignal } from "solid-js";
import { keep, keptTexts } from "../workspace/browser-storage.ts";
import { oneFor } from "../workspace/one-for.ts";

const maxRecent = 30;

export class RecentFiles {
  readonly paths: Accessor<readonly string[]>;
  readonly #setPaths: (paths: readonly string[]) => void;
  readonly #key: string;

  constructor(root: string) {
    this.#key = `stet.recent:${root}`;
    [this.paths, this.#setPaths] = createSignal<readonly string[]>(
      keptTexts("localStorage", this.#key) ?? [],
    );
  }

  add(path: string): void {
    if (this.paths()[0] === path) return;
    this.#setPaths([path, ...this.paths().filter((known) => known !== path)].slice(0, maxRecent));
    keep("localStorage", this.#key, this.paths());
  }
}

export const recentFilesOf = oneFor((root: string) => new RecentFiles(root));
