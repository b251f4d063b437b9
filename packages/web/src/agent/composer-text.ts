// Text that something else wants to have in the composer: an example, a turn of the tour, words from an earlier place in
// the conversation. The composer takes it as soon as it is there.

import { createSignal } from "solid-js";
import type { Workbench } from "../workspace/workbench.ts";

export interface WantedText {
  readonly text: string;
  /** Whether it goes below what is there already. */
  readonly isAdded: boolean;
}

const [wanted, setWanted] = createSignal<WantedText | undefined>(undefined, { equals: false });

/** Shows the agent with this text in its composer, ready to be sent. */
export function fillComposer(workbench: Workbench, text: string): void {
  workbench.layout.set({ isAgentOpen: true });
  setWanted({ text, isAdded: false });
}

/** Puts undelivered messages back, below what is being written. */
export function giveBack(text: string): void {
  const before = wanted();
  setWanted(
    before === undefined
      ? { text, isAdded: true }
      : { text: `${before.text}\n\n${text}`, isAdded: before.isAdded },
  );
}

export const wantedText = wanted;

export function takeWantedText(): WantedText | undefined {
  const text = wanted();
  if (text !== undefined) setWanted(undefined);
  return text;
}
