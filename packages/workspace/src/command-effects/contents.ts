// Contents of files that are no documents, kept by their hash in Stet's state folder: what a command replaced, and what was
// taken away when that was rejected.
//
// bounds: a file over `maxFileBytes` is not kept; beyond `maxBytes` in all, the contents that were used least recently go.

import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { uniqueSuffix } from "@stet/protocol/ids";
import { hashBytes } from "../files/files.ts";

export const contentLimits = { maxFileBytes: 16 * 1024 ** 2, maxBytes: 256 * 1024 ** 2 };

export class FileContents {
  readonly #folder: string;

  constructor(stateFolder: string) {
    this.#folder = join(stateFolder, "contents");
  }

  /** Whether it is kept now. */
  keep(id: string, bytes: Uint8Array): boolean {
    if (bytes.length > contentLimits.maxFileBytes) return false;
    if (this.read(id) !== undefined) return true;
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      const temporary = join(this.#folder, `.${uniqueSuffix()}`);
      writeFileSync(temporary, bytes, { mode: 0o600, flush: true });
      renameSync(temporary, this.#pathOf(id));
      this.#forgetExcess(id);
      return true;
    } catch {
      // A full disk: what cannot be kept is not taken away.
      return false;
    }
  }

  /** Undefined where it is not kept, or is not what it was. */
  read(id: string): Uint8Array | undefined {
    try {
      const path = this.#pathOf(id);
      const bytes = readFileSync(path);
      if (hashBytes(bytes) !== id) return undefined;
      const now = new Date();
      utimesSync(path, now, now);
      return bytes;
    } catch {
      return undefined;
    }
  }

  #forgetExcess(newest: string): void {
    const kept = readdirSync(this.#folder).map((name) => {
      const { size, mtimeMs } = statSync(join(this.#folder, name));
      return { name, size, mtimeMs };
    });
    let total = kept.reduce((sum, { size }) => sum + size, 0);
    for (const { name, size } of kept.toSorted((one, other) => one.mtimeMs - other.mtimeMs)) {
      if (total <= contentLimits.maxBytes) return;
      if (name === nameOf(newest)) continue;
      rmSync(join(this.#folder, name), { force: true });
      total -= size;
    }
  }

  #pathOf(id: string): string {
    return join(this.#folder, nameOf(id));
  }
}

function nameOf(id: string): string {
  return id.replaceAll(/[^0-9a-z]/gi, "-");
}
