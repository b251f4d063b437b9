// What happens in the workspace, as it happens: one stream for the whole window.
//
// Browsers open few connections to one server, and every window has its own. So a hidden window closes its
// stream and only asks now and then; when it is looked at again, it goes on from the same cursor and misses nothing.

import type { Client } from "@stet/client/client";
import { follow } from "@stet/client/follow";
import type { EventData, EventType, LogEvent } from "@stet/protocol/events/log-event";
import { isEventOf } from "@stet/protocol/events/new-event";
import { isFault } from "@stet/protocol/fault";
import { type Accessor, createSignal } from "solid-js";

export type ConnectionState = "connected" | "lost" | "signed_out" | "other_folder";

const hiddenPollMs = 10_000;

export class Feed {
  /** Whether the server can be reached. */
  readonly connection: Accessor<ConnectionState>;
  readonly #setConnection: (state: ConnectionState) => void;
  readonly #client: Client;
  readonly #listeners = new Set<(event: LogEvent) => void>();
  readonly #returned = new Set<() => void>();
  #cursor: number;
  #stop = new AbortController();
  readonly #life = new AbortController();

  constructor(client: Client, cursor: number) {
    this.#client = client;
    this.#cursor = cursor;
    [this.connection, this.#setConnection] = createSignal<ConnectionState>("connected");
  }

  start(): void {
    const { signal } = this.#life;
    document.addEventListener("visibilitychange", this.#onVisibility, { signal });
    addEventListener("offline", this.#onVisibility, { signal });
    addEventListener("online", this.#onVisibility, { signal });
    this.#onVisibility();
  }

  close(): void {
    this.#life.abort();
    this.#stop.abort();
  }

  /** Listens to one type of event. Returns how to stop. */
  on<Type extends EventType>(type: Type, listener: (data: EventData<Type>) => void): () => void {
    const hear = (event: LogEvent) => {
      if (isEventOf(event, type)) listener(event.data);
    };
    this.#listeners.add(hear);
    return () => this.#listeners.delete(hear);
  }

  /** Called each time that the server can be reached again. */
  onReturn(listener: () => void): () => void {
    this.#returned.add(listener);
    return () => this.#returned.delete(listener);
  }

  /** A request got no answer: a stream that has nothing to tell may be as dead, and would not show it. */
  doubt(): void {
    if (this.connection() === "connected" && document.visibilityState !== "hidden") this.#onVisibility();
  }

  /** The person has signed in again, or serves the folder again. */
  retry(): void {
    this.#onVisibility();
  }

  /** Also asks anew where the browser knows that the network came or went. */
  readonly #onVisibility = () => {
    this.#stop.abort();
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    void (document.visibilityState === "hidden" ? this.#poll(signal) : this.#stream(signal));
  };

  async #stream(signal: AbortSignal): Promise<void> {
    const events = follow(
      this.#client,
      "streamWorkspaceEvents",
      {},
      {
        cursor: this.#cursor,
        signal,
        onConnection: (state) => this.#connected(state),
      },
    );
    for (;;) {
      const next = await events.next();
      if (signal.aborted) return;
      if (next.done === true) {
        if (isFault(next.value))
          this.#setConnection(next.value.error === "other_folder" ? "other_folder" : "signed_out");
        return;
      }
      this.#hear(next.value);
    }
  }

  async #poll(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await new Promise((done) => setTimeout(done, hiddenPollMs));
      if (signal.aborted) return;
      const page = await this.#client.call("workspaceEvents", { query: { cursor: this.#cursor } }, signal);
      if (isFault(page)) this.#connected("lost");
      else {
        this.#connected("connected");
        for (const event of page.events) this.#hear(event);
      }
    }
  }

  #connected(state: "connected" | "lost"): void {
    const wasAway = this.connection() !== "connected";
    this.#setConnection(state);
    if (wasAway && state === "connected") for (const listener of this.#returned) listener();
  }

  #hear(event: LogEvent): void {
    if (event.cursor <= this.#cursor) return;
    this.#cursor = event.cursor;
    for (const listener of this.#listeners) listener(event);
  }
}
