// Text that is wrapped at the width it is given.

import type { Component } from "../component.ts";
import { wrapText } from "../text/wrap.ts";

export class Text implements Component {
  #text: string;
  #indent: string;
  #rendered: { readonly width: number; readonly rows: readonly string[] } | undefined;

  /** The text may have styles; what is not ours in it was made visible before. */
  constructor(text = "", indent = 0) {
    this.#text = text;
    this.#indent = " ".repeat(indent);
  }

  get text(): string {
    return this.#text;
  }

  setText(text: string): void {
    if (text === this.#text) return;
    this.#text = text;
    this.#rendered = undefined;
  }

  render(width: number): readonly string[] {
    if (this.#rendered?.width === width) return this.#rendered.rows;
    const indent = width > this.#indent.length + 1 ? this.#indent : "";
    const rows =
      this.#text === ""
        ? []
        : wrapText(this.#text, Math.max(1, width - indent.length)).map((row) => indent + row);
    this.#rendered = { width, rows };
    return rows;
  }
}
