// The exchange of one document with the server.
//
//   typed             →  LiveDocument.edit     →  changeDocument
//   document.changed  →  LiveDocument.receive  →  takeOver, which shows it
//
// What is typed goes out as soon as nothing is on its way, and again after every failure until it has arrived. What was
// missed is read. Where the server no longer knows what happened since our revision, the document is read anew and what was
// typed is put on top of it. A failure that is more than a lost connection is reported once.

import type { ChangeSet } from "@codemirror/state";
import type { Client } from "@stet/client/client";
import { isOutage } from "@stet/client/follow";
import { LiveDocument, type RemoteChange, sendAll, sendChange } from "@stet/client/live-document";
import { detailsOf, type Fault, isFault } from "@stet/protocol/fault";

export interface SyncHooks {
  /** Others changed what is shown. */
  takeOver(change: ChangeSet): void;
  /** Whether everything that was typed is with the server. */
  onSettled(isSettled: boolean): void;
  tell(fault: Fault): void;
  /** The server did not answer. */
  onSilence(): void;
}

export interface SyncStart {
  readonly id: number;
  readonly text: string;
  readonly revision: number;
  readonly windowId: string;
}

/** Keys that follow each other quickly go out together. */
const sendAfterMs = 100;
const firstRetryMs = 500;
const longestRetryMs = 10_000;
/** Readings of the whole document in one attempt; a server that forgets faster is asked again later. */
const maxRestarts = 3;

export class DocumentSync {
  readonly live: LiveDocument;
  readonly #client: Client;
  readonly #id: number;
  readonly #hooks: SyncHooks;
  #sending: Promise<Fault | undefined> | undefined;
  #catching: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sendAt = Number.POSITIVE_INFINITY;
  #retryMs = firstRetryMs;
  /** The code of the reported failure that is not over yet. */
  #told: string | undefined;
  #isClosed = false;

  constructor(client: Client, { id, text, revision, windowId }: SyncStart, hooks: SyncHooks) {
    this.#client = client;
    this.#id = id;
    this.#hooks = hooks;
    this.live = new LiveDocument(text, revision, windowId, (change) => hooks.takeOver(change));
  }

  /** The person changed what they see. */
  edit(change: ChangeSet): void {
    this.live.edit(change);
    this.#report();
    this.#sendSoon(sendAfterMs);
  }

  /** Handles an event. That of a long change comes without the change; our own is known all the same. */
  hear({ revision, client, change }: RemoteChange): void {
    const isOwn = client === this.live.client && this.live.isSending;
    const isKnown = (isOwn || change !== null) && this.live.receive([{ revision, client, change }]);
    this.#report();
    if (!isKnown && revision > this.live.revision) void this.catchUp();
  }

  /** The server can be reached again, or documents may be edited again. */
  async resume(): Promise<void> {
    await this.catchUp();
    this.#sendSoon(0);
  }

  /** Reads what was missed. */
  catchUp(): Promise<void> {
    this.#catching ??= this.#catchUpNow().finally(() => {
      this.#catching = undefined;
    });
    return this.#catching;
  }

  async #catchUpNow(): Promise<void> {
    const { revision } = this.live;
    const reply = await this.#client.call("documentChanges", {
      params: { document: this.#id },
      query: { revision },
    });
    if (this.#isClosed) return;
    const isTooOld = isFault(reply) ? reply.error === "unknown_revision" : !this.live.receive(reply.changes);
    // Only the answer to what is on its way says whether that was made.
    if (isTooOld && this.live.isSending) this.#sendSoon(0);
    else if (isTooOld) await this.#restart(false, () => !this.live.isSending);
    this.#report();
  }

  /** Begins again with what the server has, unless that is no longer right when it has answered. */
  async #restart(wasMade: boolean, isStillRight: () => boolean): Promise<Fault | undefined> {
    const reply = await this.#client.call("getDocument", { params: { document: this.#id } });
    if (isFault(reply)) return reply;
    const [{ diffTexts }, { changeOf }] = await Promise.all([
      import("@stet/text/diff"),
      import("@stet/text/lines"),
    ]);
    if (this.#isClosed || !isStillRight()) return undefined;
    this.live.restart(reply.text, reply.revision, wasMade, (before, after) =>
      changeOf(before, diffTexts(before, after)),
    );
    return undefined;
  }

  /** Debounce with an upper bound: the earliest requested time counts, so typing without a pause is sent, too. */
  #sendSoon(milliseconds: number): void {
    const at = performance.now() + milliseconds;
    if (this.#isClosed || this.#sendAt <= at) return;
    clearTimeout(this.#timer);
    this.#sendAt = at;
    this.#timer = setTimeout(() => {
      this.#sendAt = Number.POSITIVE_INFINITY;
      void this.#send();
    }, milliseconds);
  }

  #send(): Promise<Fault | undefined> {
    this.#sending ??= this.#sendNow().finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  async #sendNow(): Promise<Fault | undefined> {
    let fault = await sendAll(this.#client, this.#id, this.live);
    for (let restarts = 0; fault !== undefined && restarts < maxRestarts && isMissing(fault); restarts += 1) {
      fault =
        (await this.#restart(detailsOf(fault, ...missing).was_made === true, () => true)) ??
        (await sendAll(this.#client, this.#id, this.live));
    }
    this.#report();
    if (fault === undefined) {
      this.#retryMs = firstRetryMs;
      this.#told = undefined;
      return undefined;
    }
    this.#retry(fault);
    return fault;
  }

  /** While a turn holds all documents, its end is waited for. */
  #retry(fault: Fault): void {
    if (fault.error === "editing_locked") return;
    if (isConnection(fault)) this.#hooks.onSilence();
    else if (this.#told !== fault.error) {
      this.#told = fault.error;
      this.#hooks.tell(fault);
    }
    this.#sendSoon(this.#retryMs);
    this.#retryMs = Math.min(2 * this.#retryMs, longestRetryMs);
  }

  /** Sends what waits, and says why where that is not possible. */
  async settle(): Promise<Fault | undefined> {
    await this.#sending;
    return this.live.isSettled ? undefined : this.#send();
  }

  /** The page is left. What waits goes out at once; a page that is shown again as it was asks what became of it. */
  sendLast(): void {
    const next = this.live.outgoing();
    if (next === undefined) return;
    void sendChange(this.#client.keepalive, this.#id, this.live, next);
    this.#sendSoon(0);
  }

  #report(): void {
    this.#hooks.onSettled(this.live.isSettled);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }
}

/** The server does not know our revision any more, or has another text there. */
const missing = ["unknown_revision", "version_mismatch"] as const;

function isMissing({ error }: Fault): boolean {
  return missing.some((code) => code === error);
}

/** What the window shows anyway: it is not connected, not signed in, or of another folder. */
function isConnection(fault: Fault): boolean {
  const others = ["server_busy", "workspace_busy", "not_signed_in", "other_folder"];
  return isOutage(fault) || others.includes(fault.error);
}
