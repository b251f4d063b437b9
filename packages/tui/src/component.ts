// What the renderer draws. A component gives rows for a width; it knows nothing of the screen, and the renderer nothing of what
// the rows say.
//
// A row is text with SGR sequences and hyperlinks (OSC 8) and no other control byte. It is no wider than the width that was
// asked for, and leaves no style open at its end.
//
// Rows of a component that have scrolled into the terminal's history cannot change any more. A component with rows that may
// still change reports where they begin (`NativeScrollbackLiveRegion`): they stay in the window. One that reports nothing is
// treated as a shell's output: whatever scrolls off is final.

import type { Input } from "./input/input.ts";

export interface Component {
  /** The rows below those that were released. Cheap where nothing changed: the same array is returned again. */
  render(width: number): readonly string[];
  /** How many rows above the rendered ones are history and are not rendered any more; none unless given. */
  readonly releasedRows?: number;
  /** Called after a frame: this many of its rows, with the released ones, are history now. */
  committed?(rows: number): void;
  /** Whether it draws the other one as a part of itself; asked when a part wants to be drawn again. */
  contains?(component: Component): boolean;
  /** The whole frame is to be painted anew: released rows are rendered again, at most this many of them. */
  rewind?(maxRows: number): void;
}

/** Keeps rows that may still change out of the terminal's history. Indexes count a component's rows from its first one. */
export interface NativeScrollbackLiveRegion {
  /** The first row that may still change; undefined where none may. */
  getNativeScrollbackLiveRegionStart(): number | undefined;
  /** The end of the part of the live region that only grows. */
  getNativeScrollbackCommitSafeEnd?(): number | undefined;
}

/** A component that takes keys while it has the focus. */
export interface InputComponent extends Component {
  /** Returns whether it used the input; the next one is asked otherwise. */
  handleInput(input: Input): boolean;
  /** Set by the renderer. Only a component with the focus puts `cursorMarker` into its rows. */
  isFocused: boolean;
  /** Whether it wants to be told when a key is released. */
  readonly wantsKeyRelease?: boolean;
}

/** Stands in a row where the terminal's cursor shall be. Takes no cell; the renderer takes it out. */
export const cursorMarker = "\u001b_stet:cursor\u0007";
