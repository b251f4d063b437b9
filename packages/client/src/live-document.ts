// One window's side of a document that others change at the same time.
//
//   server's text  ──sent──▶  ──unsent──▶  what the person sees
//
// One change is on its way at a time; what is typed meanwhile waits and is sent as one. What others did is mapped over both,
// the same way as the server maps ours over theirs, so all arrive at the same text. Where the server no longer knows what
// happened since our revision, what it has now is taken for one change of what it had, and everything typed stands on that.

import { ChangeSet, Text } from "@codemirror/state";
import { Fault } from "@stet/protocol/fault";
import type { Client } from "./client.ts";

export interface RemoteChange {
  readonly revision: number;
  readonly client: string | null;
  readonly change: unknown;
}

/** Called with every change of what the person sees that they did not make themselves. */
export type OnRemote = (change: ChangeSet, text: Text) => void;

export interface Outgoing {
  readonly revision: number;
  readonly change: unknown;
  readonly changeId: string;
}

export class LiveDocument {
  /** Names this window among those that edit. */
  readonly client: string;
  readonly #onRemote: OnRemote;
  /** Of the server. */
  #base: number;
  #server: Text;
  #visible: Text;
  #sent: { readonly id: string; readonly change: ChangeSet } | undefined;
  #unsent: ChangeSet | undefined;
  #count = 0;

  constructor(text: string, revision: number, client: string, onRemote: OnRemote = () => {}) {
    this.#visible = Text.of(text.split("\n"));
    this.#server = this.#visible;
    this.#base = revision;
    this.client = client;
    this.#onRemote = onRemote;
  }

  /** What the person sees. */
  get text(): Text {
    return this.#visible;
  }

  /** The server's newest revision that is part of it. */
  get revision(): number {
    return this.#base;
  }

  /** What the server had at that revision. */
  get serverText(): Text {
    return this.#server;
  }

  /** Whether a change is on its way, of which is not known whether it arrived. */
  get isSending(): boolean {
    return this.#sent !== undefined;
  }

  get isSettled(): boolean {
    return this.#sent === undefined && this.#unsent === undefined;
  }

  /** The person changed what they see. */
  edit(change: ChangeSet): void {
    if (change.empty) return;
    this.#visible = change.apply(this.#visible);
    this.#unsent = this.#unsent === undefined ? change : this.#unsent.compose(change);
  }

  /** What to send now; undefined where nothing waits or something is on its way. Asked again, it is the same. */
  outgoing(): Outgoing | undefined {
    if (this.#sent === undefined && this.#unsent !== undefined) {
      this.#count += 1;
      this.#sent = { id: `${this.client}:${this.#count}`, change: this.#unsent };
      this.#unsent = undefined;
    }
    if (this.#sent === undefined) return undefined;
    return { revision: this.#base, change: this.#sent.change.toJSON(), changeId: this.#sent.id };
  }

  /** Changes from the server. Those that are known already are left out; false where some are missing in between. */
  receive(changes: readonly RemoteChange[]): boolean {
    for (const remote of changes) {
      if (remote.revision <= this.#base) continue;
      if (remote.revision !== this.#base + 1) return false;
      if (remote.client === this.client && this.#sent !== undefined) this.#arrive(this.#sent.change);
      else {
        const theirs = ChangeSet.fromJSON(remote.change);
        // A server that lost something counts on from an earlier text: these are not changes of what is known here.
        if (theirs.length !== this.#server.length) return false;
        this.#takeOver(theirs);
      }
      this.#base = remote.revision;
    }
    return true;
  }

  /** The server has answered for what was sent. Where others had removed the same already, nothing was left to make. */
  confirm(changeId: string): void {
    if (this.#sent?.id === changeId && this.#sent.change.empty) this.#sent = undefined;
  }

  /**
   * Begins again with what the server has now. `wasMade` says whether what was on its way is part of it; `difference` finds
   * the change between two texts.
   */
  restart(
    text: string,
    revision: number,
    wasMade: boolean,
    difference: (before: Text, after: Text) => ChangeSet,
  ): void {
    if (this.#sent !== undefined) {
      const { change } = this.#sent;
      if (wasMade) this.#arrive(change);
      else {
        this.#unsent = this.#unsent === undefined ? change : change.compose(this.#unsent);
        this.#sent = undefined;
      }
    }
    const theirs = difference(this.#server, Text.of(text.split("\n")));
    if (!theirs.empty) this.#takeOver(theirs);
    this.#base = revision;
  }

  #arrive(change: ChangeSet): void {
    this.#server = change.apply(this.#server);
    this.#sent = undefined;
  }

  #takeOver(theirs: ChangeSet): void {
    let change = theirs;
    this.#server = theirs.apply(this.#server);
    if (this.#sent !== undefined) {
      const { id, change: sent } = this.#sent;
      this.#sent = { id, change: sent.map(change) };
      change = change.map(sent, true);
    }
    if (this.#unsent !== undefined) {
      const unsent = this.#unsent;
      this.#unsent = unsent.map(change);
      change = change.map(unsent, true);
    }
    this.#visible = change.apply(this.#visible);
    this.#onRemote(change, this.#visible);
  }
}

/** Flushes unsent changes until none is left. A fault ends it; the changes remain and can be sent again. */
export async function sendAll(
  client: Client,
  document: number,
  live: LiveDocument,
): Promise<Fault | undefined> {
  for (let next = live.outgoing(); next !== undefined; next = live.outgoing()) {
    const { changeId } = next;
    const reply = await sendChange(client, document, live, next);
    if (reply instanceof Fault) return reply;
    if (!live.receive(reply.changes)) return missed(document);
    live.confirm(changeId);
    // An answer that leaves it on its way would be asked for without end.
    if (live.outgoing()?.changeId === changeId) return missed(document);
  }
  return undefined;
}

/** An idempotency key: however often the change is sent, it is applied once. */
export function sendChange(
  client: Client,
  document: number,
  live: LiveDocument,
  { revision, change, changeId }: Outgoing,
) {
  return client.call("changeDocument", {
    params: { document },
    body: { revision, change: change as [], client: live.client, change_id: changeId },
  });
}

function missed(document: number): Fault {
  return new Fault("unknown_revision", "Changes of this document were missed.", "Read the document again.", {
    document,
  });
}
