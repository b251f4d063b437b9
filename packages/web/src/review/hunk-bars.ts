// The small bar at each hunk in sight: accept, reject, and why. It stands at the right of the hunk's first line, outside of the
// text that is edited, where the keyboard and screen readers find real buttons. Bars are kept while their hunk is in sight, so
// that focus and pointer stay where they are when something else changes.

import type { EditorState } from "@codemirror/state";
import type { EditorView, PluginValue, ViewUpdate } from "@codemirror/view";
import { type Bar, decidedBar, hunkBar, tellBar } from "./hunk-bar.ts";
import { type HunkRange, hunksBetween, lineOf, type MarkRange, rangesIn } from "./hunk-ranges.ts";
import type { OpenReview } from "./open-review.ts";

interface Measured {
  readonly key: string;
  readonly top: number;
  readonly item: HunkRange | MarkRange;
}

interface Layout {
  readonly bars: readonly Measured[];
  /** From the right edge of the scrolled area. */
  readonly right: number;
  /** Whether the text has to leave room for the bars. */
  readonly isNarrow: boolean;
}

/** In pixels, with room for a finger where there is one. Also in inline-review.css. */
const forFinger = globalThis.matchMedia?.("(pointer: coarse), (max-width: 640px)");
const barHeight = () => (forFinger?.matches === true ? 40 : 26);
const barWidth = () => (forFinger?.matches === true ? 92 : 64);
const wideWidth = 128;
const edge = 8;

export class HunkBars implements PluginValue {
  readonly #view: EditorView;
  readonly #review: OpenReview;
  readonly #place: HTMLElement;
  readonly #bars = new Map<string, Bar>();
  #hasBars = false;

