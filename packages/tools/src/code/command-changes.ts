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
  /** Commands that are about to start, run, or have just ended. */
  #underWay = 0;
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
    this.#underWay += 1;
    let result: T;
    try {
      if (writes === "maybe" || !this.#hasBegun) await witness.begin(this.#turn);
      else witness.resume(this.#turn);
      this.#hasBegun = true;
      result = await action();
    } finally {
      this.#underWay -= 1;
    }
    this.#rest();
    if (writes === "unlikely") return { result, effect: noEffect };
    const effect = await witness.effect(this.#turn);
    if (effect.changed.length + effect.beyondUndo.length > 0) this.effects += 1;
    return { result, effect };
  }

  /** Notes that nothing is running any more, now or as soon as that is so. */
  #rest(): void {
    clearInterval(this.#timer);
    if (this.#paused()) return;
    this.#timer = setInterval(() => this.#paused() && clearInterval(this.#timer), everyMs);
    this.#timer.unref();
  }

  /** A command that is about to start is at work, too, though nothing of it is running yet. */
  #paused(): boolean {
    if (this.#underWay > 0 || this.#isAtWork()) return false;
    this.#workspace.witness.pause(this.#turn);
    return true;
  }

  /** At the end of the turn, when nothing runs any more. */
  async finish(): Promise<void> {
    clearInterval(this.#timer);
    await this.#workspace.witness.finish(this.#turn);
  }
}
