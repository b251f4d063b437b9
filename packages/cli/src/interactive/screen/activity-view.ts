// The line that moves while a turn runs.

import type { TurnView } from "@stet/client/fold";
import type { Component } from "@stet/tui/component";
import { Loader } from "@stet/tui/components/loader";
import type { Tui } from "@stet/tui/renderer/tui";
import type { Theme } from "../theme/theme.ts";
import { activityText } from "./activity.ts";

/** The clock of the line. */
const tickMs = 1000;

export class ActivityView implements Component {
  readonly #loader: Loader;
  readonly #tui: Pick<Tui, "requestComponentRender">;
  #turn: TurnView | undefined;
  #text: string | undefined;
  #since = 0;
  #stepSince = 0;
  #step: unknown;
  #timer: NodeJS.Timeout | undefined;

  constructor(tui: Pick<Tui, "requestComponentRender">, theme: Theme) {
    this.#tui = tui;
    this.#loader = new Loader({
      requestRender: () => this.#tui.requestComponentRender(this),
      message: "",
      spinnerStyle: (text) => theme.fg("accent", text),
      messageStyle: (text) => theme.fg("muted", text),
    });
  }

  /** Whether it has a row. */
  get isShown(): boolean {
    return this.#text !== undefined;
  }

  /** `isWorking`: a job is at work, or was just asked for. */
  set(turn: TurnView | undefined, isWorking: boolean): void {
    const now = performance.now();
    if (!isWorking) {
      this.#rest();
      return;
    }
    if (this.#timer === undefined) {
      this.#since = now;
      this.#timer = setInterval(() => this.#refresh(), tickMs).unref();
    }
    this.#turn = turn;
    const last = turn?.items.at(-1)?.key;
    if (last !== this.#step) {
      this.#step = last;
      this.#stepSince = now;
    }
    this.#refresh();
  }

  render(width: number): readonly string[] {
    return this.#text === undefined ? [] : ["", ...this.#loader.render(width)];
  }

  #refresh(): void {
    const isRetry = this.#turn?.items.at(-1)?.kind === "retry";
    this.#text = activityText(this.#turn, isRetry ? this.#stepSince : this.#since, performance.now());
    if (this.#text === undefined) this.#loader.stop();
    else {
      this.#loader.start();
      this.#loader.setMessage(this.#text);
    }
  }

  #rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#text = undefined;
    this.#turn = undefined;
    this.#loader.stop();
  }
}
