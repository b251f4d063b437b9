// What keys do that the prompt has no use for.
//
//   Esc      a command or a turn that runs: it is stopped, and what was queued comes back into the prompt
//            something is written: it is cleared
//            twice within 500 ms on an empty prompt: what `doubleEscapeAction` says
//   Up       on an empty prompt: what was queued comes back into it
//   Ctrl-B   on an empty prompt, while a command of the agent runs: it goes on in the background; the cursor otherwise
//   Ctrl-C   clears what is written; twice within 500 ms: leaves
//   Ctrl-D   leaves, where nothing is written

import type { Input } from "@stet/tui/input/input";
import type { ActionIn } from "./actions.ts";
import type { KeyBindings } from "./bindings.ts";

export type ModeAction = ActionIn<"everywhere">;

/** What the keys act upon. */
export interface ModeHandles {
  readonly keys: () => KeyBindings;
  readonly isPromptEmpty: () => boolean;
  clearPrompt(): void;
  /** Whether a turn, or a command of the person, was stopped. */
  stopWork(): boolean;
  doubleEscape(): void;
  leave(): void;
  suspend(): void;
  redraw(): void;
  nextPermission(): void;
  /** Whether something waits to be heard, and the prompt has the keys. */
  hasQueued(): boolean;
  takeBackQueued(): void;
  sendAfter(): void;
  openTree(): void;
  openLastTool(): void;
  toggleThinking(): void;
  /** Of an error, where it offers one. */
  takeStep(): void;
  /** Whether the agent waits for a command, and the prompt has the keys and is empty. */
  canPutAside(): boolean;
  putAside(): void;
}

/** Two presses within this time are one double press. */
export const doublePressMs = 500;

export class ModeKeys {
  readonly #handles: ModeHandles;
  #escapedAt = Number.NEGATIVE_INFINITY;
  #clearedAt = Number.NEGATIVE_INFINITY;

  constructor(handles: ModeHandles) {
    this.#handles = handles;
  }

  /** Before any component sees it: what holds whatever is open. */
  handleFirst(input: Input): boolean {
    if (input.kind !== "key" || input.isRelease) return false;
    const action = this.#handles.keys().actionOf.everywhere(input.id);
    if (action === "app.suspend") this.#handles.suspend();
    else if (action === "app.screen.redraw") this.#handles.redraw();
    else if (action === "app.command.background" && this.#handles.canPutAside()) this.#handles.putAside();
    else if (input.id === "up" && this.#handles.hasQueued() && this.#handles.isPromptEmpty())
      this.#handles.takeBackQueued();
    else return false;
    return true;
  }

  handle(input: Input): boolean {
    if (input.kind !== "key" || input.isRelease) return false;
    const action = this.#handles.keys().actionOf.everywhere(input.id);
    if (action === undefined) return false;
    this.#perform(action);
    return true;
  }

  #perform(action: ModeAction): void {
    const handles = this.#handles;
    if (action === "app.interrupt") this.#escape();
    else if (action === "app.clear") this.#clear();
    else if (action === "app.exit") {
      if (handles.isPromptEmpty()) handles.leave();
    } else if (action === "app.permission.next") handles.nextPermission();
    else if (action === "app.message.dequeue") handles.takeBackQueued();
    else if (action === "app.message.followUp") handles.sendAfter();
    else if (action === "app.session.tree") handles.openTree();
    else if (action === "app.tool.open") handles.openLastTool();
    else if (action === "app.thinking.toggle") handles.toggleThinking();
    else if (action === "app.step.take") handles.takeStep();
  }

  #escape(): void {
    const handles = this.#handles;
    const now = performance.now();
    const isDouble = now - this.#escapedAt < doublePressMs;
    this.#escapedAt = Number.NEGATIVE_INFINITY;
    if (handles.stopWork()) return;
    if (!handles.isPromptEmpty()) handles.clearPrompt();
    else if (isDouble) handles.doubleEscape();
    else this.#escapedAt = now;
  }

  #clear(): void {
    const now = performance.now();
    const isDouble = now - this.#clearedAt < doublePressMs;
    this.#clearedAt = now;
    if (isDouble) this.#handles.leave();
    else this.#handles.clearPrompt();
  }
}
