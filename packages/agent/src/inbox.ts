// What is said to a turn while it is running: by the person, or by what goes on beside it.
//
// The person's steering interrupts after the running tool; their follow-up waits until the model is done. What another agent
// says comes with the next request, and interrupts nothing; what happened in the background comes when the model is done. It
// is fetched only then: until then it can be acknowledged or dismissed where it waits, and is bounded there.
//
// States of a person's message: waiting, taken, then heard (it is part of the conversation). Only a waiting one can be
// withdrawn. When the turn ends, `isHeard` tells the delivered ones from the others by id, so that none is lost in between.

import type { Delivery } from "./background/deliveries.ts";

export type InboxMode = "steer" | "follow_up";

export interface InboxMessage {
  readonly id: string;
  readonly text: string;
  readonly mode: InboxMode;
}

export class Inbox {
  readonly #waiting: InboxMessage[] = [];
  readonly #heardIds = new Set<string>();
  #deliveries: Delivery[] = [];
  #background: () => readonly Delivery[] = () => [];

  add(message: InboxMessage): void {
    this.#waiting.push(message);
  }

  get hasSteering(): boolean {
    return this.#waiting.some(({ mode }) => mode === "steer");
  }

  takeSteering(): InboxMessage[] {
    const taken = this.#waiting.filter(({ mode }) => mode === "steer");
    for (const { id } of taken) this.withdraw(id);
    return taken;
  }

  takeFollowUp(): InboxMessage | undefined {
    const first = this.#waiting.find(({ mode }) => mode === "follow_up");
    if (first !== undefined) this.withdraw(first.id);
    return first;
  }

  deliver(delivery: Delivery): void {
    this.#deliveries.push(delivery);
  }

  /** From where a turn fetches what happened in the background; what is returned ends that. */
  fetchFrom(background: () => readonly Delivery[]): () => void {
    this.#background = background;
    return () => {
      if (this.#background === background) this.#background = () => [];
    };
  }

  /** What other agents have said; with everything else that waits, where the model is done. */
  takeDeliveries(isDone: boolean): readonly Delivery[] {
    const taken = this.#deliveries.filter(({ source }) => isDone || source.kind === "agent");
    this.#deliveries = this.#deliveries.filter((delivery) => !taken.includes(delivery));
    return isDone ? [...taken, ...this.#background()] : taken;
  }

  /** False where it does not wait any more. */
  withdraw(id: string): boolean {
    const at = this.#waiting.findIndex((message) => message.id === id);
    if (at >= 0) this.#waiting.splice(at, 1);
    return at >= 0;
  }

  /** It is part of the conversation now. */
  markHeard(id: string): void {
    this.#heardIds.add(id);
  }

  isHeard(id: string): boolean {
    return this.#heardIds.has(id);
  }

  has(id: string): boolean {
    return this.#waiting.some((message) => message.id === id);
  }
}
