// Messages that the person sends while a turn is running. A steering message interrupts after the running tool; a
// follow-up waits until the model is done.
//
// States of a message: waiting, taken, then heard (it is part of the conversation). Only a waiting one can be withdrawn. When
// the turn ends, `isHeard` tells the delivered ones from the others by id, so that none is lost in between.

export type InboxMode = "steer" | "follow_up";

export interface InboxMessage {
  readonly id: string;
  readonly text: string;
  readonly mode: InboxMode;
}

export class Inbox {
  readonly #waiting: InboxMessage[] = [];
  readonly #heardIds = new Set<string>();

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
