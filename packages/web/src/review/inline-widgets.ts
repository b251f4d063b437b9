// What was removed, where it was: plain elements, because there may be a thousand of them.

import { WidgetType } from "@codemirror/view";
import { visible } from "@stet/protocol/visible";

/** Lines of a removal that are shown; the diff shows all of them. */
const maxLinesShown = 2000;

/** Words that went, before those that came. */
export class RemovedWords extends WidgetType {
  readonly #text: string;
  readonly #isWhole: boolean;

  constructor(text: string, isWhole: boolean) {
    super();
    this.#text = text;
    this.#isWhole = isWhole;
  }

  override eq(other: RemovedWords): boolean {
    return this.#text === other.#text && this.#isWhole === other.#isWhole;
  }

  override toDOM(): HTMLElement {
    const element = document.createElement("del");
    element.className = this.#isWhole ? "review-removed-words whole" : "review-removed-words";
    element.textContent = visible(this.#text.replaceAll("\r", ""));
    return element;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

/** Whole lines that went. Very many are folded away until they are asked for. */
export class RemovedLines extends WidgetType {
  readonly id: string;
  readonly #lines: readonly string[];
  readonly #isLarge: boolean;
  readonly #isUnfolded: boolean;
  readonly #unfold: (id: string) => void;

  constructor(
    id: string,
    lines: readonly string[],
    isLarge: boolean,
    isUnfolded: boolean,
    unfold: (id: string) => void,
  ) {
    super();
    this.id = id;
    this.#lines = lines;
    this.#isLarge = isLarge;
    this.#isUnfolded = isUnfolded;
    this.#unfold = unfold;
  }

  override eq(other: RemovedLines): boolean {
    return (
      this.id === other.id &&
      this.#isLarge === other.#isLarge &&
      this.#isUnfolded === other.#isUnfolded &&
      this.#lines.length === other.#lines.length &&
      this.#lines.every((line, index) => line === other.#lines[index])
    );
  }

  /** False where it only says that what was added is large. */
  get isOfRemoved(): boolean {
    return this.#lines.length > 0;
  }

  override get estimatedHeight(): number {
    const shown = this.#isUnfolded ? Math.min(this.#lines.length, maxLinesShown) : 0;
    return 22 * (shown + (this.#isLarge ? 1 : 0));
  }

  override toDOM(): HTMLElement {
    const element = document.createElement("div");
    element.className = this.isOfRemoved ? "review-removed-lines" : "review-added-head";
    if (this.#isLarge) element.append(this.#head());
    if (this.#isUnfolded && this.#lines.length > 0) {
      const removed = document.createElement("del");
      removed.textContent = visible(this.#lines.slice(0, maxLinesShown).join("\n"));
      element.append(removed);
    }
    return element;
  }

  #head(): HTMLElement {
    const head = document.createElement("p");
    head.className = "review-large soft";
    const { length } = this.#lines;
    const removed = length === 0 ? "" : ` It removes ${length === 1 ? "one line" : `${length} lines`}.`;
    head.append(`This is a large change.${removed} `);
    if (length > 0) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "review-link bare";
      button.textContent = this.#isUnfolded ? "Hide" : "Show";
      button.setAttribute("aria-expanded", String(this.#isUnfolded));
      button.addEventListener("click", () => this.#unfold(this.id));
      head.append(button);
    }
    return head;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}
