// Which folders of the tree are open in this window. A small folder starts with everything open.

import { type Accessor, createSignal } from "solid-js";
import { foldersAbove } from "./file-tree.ts";

/** Up to this many files, everything is open at first. */
const fewFiles = 60;

export class OpenFolders {
  readonly paths: Accessor<ReadonlySet<string>>;
  readonly #setPaths: (paths: ReadonlySet<string>) => void;
  readonly #key: string;
  #isRemembered: boolean;

  constructor(root: string) {
    this.#key = `stet.folders:${root}`;
    const known = remembered(this.#key);
    this.#isRemembered = known !== undefined;
    [this.paths, this.#setPaths] = createSignal<ReadonlySet<string>>(new Set(known));
  }

  /** When the files are known for the first time. */
  start(files: readonly string[]): void {
    if (this.#isRemembered) return;
    this.#isRemembered = true;
    if (files.length <= fewFiles) this.#setPaths(new Set(files.flatMap(foldersAbove)));
  }

  open(...paths: readonly string[]): void {
    if (paths.every((path) => this.paths().has(path))) return;
    this.#keep(new Set([...this.paths(), ...paths]));
  }

  close(path: string): void {
    if (this.paths().has(path)) this.#keep(new Set([...this.paths()].filter((known) => known !== path)));
  }

  closeAll(): void {
    this.#keep(new Set());
  }

  toggle(path: string): void {
    if (this.paths().has(path)) this.close(path);
    else this.open(path);
  }

  #keep(paths: ReadonlySet<string>): void {
    this.#setPaths(paths);
    try {
      sessionStorage.setItem(this.#key, JSON.stringify([...paths]));
    } catch {
      // Then they are closed again after a reload.
    }
  }
}

function remembered(key: string): string[] | undefined {
  try {
    const known: unknown = JSON.parse(sessionStorage.getItem(key) ?? "null");
    return Array.isArray(known) ? known.filter((path) => typeof path === "string") : undefined;
  } catch {
    return undefined;
  }
}

const all = new Map<string, OpenFolders>();

/** They outlive the panel, which goes away when another one is shown. */
export function openFoldersOf(root: string): OpenFolders {
  const known = all.get(root) ?? new OpenFolders(root);
  all.set(root, known);
  return known;
}
