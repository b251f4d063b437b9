// Questions that have to be answered before something goes on, one at a time.

import { type Accessor, createSignal } from "solid-js";

export interface Choice {
  readonly id: string;
  readonly label: string;
  readonly isDefault?: boolean;
  readonly isDangerous?: boolean;
}

export interface ChooseRequest {
  readonly title: string;
  readonly text?: string;
  /** Beside Cancel, which is always there. */
  readonly choices: readonly Choice[];
}

export interface PromptRequest {
  readonly title: string;
  readonly label: string;
  readonly value?: string;
  readonly action?: string;
}

export type OpenDialog =
  | { readonly kind: "choose"; readonly request: ChooseRequest; readonly answer: (id?: string) => void }
  | { readonly kind: "prompt"; readonly request: PromptRequest; readonly answer: (text?: string) => void };

export class Dialogs {
  /** The one that is asked now. */
  readonly open: Accessor<OpenDialog | undefined>;
  readonly #setOpen: (dialog: OpenDialog | undefined) => void;
  readonly #waiting: OpenDialog[] = [];
  #holds = 0;

  constructor() {
    [this.open, this.#setOpen] = createSignal<OpenDialog | undefined>();
  }

  /** While a feature shows a dialog of its own, keys are not for the rest of the window. Returns how to end that. */
  hold(): () => void {
    this.#holds += 1;
    return () => {
      this.#holds -= 1;
    };
  }

  /** Whether something waits for an answer. */
  get isBusy(): boolean {
    return this.#holds > 0 || this.open() !== undefined;
  }

  /** The id of the choice; undefined where it was cancelled. */
  choose(request: ChooseRequest): Promise<string | undefined> {
    return new Promise((resolve) => this.#ask({ kind: "choose", request, answer: this.#closing(resolve) }));
  }

  /** What was typed; undefined where it was cancelled or left empty. */
  prompt(request: PromptRequest): Promise<string | undefined> {
    const given = (text: string | undefined) => text?.trim() || undefined;
    return new Promise((resolve) => {
      this.#ask({ kind: "prompt", request, answer: this.#closing((text) => resolve(given(text))) });
    });
  }

  #ask(dialog: OpenDialog): void {
    if (this.open() === undefined) this.#setOpen(dialog);
    else this.#waiting.push(dialog);
  }

  #closing(resolve: (value: string | undefined) => void): (value?: string) => void {
    return (value) => {
      this.#setOpen(this.#waiting.shift());
      resolve(value);
    };
  }
}
