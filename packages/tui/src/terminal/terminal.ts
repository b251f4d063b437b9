// The terminal as the renderer needs it: a size, bytes out, input in. process-terminal.ts is the real one; tests have a virtual
// one that keeps what a real terminal would show.

import type { Input } from "../input/input.ts";

export interface Terminal {
  readonly columns: number;
  readonly rows: number;
  readonly capabilities: Capabilities;
  write(text: string): void;
  /** Bytes wait to be taken by a slow terminal: a frame is left out, and the newest one is drawn after `onDrain`. */
  readonly hasBacklog: boolean;
  /** Raw mode, bracketed paste, probes. */
  start(handlers: TerminalHandlers): void;
  /**
   * Before the last stop: until the terminal has answered what it was asked, for a moment at most. An answer that comes later is
   * typed into the shell.
   */
  settle?(): Promise<void>;
  /** Everything as it was before, also the cursor. */
  stop(): void;
}

export interface TerminalHandlers {
  readonly onInput: (input: Input) => void;
  readonly onResize: () => void;
  /** A probe was answered: what the terminal can do, or its colours, are known better now. */
  readonly onCapabilities: () => void;
  readonly onFocus: (isFocused: boolean) => void;
  /** Nothing waits to be written any more. */
  readonly onDrain: () => void;
  /** It is gone: the connection was closed, or nothing can be written any more. */
  readonly onLost: () => void;
}

/** Only what is cosmetic or faster depends on these; what is right never does. */
export interface Capabilities {
  /** Frames stand between BSU and ESU (DEC mode 2026). */
  readonly synchronizedOutput: boolean;
  /** Inside tmux, screen or zellij: history belongs to the pane, and is never cleared. */
  readonly isMultiplexer: boolean;
  /** ED22: the screen is pushed into the history before the first paint. */
  readonly screenToScrollback: boolean;
  /** DECCARA: rectangles are filled with a background. */
  readonly rectangularFill: boolean;
  readonly images: "kitty" | "iterm2" | "sixel" | "none";
  readonly kittyPlaceholders: boolean;
  readonly kittyKeyboard: boolean;
  /** Pixels of a cell; undefined until the terminal says so. */
  readonly cellSize: { readonly width: number; readonly height: number } | undefined;
  readonly colours: "none" | "16" | "256" | "true";
  /** How it shows a notification; a bell where it knows nothing better. */
  readonly notifications: "osc9" | "osc99" | "osc777" | "bell" | "none";
  /** By its background colour; undefined where it does not tell. */
  readonly appearance: "dark" | "light" | undefined;
}
