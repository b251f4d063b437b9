// A question that is answered with one line.

import type { InputComponent } from "../component.ts";
import type { ActionOf, EditorAction } from "../editor/editor-keys.ts";
import type { Input } from "../input/input.ts";
import { truncateCells } from "../text/slice.ts";
import { cellWidth } from "../text/width.ts";
import { wrapText } from "../text/wrap.ts";
import { OneLine } from "./one-line.ts";

export interface InputLineOptions {
  readonly question: string;
  readonly text?: string;
  /** Before what is typed. */
  readonly sign?: string;
  readonly questionStyle?: (text: string) => string;
  readonly actionOf?: ActionOf<EditorAction>;
  /** What is typed is not shown; for keys and passwords. */
  readonly isSecret?: boolean;
}

export class InputLine implements InputComponent {
  isFocused = false;
  onSubmit: (text: string) => void = () => {};
  onCancel: () => void = () => {};
  onChange: (text: string) => void = () => {};
  readonly #options: InputLineOptions;
  readonly #line = new OneLine();

  constructor(options: InputLineOptions) {
    this.#options = options;
    if (options.isSecret === true) this.#line.mask = "•";
    if (options.actionOf !== undefined) this.#line.actionOf = options.actionOf;
    this.#line.setText(options.text ?? "");
    this.#line.onChange = () => this.onChange(this.#line.text);
  }

  get text(): string {
    return this.#line.text;
  }

  handleInput(input: Input): boolean {
    if (input.kind === "key" && !input.isRelease) {
      if (input.id === "enter") {
        this.onSubmit(this.text);
        return true;
      }
      if (input.id === "escape" || input.id === "ctrl+c") {
        this.onCancel();
        return true;
      }
    }
    return this.#line.handleInput(input);
  }

  render(width: number): readonly string[] {
    const { question, questionStyle = (text: string) => text, sign = "> " } = this.#options;
    const rows = question === "" ? [] : wrapText(question, Math.max(1, width)).map(questionStyle);
    const shownSign = truncateCells(sign, Math.max(0, width - 2));
    rows.push(shownSign + this.#line.row(Math.max(1, width - cellWidth(shownSign)), this.isFocused));
    return rows;
  }
}
