// The ledger's file as a working copy of a remote one: what is replicated of each transaction, and
// what it needs of the file.

import type { Fault } from "@stet/protocol/fault";
import { freeAbandoned } from "./holders.ts";
import type { Ledger } from "./ledger.ts";

/** Keeps every transaction in another place, too, where this file is only a working copy of what is there. */
export interface Mirror {
  /** Why nothing may be written now; undefined where it may. */
  refusal(): Fault | undefined;
  /** Called with the changes of a transaction, right after its commit, as an SQLite changeset. */
  committed(changes: Uint8Array): void;
  /** Resolves when all changes are committed there; a fault where they were refused, and must not remain here either. */
  settled(): Promise<undefined | Fault>;
}

export class WorkingCopy {
  readonly #ledger: Ledger;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** The version of its schema. */
  get version(): number {
    return this.#ledger.database.version();
  }

  /** A compact copy of the whole file at a path where there is none. */
  copyTo(path: string): void {
    this.#ledger.database.copyTo(path);
  }

  /** Processes that hold a lock, each as `host:pid`. */
  lockHolders(): string[] {
    const rows = this.#ledger.database.all("SELECT DISTINCT host || ':' || pid AS process FROM holders");
    return rows.map((row) => String(row.process));
  }

  /** Frees the locks of dead processes, and the abandoned ones of this process. */
  freeLocks(gone: readonly string[]): undefined | Fault {
    const { database } = this.#ledger;
    const freed = this.#ledger.write(() => {
      for (const process of gone) database.run("DELETE FROM holders WHERE host || ':' || pid = ?", process);
      return undefined;
    });
    return freed ?? freeAbandoned(this.#ledger);
  }
}
