// Files that were in front in this folder, the latest first. Remembered in the browser, for the welcome and the palette.

import { type Accessor, createSignal } from "solid-js";

const maxRecent = 30;

export class RecentFiles {
  readonly paths: Accessor<readonly string[]>;
  readonly #setPaths: (paths: readonly string[]) => void;
  readonly #key: string;

  constructor(root: string) {
    this.#key = `stet.recent:${root}`;
    [this.paths, this.#setPaths] = createSignal<readonly string[]>(remembered(this.#key));
  }

  add(path: string): void {
    if (this.paths()[0] === path) return;
    this.#setPaths([path, ...this.paths().filter((known) => known !== path)].slice(0, maxRecent));
    try {
      localStorage.setItem(this.#key, JSON.stringify(this.paths()));
    } catch {
      // A browser that keeps nothing starts without recent files.
    }
  }
}

function remembered(key: string): string[] {
  try {
    const known: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(known) ? known.filter((path) => typeof path === "string").slice(0, maxRecent) : [];
  } catch {
    return [];
  }
}

const all = new Map<string, RecentFiles>();

export function recentFilesOf(root: string): RecentFiles {
  const known = all.get(root) ?? new RecentFiles(root);
  all.set(root, known);
  return known;
}
