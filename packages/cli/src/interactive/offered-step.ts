// What an error of a turn offers to do about it, by one key on an empty prompt: the step that mends what failed. After it the
// message that failed is in the prompt again.

import type { TurnView } from "@stet/client/fold";
import { type NextStep, nextStep, slashText } from "../models/next-step.ts";
import type { App } from "./app.ts";
import { namesOf } from "./commands/help.ts";

export class OfferedStep {
  readonly #app: App;
  #step: NextStep | undefined;
  #instruction = "";

  constructor(app: App) {
    this.#app = app;
  }

  /** In place of the prompt's words; undefined where nothing is offered. */
  get words(): string | undefined {
    if (this.#step === undefined) return undefined;
    const key = namesOf(this.#app.keys.keysOf("app.step.take"));
    return key === "" ? undefined : `${key}: ${this.#step.label} (${slashText(this.#step)})`;
  }

  ended(turn: TurnView): void {
    const error = turn.items.findLast((item) => item.kind === "error");
    const mend = turn.end?.kind === "failed" && error?.kind === "error" ? error.mend : undefined;
    this.#step = mend === undefined ? undefined : nextStep(mend);
    this.#instruction = error?.kind === "error" ? error.instruction : "";
    this.#app.requestRender();
  }

  /** Another message was sent: what failed before is of no interest. */
  clear(): void {
    this.#step = undefined;
  }

  async take(): Promise<void> {
    const app = this.#app;
    const step = this.#step;
    if (step === undefined || app.prompt.text !== "") return;
    this.#step = undefined;
    const { findCommand } = await import("./commands/table.ts");
    await findCommand(step.slash.name)?.run(step.slash.argument, app);
    // Who went on meanwhile is not interrupted.
    if (app.prompt.text === "" && app.conversation.runningJob === undefined)
      app.prompt.setText(this.#instruction);
  }
}
