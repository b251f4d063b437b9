// Room on the disk of the ledger that is kept for finishing what was begun.
//
// A turn that writes at once enters its edits, writes the files, and takes the edits back where the files cannot be
// written. On a disk that became full in between, taking back needs room, too. So a file of nothing is laid beside the
// ledger first: without it nothing is begun, and it is removed when what has to be finished finds the disk full.

import { randomFillSync } from "node:crypto";
import { closeSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { Fault, isFault } from "@stet/protocol/fault";
import { attempt } from "@stet/protocol/system-fault";

/** For the pages that a handful of rows touch, twice. */
const smallest = 256 * 1024;
/** A snapshot of a longer text is compressed to less than this in all but contrived cases. */
const largest = 16 * 1024 * 1024;
const privateFile = 0o600;

function roundUp(bytes: number): number {
  const step = 64 * 1024;
  return Math.ceil(bytes / step) * step;
}

export class DiskReserve {
  readonly #path: string;

  constructor(ledger: string) {
    this.#path = join(dirname(ledger), "reserve");
  }

  /** Makes sure that there is room to take back changes of texts with so many characters in all. */
  ensure(characters: number): undefined | Fault {
    const wanted = Math.min(largest, smallest + roundUp(2 * characters));
    if ((statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0) >= wanted) return undefined;
    const made = attempt("written", this.#path, () => this.#fill(wanted));
    if (!isFault(made)) return undefined;
    rmSync(this.#path, { force: true });
    if (made.error !== "disk_full") return made;
    return new Fault(
      "disk_full",
      `The disk of ${dirname(this.#path)} is nearly full: there would be no room to take the change back. Nothing was changed.`,
      "Free some space and try again; nothing needs to be repaired.",
      { path: this.#path, wanted },
    );
  }

  /** Gives the room back to the disk. False where there is none to give. */
  release(): boolean {
    if (statSync(this.#path, { throwIfNoEntry: false }) === undefined) return false;
    rmSync(this.#path, { force: true });
    return true;
  }

  /** Random bytes: a file system that compresses keeps no room for zeros. */
  #fill(size: number): void {
    const descriptor = openSync(this.#path, "w", privateFile);
    try {
      const bytes = randomFillSync(Buffer.allocUnsafe(size));
      for (let written = 0; written < size; ) written += writeSync(descriptor, bytes, written);
    } finally {
      closeSync(descriptor);
    }
  }
}