  constructor(view: EditorView, review: OpenReview) {
    this.#view = view;
    this.#review = review;
    this.#place = document.createElement("div");
    this.#place.className = "review-bars";
    view.scrollDOM.append(this.#place);
    view.scrollDOM.addEventListener("scroll", this.#measureSoon, { passive: true });
    this.#measureSoon();
  }

  update(update: ViewUpdate): void {
    const isOther = rangesIn(update.startState) !== rangesIn(update.state);
    if (isOther || update.docChanged || update.viewportChanged || update.geometryChanged) this.#measureSoon();
  }

  destroy(): void {
    this.#place.remove();
    this.#view.scrollDOM.removeEventListener("scroll", this.#measureSoon);
    this.#view.scrollDOM.classList.remove("review-narrow");
  }

  readonly #measureSoon = (): void => {
    this.#view.requestMeasure({
      key: this,
      read: () => this.#read(),
      write: (layout) => this.#write(layout),
    });
  };

  #read(): Layout {
    const view = this.#view;
    const { from, to } = view.viewport;
    const placed = rangesIn(view.state);
    const marks = placed.marks.filter((mark) => mark.from >= from && mark.from <= to);
    // One tick beside one word would decide all of a turn that is decided as a whole.
    const alone = hunksBetween(placed, from, to).filter(({ wholeTurn }) => wholeTurn === undefined);
    const items = [...alone, ...marks]
      .filter((item) => "hunk" in item || item.from >= from)
      .sort((one, other) => one.from - other.from);
    const scroller = view.scrollDOM.getBoundingClientRect();
    const shift = view.documentTop - scroller.top + view.scrollDOM.scrollTop;
    const bars: Measured[] = [];
    const seen = view.scrollDOM.scrollTop + edge;
    let bottom = Number.NEGATIVE_INFINITY;
    for (const item of items) {
      const first = view.lineBlockAt(Math.min(item.from, view.state.doc.length)).top + shift;
      const top = Math.max(bottom, first, Math.min(seen, this.#lastTop(item) + shift));
      bottom = top + barHeight();
      bars.push({ key: keyOf(item), top, item });
    }
    const free = view.scrollDOM.clientWidth - (view.contentDOM.getBoundingClientRect().right - scroller.left);
    const isNarrow = this.#freeBeside() < wideWidth + 2 * edge;
    return { bars, right: isNarrow ? Math.max(0, free) + edge : free - wideWidth - edge, isNarrow };
  }

  /** How far down a bar may go with a hunk whose first line is above what is seen. */
  #lastTop(item: HunkRange | MarkRange): number {
    if (!("hunk" in item)) return Number.NEGATIVE_INFINITY;
    return this.#view.lineBlockAt(Math.min(item.to, this.#view.state.doc.length)).bottom - barHeight();
  }

  /** What is left at the right of the column while it leaves no room for bars of its own. */
  #freeBeside(): number {
    const { scrollDOM, contentDOM } = this.#view;
    const gutters = scrollDOM.querySelector<HTMLElement>(".cm-gutters")?.offsetWidth ?? 0;
    const most = Number.parseFloat(getComputedStyle(contentDOM).maxInlineSize);
    const column = Number.isNaN(most) ? Number.POSITIVE_INFINITY : most;
    return Math.max(0, (scrollDOM.clientWidth - gutters - column) / 2);
  }

  #write({ bars, right, isNarrow }: Layout): void {
    const { classList } = this.#view.scrollDOM;
    // The margin is not removed again: the text must not become wider while the last change is decided.
    this.#hasBars ||= rangesIn(this.#view.state).hunks.length > 0 || bars.length > 0;
    classList.toggle("review-narrow", this.#hasBars && isNarrow);
    const focused = this.#focused();
    const wanted = new Set(bars.map(({ key }) => key));
    for (const [key, bar] of this.#bars) {
      if (wanted.has(key)) continue;
      bar.dom.remove();
      this.#bars.delete(key);
    }
    const { state } = this.#view;
    for (const { key, top, item } of bars) {
      const bar = this.#bars.get(key) ?? this.#make(key, item);
      tellBar(bar, labelOf(state, item));
      bar.dom.style.top = `${top}px`;
      bar.dom.style.right = `${right}px`;
      bar.dom.style.width = `${isNarrow ? barWidth() : wideWidth}px`;
    }
    if (focused !== undefined && !wanted.has(focused.key)) this.#moveFocus(focused);
  }

  #make(key: string, item: HunkRange | MarkRange): Bar {
    const bar =
      "hunk" in item
        ? hunkBar(item, this.#review.decisions, this.#review.document.workbench.commands)
        : decidedBar(item, this.#review.decisions);
    // In the order of the text, so that Tab goes through them as they are seen.
    const next = [...this.#bars.values()].find((other) => other.from > item.from);
    this.#place.insertBefore(bar.dom, next?.dom ?? null);
    this.#bars.set(key, bar);
    return bar;
  }

  #focused(): { readonly key: string; readonly from: number; readonly isByKey: boolean } | undefined {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || !this.#place.contains(element)) return undefined;
    for (const [key, bar] of this.#bars) {
      if (bar.dom.contains(element))
        return { key, from: bar.from, isByKey: element.matches(":focus-visible") };
    }
    return undefined;
  }

  /** After a decision by keyboard the focus goes to the next hunk; after a click, to the text. */
  #moveFocus({ from, isByKey }: { readonly from: number; readonly isByKey: boolean }): void {
    const open = [...this.#bars].filter(([key]) => key.startsWith("open:")).map(([, bar]) => bar);
    const next = open.find((bar) => bar.from >= from) ?? open.at(-1);
    const button = isByKey ? next?.dom.querySelector("button") : undefined;
    if (button) button.focus();
    else this.#view.focus();
  }
}

function keyOf(item: HunkRange | MarkRange): string {
  return "hunk" in item
    ? `open:${item.hunk.hunk_id}:${item.hunk.rationales.join("\n")}`
    : `${item.verdict}:${item.id}`;
}

function labelOf(state: EditorState, item: HunkRange | MarkRange) {
  return { line: lineOf(state.doc, item), from: item.from };
}
