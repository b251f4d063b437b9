// Notices about Stet's own files since the server began: a store that was damaged and begun anew, one that is older than it
// was. Stored for windows that are opened later, and sent as an event to those that are open.

import type { StorageNotice } from "@stet/protocol/events/workspace-events";
import { onNotice } from "@stet/storage/notices";

/** The newest ones. */
const maxKept = 20;

export class StorageNotices {
  #kept: StorageNotice[] = [];
  #tell: (notice: StorageNotice) => void = () => {};
  readonly stop: () => void;

  constructor() {
    this.stop = onNotice(({ message, suggestion }) => {
      const notice = { message, suggestion, at: new Date().toISOString() };
      this.#kept = [...this.#kept, notice].slice(-maxKept);
      this.#tell(notice);
    });
  }

  list(): readonly StorageNotice[] {
    return this.#kept;
  }

  /** Tells what was met so far, and everything from then on. */
  follow(tell: (notice: StorageNotice) => void): void {
    this.#tell = tell;
    for (const notice of this.#kept) tell(notice);
  }
}
