// Short messages in the corner. Those about something that went wrong stay until they are closed.

import { type Accessor, createSignal } from "solid-js";

export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly detail?: string;
  readonly tone: "plain" | "good" | "bad";
  readonly action?: { readonly label: string; readonly run: () => unknown };
  /** Whether it is over when the server can be reached again. */
  readonly isAboutConnection?: boolean;
}

const shownMs = 5000;
const withActionMs = 12_000;
const maxShown = 4;

export class Notices {
  readonly list: Accessor<readonly Notice[]>;
  readonly #set: (change: (known: readonly Notice[]) => readonly Notice[]) => void;
  #count = 0;

  constructor() {
    const [list, set] = createSignal<readonly Notice[]>([]);
    this.list = list;
    this.#set = set;
  }

  /** Returns how to close it, where it is over before its time. */
  tell(notice: Omit<Notice, "id">): () => void {
    this.#count += 1;
    const id = this.#count;
    this.#set((known) =>
      [...known.filter((other) => !isOutdated(other, notice)), { ...notice, id }].slice(-maxShown),
    );
    const close = () => this.close(id);
    if (notice.tone !== "bad") setTimeout(close, notice.action === undefined ? shownMs : withActionMs);
    return close;
  }

  /** The server can be reached again. */
  closeAboutConnection(): void {
    this.#set((known) => known.filter((notice) => notice.isAboutConnection !== true));
  }

  close(id: number): void {
    this.#set((known) => known.filter((notice) => notice.id !== id));
  }
}

/** The same again replaces the one before it; and an Undo is for the latest thing, not for one before it. */
function isOutdated(known: Notice, fresh: Omit<Notice, "id">): boolean {
  if (known.text === fresh.text) return true;
  return known.action !== undefined && known.action.label === fresh.action?.label;
}
