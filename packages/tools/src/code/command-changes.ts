// What commands change on disk becomes part of the turn, with what was there before: it is reviewed and undone like an
// edit. The workspace's witness looks at the folder before and after each command that may write, and once more when the
// last process of the turn has ended; whatever a command leaves running counts as the turn at work until it has ended.

import { type CommandEffect, noEffect } from "@stet/workspace/command-effects/witness";
import type { Turn } from "@stet/workspace/turns/turns";
import type { Workspace } from "@stet/workspace/workspace";

/** How often it is looked whether what a command has left running has ended, in milliseconds. */
const everyMs = 250;

export class CommandChanges {
  readonly #workspace: Workspace;
  readonly #turn: Turn;
  /** Whether anything that the turn has started is still running. */
  readonly #isAtWork: () => boolean;
  #timer: NodeJS.Timeout | undefined;
  #hasBegun = false;
  /** Changes with every effect. */
  effects = 0;

  constructor(workspace: Workspace, turn: Turn, isAtWork: () => boolean) {
    this.#workspace = workspace;
    this.#turn = turn;
    this.#isAtWork = isAtWork;
  }

  /**
   * Runs a command and takes over what it changed. One that is only thought to read, with nothing that holds it to that, is
   * not looked after at once: what it did all the same is found when the turn ends, or another one is run.
   */
  async around<T>(
    writes: "never" | "unlikely" | "maybe",
    action: () => Promise<T>,
  ): Promise<{ result: T; effect: CommandEffect }> {
    if (writes === "never") return { result: await action(), effect: noEffect };
    const { witness } = this.#workspace;
    if (writes === "maybe" || !this.#hasBegun) await witness.begin(this.#turn);
    else witness.resume(this.#turn);
    this.#hasBegun = true;
    const result = await action();
    this.#rest();
    if (writes === "unlikely") return { result, effect: noEffect };
    const effect = await witness.effect(this.#turn);
    if (effect.changed.length + effect.beyondUndo.length > 0) this.effects += 1;
    return { result, effect };
  }

  /** Notes that nothing is running any more, now or as soon as that is so. */
  #rest(): void {
    clearInterval(this.#timer);
    if (!this.#isAtWork()) {
      this.#workspace.witness.pause(this.#turn);
      return;
    }
    this.#timer = setInterval(() => {
      if (this.#isAtWork()) return;
      clearInterval(this.#timer);
      this.#workspace.witness.pause(this.#turn);
    }, everyMs);
    this.#timer.unref();
  }

  /** At the end of the turn, when nothing runs any more. */
  async finish(): Promise<void> {
    clearInterval(this.#timer);
    await this.#workspace.witness.finish(this.#turn);
  }
}
