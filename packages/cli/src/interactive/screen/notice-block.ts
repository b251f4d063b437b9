// What Stet itself says, between the blocks of the conversation.

import type { Component } from "@stet/tui/component";
import { wrapText } from "@stet/tui/text/wrap";
import type { Theme } from "../theme/theme.ts";

export type NoticeKind = "info" | "warning" | "error";

export class NoticeBlock implements Component {
  readonly #theme: Theme;
  readonly #text: string;
  readonly #kind: NoticeKind;

  constructor(theme: Theme, text: string, kind: NoticeKind) {
    this.#theme = theme;
    this.#text = text;
    this.#kind = kind;
  }

  render(width: number): readonly string[] {
    const theme = this.#theme;
    const token = { info: "muted", warning: "warning", error: "error" } as const;
    const sign = { info: "info", warning: "warning", error: "failure" } as const;
    const room = Math.max(1, width - 2);
    return [
      "",
      ...wrapText(this.#text, room).map((row, index) =>
        theme.fg(token[this.#kind], `${index === 0 ? theme.symbol(sign[this.#kind]) : " "} ${row}`),
      ),
    ];
  }
}
