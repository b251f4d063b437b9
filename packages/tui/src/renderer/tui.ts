// The screen of a program: components below each other, overlays above them, input to whoever has the focus, frames when
// something changed. What a frame does to the terminal is painter.ts.

import type { Component, InputComponent } from "../component.ts";
import type { Input } from "../input/input.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { newPart, type Part } from "./frame.ts";
import { Overlay, type OverlayOptions } from "./overlays.ts";
import { type FullPaint, Painter } from "./painter.ts";
import { FrameSchedule } from "./schedule.ts";

/** Sees input before the focused component. Returns true where it used it, or another input in its place. */
export type InputListener = (input: Input) => boolean | Input | undefined;

/** All are read when they are needed, so the owner may change them. */
export interface TuiOptions {
  /** How many of the newest rows a full paint writes, at most; 10,000 unless given. */
  replayRows?: number;
  /** What a change of the width does with the history: it stays as it is (default), or is erased and written anew. */
  resize?: "keep" | "replay";
  /** The row above a replay that left this many rows out. */
  olderRows?: (rows: number) => string;
  /** Shift-Ctrl-D, before any component sees it. */
  onDebugKey?: () => void;
  onCapabilities?: () => void;
  onFocus?: (isFocused: boolean) => void;
  /** The terminal is gone; nothing is drawn any more. */
  onLost?: () => void;
}

/** Milliseconds without another change of the width after which the screen is drawn for the new one. */
export const resizeSettleTime = 60;

export const defaultReplayRows = 10_000;

export class Tui {
  readonly #terminal: Terminal;
  readonly #options: TuiOptions;
  readonly #parts: Part[] = [];
  readonly #painter: Painter;
  readonly #schedule = new FrameSchedule(() => this.#draw());
  readonly #listeners = new Set<InputListener>();
  readonly #overlays: { readonly overlay: Overlay; readonly focusBefore: Component | undefined }[] = [];
  #focus: Component | undefined;
  #isRunning = false;
  #fullPaint: FullPaint | undefined = "first";
  #isForced = false;
  /** A slow terminal still has to take earlier frames; this one is drawn when it has. */
  #isFrameLeftOut = false;
  /** What asked for the next frame; undefined where everything may have changed. */
  #changed: Set<Part> | undefined = new Set();
  #columns = 0;

