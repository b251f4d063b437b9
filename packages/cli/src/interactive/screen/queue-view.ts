// What the person said while the agent works, and it has not heard yet: shown above the prompt.

import type { QueuedText } from "@stet/client/fold";
import { visible } from "@stet/protocol/visible";
import type { Component } from "@stet/tui/component";
import { truncateCells } from "@stet/tui/text/slice";
import type { Theme } from "../theme/theme.ts";

const mostRows = 5;

export class QueueView implements Component {
  readonly #theme: Theme;
  #queued: readonly QueuedText[] = [];

  constructor(theme: Theme) {
    this.#theme = theme;
  }

  set(queued: readonly QueuedText[]): void {
    this.#queued = queued;
  }

  render(width: number): readonly string[] {
    const theme = this.#theme;
    const rows = this.#queued.slice(0, mostRows).map(({ text, mode }) => {
      const when = mode === "steer" ? "next" : "after";
      const [first = "", ...more] = visible(text).split("\n");
      const words = more.length === 0 ? first : `${first} …`;
      return truncateCells(theme.fg("muted", ` ${theme.symbol("pending")} ${when}: ${words}`), width);
    });
    const hidden = this.#queued.length - mostRows;
    if (hidden > 0) rows.push(truncateCells(theme.fg("dim", `   and ${hidden} more`), width));
    if (rows.length > 0) rows.push(truncateCells(theme.fg("dim", "   Esc stops and takes them back"), width));
    return rows;
  }
}
