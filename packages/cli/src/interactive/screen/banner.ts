// A problem that stays until it is over: a folder that cannot be opened, a server that is gone.

import type { Component } from "@stet/tui/component";
import { wrapText } from "@stet/tui/text/wrap";
import type { Theme } from "../theme/theme.ts";

export class Banner implements Component {
  readonly #theme: Theme;
  #text = "";

  constructor(theme: Theme) {
    this.#theme = theme;
  }

  /** Empty: none. */
  set(text: string): void {
    this.#text = text;
  }

  render(width: number): readonly string[] {
    if (this.#text === "") return [];
    const theme = this.#theme;
    return wrapText(`${theme.symbol("warning")} ${this.#text}`, Math.max(1, width)).map((row) =>
      theme.fg("error", row),
    );
  }
}