  constructor(terminal: Terminal, options: TuiOptions = {}) {
    this.#terminal = terminal;
    this.#options = options;
    this.#painter = new Painter(terminal, this.#parts, {
      get replayRows() {
        return Math.max(1, options.replayRows ?? defaultReplayRows);
      },
      get resize() {
        return options.resize ?? "keep";
      },
      olderRows: (rows) => options.olderRows?.(rows) ?? "",
    });
  }

  get terminal(): Terminal {
    return this.#terminal;
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  get focus(): Component | undefined {
    return this.#focus;
  }

  /** Takes the terminal and draws. After a stop it goes on where it was. */
  start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#columns = this.#terminal.columns;
    this.#schedule.start();
    this.#terminal.start({
      onInput: (input) => this.#handleInput(input),
      onResize: () => this.#handleResize(),
      onCapabilities: () => {
        this.#options.onCapabilities?.();
        this.requestRender();
      },
      onFocus: (isFocused) => this.#options.onFocus?.(isFocused),
      onDrain: () => {
        if (!this.#isFrameLeftOut) return;
        this.#isFrameLeftOut = false;
        this.#schedule.requestUrgent();
      },
      onLost: () => {
        this.#isRunning = false;
        this.#schedule.stop();
        this.#options.onLost?.();
      },
    });
    // A row that is as wide as the screen must not wrap, whatever width the terminal gives to its characters.
    this.#terminal.write("\u001b[?7l");
    this.#changed = undefined;
    this.#schedule.requestUrgent();
  }

  /** Gives the terminal back: what is final stays above the cursor. */
  stop(): void {
    if (!this.#isRunning) return;
    this.#isRunning = false;
    this.#schedule.stop();
    this.#painter.finish();
    this.#terminal.write("\u001b[?7h");
    this.#terminal.stop();
  }

  add(component: Component): void {
    this.#parts.push(newPart(component));
    this.requestRender();
  }

  remove(component: Component): void {
    const index = this.#parts.findIndex((part) => part.component === component);
    if (index === -1) return;
    this.#parts.splice(index, 1);
    this.requestRender();
  }

  setFocus(component: Component | undefined): void {
    if (component === this.#focus) return;
    if (takesInput(this.#focus)) this.#focus.isFocused = false;
    this.#focus = component;
    if (takesInput(component)) component.isFocused = true;
    this.requestRender();
  }

  showOverlay(component: Component, options: OverlayOptions = {}): { close(): void } {
    const entry = { overlay: new Overlay(component, options), focusBefore: this.#focus };
    this.#overlays.push(entry);
    if (options.keepsFocus !== true) this.setFocus(component);
    this.requestRender();
    return {
      close: () => {
        const index = this.#overlays.indexOf(entry);
        if (index === -1) return;
        this.#overlays.splice(index, 1);
        if (this.#focus === component) this.setFocus(this.#nextFocus(entry.focusBefore));
        this.requestRender();
      },
    };
  }

  /** Returns what takes the listener away. */
  addInputListener(listener: InputListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Draws what changed, soon. With `force` every row of the window is written again. With `clearScrollback` the screen and its
   * history are replaced, for another session.
   */
  requestRender(options: { readonly force?: boolean; readonly clearScrollback?: boolean } = {}): void {
    this.#changed = undefined;
    if (options.clearScrollback === true) this.#fullPaint ??= "replace";
    if (options.force === true) this.#isForced = true;
    if (options.force === true || options.clearScrollback === true) this.#schedule.requestUrgent();
    else this.#schedule.request();
  }

  /** Draws one component that changed by itself, such as a spinner; the rows of the others are taken as they were. */
  requestComponentRender(component: Component): void {
    const part = this.#parts.find(
      (each) => each.component === component || each.component.contains?.(component) === true,
    );
    if (part === undefined) this.#changed = undefined;
    else this.#changed?.add(part);
    this.#schedule.request();
  }

  /** The screen was disturbed, by whatever: it is painted anew. Outside a multiplexer the history is, too. */
  resetDisplay(): void {
    this.#changed = undefined;
    this.#fullPaint ??= "reset";
    this.#schedule.requestUrgent();
  }

  /** Draws what waits now, and does not wait for the time of the next frame. */
  flush(): void {
    this.#schedule.flush();
  }

  #handleResize(): void {
    const { columns } = this.#terminal;
    this.#changed = undefined;
    // A drag has many sizes. Only the last one matters, and a terminal that wraps rows is still busy with the others.
    if (columns !== this.#columns) this.#schedule.hold(resizeSettleTime);
    else this.#schedule.request();
  }

  #handleInput(input: Input): void {
    let current = input;
    for (const listener of [...this.#listeners]) {
      const answer = listener(current);
      if (answer === true) {
        this.#drawAfterInput();
        return;
      }
      if (typeof answer === "object") current = answer;
    }
    if (current.kind === "key" && current.id === "shift+ctrl+d" && this.#options.onDebugKey !== undefined) {
      if (!current.isRelease) this.#options.onDebugKey();
      return;
    }
    this.#repairFocus();
    const focus = this.#focus;
    if (!takesInput(focus)) return;
    if (current.kind === "key" && current.isRelease && focus.wantsKeyRelease !== true) return;
    focus.handleInput(current);
    this.#drawAfterInput();
  }

  #drawAfterInput(): void {
    this.#changed = undefined;
    this.#schedule.requestUrgent();
  }

  /** An overlay that is hidden at this size does not keep the keys. */
  #repairFocus(): void {
    const { columns, rows } = this.#terminal;
    const hidden = this.#overlays.find(
      ({ overlay }) => overlay.component === this.#focus && !overlay.isVisible(columns, rows),
    );
    if (hidden !== undefined) this.setFocus(this.#nextFocus(hidden.focusBefore));
  }

  #nextFocus(otherwise: Component | undefined): Component | undefined {
    const { columns, rows } = this.#terminal;
    const open = this.#overlays.findLast(
      ({ overlay }) => overlay.options.keepsFocus !== true && overlay.isVisible(columns, rows),
    );
    return open?.overlay.component ?? otherwise;
  }

  #draw(): void {
    if (this.#terminal.hasBacklog) {
      this.#isFrameLeftOut = true;
      return;
    }
    const { columns, rows } = this.#terminal;
    this.#columns = columns;
    const overlays = this.#overlays
      .map(({ overlay }) => overlay)
      .filter((each) => each.isVisible(columns, rows));
    const request = {
      overlays,
      fullPaint: this.#fullPaint,
      isForced: this.#isForced,
      changed: overlays.length > 0 ? undefined : this.#changed,
    };
    this.#fullPaint = undefined;
    this.#isForced = false;
    this.#changed = new Set();
    this.#painter.draw(request);
  }
}

function takesInput(component: Component | undefined): component is InputComponent {
  return component !== undefined && "handleInput" in component;
}
