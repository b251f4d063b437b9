// What is shown side by side in the tab bar of this window: the server's tabs in their order, then views that only this
// window has (a diff, a comparison, a conversation's tree).

import { type Accessor, createSignal } from "solid-js";

export type View =
  | { readonly kind: "document"; readonly tab: string }
  | { readonly kind: "diff"; readonly document: number; readonly title: string }
  | { readonly kind: "conflict"; readonly document: number; readonly title: string }
  | {
      readonly kind: "checkpoint";
      readonly checkpoint: string;
      readonly filePath: string;
      readonly title: string;
    }
  | { readonly kind: "session"; readonly session: string; readonly title: string }
  | { readonly kind: "keys"; readonly title: string };

export function viewKey(view: View): string {
  switch (view.kind) {
    case "document":
      return view.tab;
    case "diff":
    case "conflict":
      return `${view.kind}:${view.document}`;
    case "checkpoint":
      return `checkpoint:${view.checkpoint}:${view.filePath}`;
    case "session":
      return `session:${view.session}`;
    case "keys":
      return "keys";
  }
}

/** Equal views are deduplicated: setting them again draws nothing. */
function hasSameViews(one: readonly View[], other: readonly View[]): boolean {
  return one.length === other.length && one.every((view, index) => view === other[index]);
}

export class Views {
  /** In the order of the tab bar. */
  readonly list: Accessor<readonly View[]>;
  readonly active: Accessor<View | undefined>;
  /** Counts up with every view that is brought to the front, also where it is there already. */
  readonly shows: Accessor<number>;
  readonly #setList: (views: readonly View[]) => void;
  readonly #setActive: (view: View | undefined) => void;
  readonly #setShows: (change: (count: number) => number) => void;
  #hasLoaded = false;
  /** Keys of what was in front, the latest last. */
  #trail: string[] = [];

  constructor() {
    const [shows, setShows] = createSignal(0);
    this.shows = shows;
    this.#setShows = setShows;
    [this.list, this.#setList] = createSignal<readonly View[]>([], { equals: hasSameViews });
    [this.active, this.#setActive] = createSignal<View | undefined>(undefined, {
      equals: (one, other) => (one && viewKey(one)) === (other && viewKey(other)),
    });
  }

  /** Brings a view to the front, adding it where it is not there yet. */
  show(view: View): void {
    const key = viewKey(view);
    if (!this.list().some((known) => viewKey(known) === key)) this.#setList([...this.list(), view]);
    this.#trail = [...this.#trail.filter((known) => known !== key), key];
    this.#setActive(view);
    this.#setShows((count) => count + 1);
  }

  /** Closes a view of this window; a document's tab is closed by the server. */
  close(view: View): void {
    this.#remove((candidate) => viewKey(candidate) === viewKey(view));
  }

  /** Takes over the server's tabs. What was in front stays there as long as it exists. */
  keepDocuments(tabs: readonly string[], activeTab: string | null): void {
    const known = new Map(this.list().map((view) => [viewKey(view), view]));
    const documents = tabs.map((tab): View => known.get(tab) ?? { kind: "document", tab });
    const others = this.list().filter((view) => view.kind !== "document");
    this.#setList([...documents, ...others]);
    const isFirst = !this.#hasLoaded;
    this.#hasLoaded = true;
    if (isFirst && activeTab !== null) this.show({ kind: "document", tab: activeTab });
    else this.#fallBack();
  }

  #remove(isGone: (view: View) => boolean): void {
    this.#setList(this.list().filter((view) => !isGone(view)));
    this.#fallBack();
  }

  /** Where the view in front is gone, the one that was in front before it comes back. */
  #fallBack(): void {
    const views = new Map(this.list().map((view) => [viewKey(view), view]));
    const active = this.active();
    if (active !== undefined && views.has(viewKey(active))) return;
    const key = this.#trail.findLast((known) => views.has(known));
    const next = (key === undefined ? undefined : views.get(key)) ?? this.list()[0];
    if (next === undefined) this.#setActive(undefined);
    else this.show(next);
  }
}
