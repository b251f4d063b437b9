// How this window is arranged: the one state that the server does not know. It is remembered in the browser.

import { type Accessor, createSignal } from "solid-js";
import { createStore, type SetStoreFunction } from "solid-js/store";
import { keep, keptRecord } from "../workspace/browser-storage.ts";

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
  /** Of a conversation that has not begun. One that has keeps its own. */
  readonly model: string | null;
  /** Models that the person typed the names of, the newest first. */
  readonly namedModels: readonly string[];
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
  namedModels: [],
  hasSeenTour: false,
  tourSince: null,
  hidesPracticeBanner: false,
};

const key = "stet.layout";
/** Pixels; also in app.css. Below it there is room for the text and one thing beside it. */
const oneSideBelow = 900;
/** Below it one thing is shown at a time. */
const onePaneBelow = 640;
/** Below it the files, the text and the agent together leave little of the text. */
const foldFilesBelow = 1180;

export class Layout {
  readonly state: LayoutState;
  readonly #change: SetStoreFunction<LayoutState>;
  /** Whether one thing is shown at a time. */
  readonly #hasOnePane: Accessor<boolean>;

  constructor() {
    const query = globalThis.matchMedia?.(`(max-width: ${onePaneBelow}px)`);
    const [hasOnePane, setOnePane] = createSignal(query?.matches ?? false);
    query?.addEventListener("change", ({ matches }) => setOnePane(matches));
    this.#hasOnePane = hasOnePane;
    [this.state, this.#change] = createStore<LayoutState>({ ...usualLayout, ...remembered() });
  }

  set(patch: Partial<LayoutState>): void {
    this.#change({ ...paneOf(patch), ...oneSideOf(patch), ...patch });
    keep("localStorage", key, this.state);
  }

  /** At the start: whoever has read here before wants the room for the text, and not the list of files. */
  fit(width: number, hasBeenHere: boolean): void {
    const hasOneSide = width <= oneSideBelow;
    const isFolded = !hasOneSide && width < foldFilesBelow && hasBeenHere && this.state.isAgentOpen;
    this.#change({
      pane: "editor",
      ...(hasOneSide ? { isAgentOpen: false } : {}),
      ...(isFolded && this.state.left === "files" ? { left: null } : {}),
    });
  }

  /** The one that is shown where there is room for one only. */
  paneInFront(): Pane {
    const { pane, left } = this.state;
    return pane === "panel" && left === null ? "editor" : pane;
  }

  /** What a pane beside the editor is: the main thing where it is all that is shown. */
  landmark(pane: Pane, label: string): { role: "main" | "complementary"; "aria-label": string } {
    const isMain = this.#hasOnePane() && this.paneInFront() === pane;
    return { role: isMain ? "main" : "complementary", "aria-label": label };
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

/** What is opened beside the text takes the place of what is there, where there is room for one of them. */
function oneSideOf({ left, isAgentOpen }: Partial<LayoutState>): Partial<LayoutState> {
  const width = globalThis.innerWidth ?? Number.POSITIVE_INFINITY;
  if (width > oneSideBelow || width <= onePaneBelow) return {};
  if (isAgentOpen === true) return { left: null };
  return typeof left === "string" ? { isAgentOpen: false } : {};
}

/** Only what has the type that it should have: it may be from another version of the page. */
function remembered(): Partial<LayoutState> {
  const usual: Record<string, unknown> = { ...usualLayout };
  const fitting = Object.entries(keptRecord("localStorage", key)).filter(([name, value]) => {
    if (!(name in usual) || Array.isArray(value) !== Array.isArray(usual[name])) return false;
    return typeof value === typeof usual[name] || usual[name] === null || value === null;
  });
  return Object.fromEntries(fitting) as Partial<LayoutState>;
}
