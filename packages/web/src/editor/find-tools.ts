// What the editor's own search panel lacks: how many matches there are and which one is selected, and the fields to replace
// only when they are wanted.

import { getSearchQuery, type SearchQuery, searchPanelOpen } from "@codemirror/search";
import type { EditorState } from "@codemirror/state";
import { type EditorView, type PluginValue, ViewPlugin, type ViewUpdate } from "@codemirror/view";

/** Beyond it, it only says that there are more: counting must not be felt while typing. */
const mostCounted = 1000;

export interface Matches {
  readonly count: number;
  readonly isMore: boolean;
  /** Which of them is selected, from 1; 0 where none is. */
  readonly at: number;
}

export function countMatches(state: EditorState, query: SearchQuery): Matches {
  const { from, to } = state.selection.main;
  let count = 0;
  let at = 0;
  const cursor = query.getCursor(state);
  for (let next = cursor.next(); !next.done; next = cursor.next()) {
    if (count === mostCounted) return { count, isMore: true, at };
    count += 1;
    if (next.value.from === from && next.value.to === to) at = count;
  }
  return { count, isMore: false, at };
}

export function matchWords({ count, isMore, at }: Matches): string {
  if (count === 0) return "None found";
  const all = `${count.toLocaleString("en")}${isMore ? "+" : ""}`;
  return at > 0 ? `${at.toLocaleString("en")} of ${all}` : `${all} found`;
}

/** Shows the fields to replace, or hides them again. */
export function showReplace(view: EditorView, isShown: boolean): void {
  const panel = view.dom.querySelector(".cm-panel.cm-search");
  panel?.classList.toggle("with-replace", isShown);
  panel?.querySelector(".find-replace")?.setAttribute("aria-expanded", String(isShown));
}

class FindTools implements PluginValue {
  readonly #view: EditorView;

  constructor(view: EditorView) {
    this.#view = view;
    this.#tell(view.state);
  }

  update({ state, startState, docChanged, selectionSet }: ViewUpdate): void {
    if (!searchPanelOpen(state)) return;
    const isNew = !searchPanelOpen(startState) || !getSearchQuery(state).eq(getSearchQuery(startState));
    if (isNew || docChanged || selectionSet) queueMicrotask(() => this.#tell(this.#view.state));
  }

  #tell(state: EditorState): void {
    const panel = this.#view.dom.querySelector(".cm-panel.cm-search");
    if (panel === null) return;
    const place = panel.querySelector(".find-count") ?? this.#add(panel);
    const query = getSearchQuery(state);
    const words = query.search === "" || !query.valid ? "" : matchWords(countMatches(state, query));
    if (place.textContent !== words) place.textContent = words;
  }

  #add(panel: Element): Element {
    const count = document.createElement("span");
    count.className = "find-count";
    count.setAttribute("role", "status");
    panel.querySelector("input[name=search]")?.after(count);
    const replace = document.createElement("button");
    replace.type = "button";
    replace.className = "cm-button find-replace";
    replace.textContent = "Replace …";
    replace.setAttribute("aria-expanded", String(panel.classList.contains("with-replace")));
    replace.addEventListener("click", () => {
      showReplace(this.#view, !panel.classList.contains("with-replace"));
    });
    panel.querySelector("button[name=select]")?.after(replace);
    return count;
  }
}

export const findTools = ViewPlugin.fromClass(FindTools);
