// How this window is arranged: the one state that the server does not know. It is remembered in the browser.

import { createStore, type SetStoreFunction } from "solid-js/store";

export type LeftPanel = "files" | "search" | "outline" | "review" | "history";
export type Theme = "system" | "light" | "dark" | "contrast";

export type Pane = "panel" | "editor" | "agent";

export interface LayoutState {
  /** The panel on the left; null where it is closed. */
  readonly left: LeftPanel | null;
  readonly leftWidth: number;
  readonly isAgentOpen: boolean;
  /** What is shown where there is room for one thing only. */
  readonly pane: Pane;
  readonly agentWidth: number;
  readonly theme: Theme;
  readonly wrapsLines: boolean;
  readonly editorFontSize: number;
  readonly diffStyle: "split" | "unified";
  /** The conversation in the sidebar. */
  readonly session: string | null;
  readonly toolset: string | null;
  readonly model: string | null;
  readonly hasSeenTour: boolean;
  /** The newest checkpoint when the tour was started anew: what is older is no part of it. */
  readonly tourSince: string | null;
  readonly hidesPracticeBanner: boolean;
}

export const usualLayout: LayoutState = {
  left: "files",
  leftWidth: 260,
  isAgentOpen: true,
  pane: "editor",
  agentWidth: 380,
  theme: "system",
  wrapsLines: true,
  editorFontSize: 15,
  diffStyle: "split",
  session: null,
  toolset: null,
  model: null,
  hasSeenTour: false,
  tourSince: null,
  hidesPracticeBanner: false,
};

const key = "stet.layout";
/** Pixels; also in app.css. */
const overlayBelow = 900;

export class Layout {
  readonly state: LayoutState;
  private readonly change: SetStoreFunction<LayoutState>;

  constructor() {
    [this.state, this.change] = createStore<LayoutState>({ ...usualLayout, ...remembered() });
  }

  set(patch: Partial<LayoutState>): void {
    this.change({ ...paneOf(patch), ...patch });
    try {
      localStorage.setItem(key, JSON.stringify(this.state));
    } catch {
      // A browser that keeps nothing shows the usual arrangement next time.
    }
  }

  /** At the start: in a window without room for it, the agent would lie over the text. */
  fit(width: number): void {
    this.change({ pane: "editor", ...(width < overlayBelow ? { isAgentOpen: false } : {}) });
  }

  togglePanel(panel: LeftPanel): void {
    this.set({ left: this.state.left === panel ? null : panel });
  }
}

/** What was asked for is to be seen. */
function paneOf({ left, isAgentOpen }: Partial<LayoutState>): { readonly pane?: Pane } {
  if (left !== undefined) return { pane: left === null ? "editor" : "panel" };
  return isAgentOpen === undefined ? {} : { pane: isAgentOpen ? "agent" : "editor" };
}

/** Only what has the type that it should have: it may be from another version of the page. */
function remembered(): Partial<LayoutState> {
  try {
    const known: unknown = JSON.parse(localStorage.getItem(key) ?? "{}");
    if (typeof known !== "object" || known === null) return {};
    const usual: Record<string, unknown> = { ...usualLayout };
    const fitting = Object.entries(known).filter(([name, value]) => {
      return name in usual && (typeof value === typeof usual[name] || usual[name] === null || value === null);
    });
    return Object.fromEntries(fitting) as Partial<LayoutState>;
  } catch {
    return {};
  }
}
