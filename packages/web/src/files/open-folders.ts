// Which folders of the tree are open in this window. A small folder starts with everything open.

import { type Accessor, createSignal } from "solid-js";
import { keep, keptTexts } from "../workspace/browser-storage.ts";
import { oneFor } from "../workspace/one-for.ts";
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
    const known = keptTexts("sessionStorage", this.#key);
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
    keep("sessionStorage", this.#key, [...paths]);
  }
}

/** They outlive the panel, which goes away when another one is shown. */
export const openFoldersOf = oneFor((root: string) => new OpenFolders(root));
