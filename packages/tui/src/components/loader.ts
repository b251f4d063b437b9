// A spinner with a message, for as long as something goes on. It asks for a frame of its own rows only, so that waiting costs
// nothing of the rest of the screen.

import type { Component } from "../component.ts";
import { truncateCells } from "../text/slice.ts";

export interface LoaderOptions {
  /** `Tui.requestComponentRender`. */
  readonly requestRender: (component: Component) => void;
  readonly message: string;
  /** One after the other; a single one does not move, and needs no timer. */
  readonly frames?: readonly string[];
  readonly spinnerStyle?: (text: string) => string;
  readonly messageStyle?: (text: string) => string;
}

const frameMs = 80;
const defaultFrames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

export class Loader implements Component {
  readonly #options: LoaderOptions;
  readonly #frames: readonly string[];
  #message: string;
  #frame = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LoaderOptions) {
    this.#options = options;
    this.#frames = options.frames ?? defaultFrames;
    this.#message = options.message;
  }

  get isRunning(): boolean {
    return this.#timer !== undefined;
  }

  setMessage(message: string): void {
    if (message === this.#message) return;
    this.#message = message;
    this.#options.requestRender(this);
  }

  start(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.#advance(), frameMs);
    // A spinner keeps no process alive.
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  render(width: number): readonly string[] {
    const { spinnerStyle = plain, messageStyle = plain } = this.#options;
    const frame = this.#frames[this.#frame] ?? "";
    return [truncateCells(`${spinnerStyle(frame)} ${messageStyle(this.#message)}`, width)];
  }

  #advance(): void {
    if (this.#frames.length < 2) return;
    this.#frame = (this.#frame + 1) % this.#frames.length;
    this.#options.requestRender(this);
  }
}

function plain(text: string): string {
  return text;
}
