// Where the person answers: the prompt, or a panel in its place. Panels lie on each other; the one on top has the keys.

import type { Component, InputComponent } from "@stet/tui/component";
import type { Tui } from "@stet/tui/renderer/tui";

export class PromptArea implements Component {
  readonly #tui: Pick<Tui, "setFocus" | "requestRender">;
  readonly #prompt: InputComponent;
  readonly #panels: InputComponent[] = [];
  /** How many overlays have the keys. */
  #covers = 0;

  constructor(tui: Pick<Tui, "setFocus" | "requestRender">, prompt: InputComponent) {
    this.#tui = tui;
    this.#prompt = prompt;
  }

  /** Whether a panel is in place of the prompt. */
  get hasPanel(): boolean {
    return this.#panels.length > 0;
  }

  get top(): InputComponent {
    return this.#panels.at(-1) ?? this.#prompt;
  }

  /** Returns what takes it away again. */
  open(panel: InputComponent): () => void {
    this.#panels.push(panel);
    this.focus();
    return () => {
      const index = this.#panels.indexOf(panel);
      if (index === -1) return;
      this.#panels.splice(index, 1);
      this.focus();
    };
  }

  /** Something lies over it and has the keys until what is returned is called: a question that comes meanwhile waits for them. */
  cover(): () => void {
    this.#covers += 1;
    return () => {
      this.#covers -= 1;
      this.focus();
    };
  }

  focus(): void {
    if (this.#covers === 0) this.#tui.setFocus(this.top);
    this.#tui.requestRender();
  }

  contains(component: Component): boolean {
    return component === this.top;
  }

  render(width: number): readonly string[] {
    return this.top.render(width);
  }
}
