// What stands below a panel over the whole screen: a question that is answered by y or n, a line that is typed, or what there is
// to say. A question is only answered by keys that are typed after it was drawn.

import { visible } from "@stet/protocol/visible";
import { OneLine } from "@stet/tui/components/one-line";
import type { ActionOf, EditorAction } from "@stet/tui/editor/editor-keys";
import type { Input } from "@stet/tui/input/input";
import { truncateCells } from "@stet/tui/text/slice";
import { cellWidth } from "@stet/tui/text/width";
import { wrapText } from "@stet/tui/text/wrap";
import type { KeyHint } from "../screen/panel-rows.ts";
import type { TextToken, Theme } from "../theme/theme.ts";

type State =
  | { readonly kind: "quiet" }
  | { readonly kind: "message"; readonly text: string; readonly colour: TextToken }
  | { readonly kind: "question"; readonly text: string; readonly onYes: () => void }
  | {
      readonly kind: "line";
      readonly name: string;
      readonly line: OneLine;
      readonly onEnter: (text: string) => void;
    };

const mostRows = 3;

export class PanelLine {
  #state: State = { kind: "quiet" };
  #isDrawn = false;

  /** Whether the next key is for it. */
  get isAsking(): boolean {
    return this.#state.kind === "question" || this.#state.kind === "line";
  }

  get hints(): readonly KeyHint[] | undefined {
    if (this.#state.kind === "question")
      return [
        { key: "y", help: "yes" },
        { key: "n", help: "no" },
      ];
    if (this.#state.kind !== "line") return undefined;
    return [
      { key: "enter", help: "send" },
      { key: "esc", help: "cancel" },
    ];
  }

  say(text: string, colour: TextToken = "muted"): void {
    this.#state = text === "" ? { kind: "quiet" } : { kind: "message", text, colour };
  }

  /** A message is gone with the next key. */
  quieten(): void {
    if (this.#state.kind === "message") this.#state = { kind: "quiet" };
  }

  ask(text: string, onYes: () => void): void {
    this.#isDrawn = false;
    this.#state = { kind: "question", text, onYes };
  }

  read(name: string, actionOf: ActionOf<EditorAction>, onEnter: (text: string) => void): void {
    const line = new OneLine();
    line.actionOf = actionOf;
    this.#state = { kind: "line", name, line, onEnter };
  }

  handleInput(input: Input): void {
    const state = this.#state;
    const id = input.kind === "key" ? input.id : "";
    if (state.kind === "question") {
      if (!this.#isDrawn) return;
      const isYes = id.replace(/^shift\+/, "") === "y";
      if (!isYes && !["n", "shift+n", "q", "escape", "ctrl+c"].includes(id)) return;
      this.#state = { kind: "quiet" };
      if (isYes) state.onYes();
    } else if (state.kind === "line") {
      const text = state.line.text.trim();
      if (id === "escape" || id === "ctrl+c") this.#state = { kind: "quiet" };
      else if (id !== "enter") state.line.handleInput(input);
      else if (text !== "") {
        this.#state = { kind: "quiet" };
        state.onEnter(text);
      }
    }
  }

  rows(width: number, isFocused: boolean, theme: Theme): string[] {
    const state = this.#state;
    if (state.kind === "quiet") return [];
    if (state.kind === "line") {
      const sign = truncateCells(`${state.name}: `, Math.max(1, width - 8));
      return [
        `${theme.fg("accent", sign)}${state.line.row(Math.max(1, width - cellWidth(sign)), isFocused)}`,
      ];
    }
    this.#isDrawn = true;
    const colour = state.kind === "question" ? "warning" : state.colour;
    return wrapText(theme.fg(colour, visible(state.text)), width).slice(0, mostRows);
  }
}
