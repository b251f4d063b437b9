// Notifications of other processes: one connection that listens on the workspace's channel.
//
// A notification is a hint, never the truth: a listener reads the tables. While the connection is down hints are lost, so
// after a reconnect, and at an interval, every listener is called without one to poll the tables.

import { createHash } from "node:crypto";
import type { LogEvent } from "@stet/protocol/events/log-event";
import { Client, type ClientConfig } from "pg";
import { type Queries, rows } from "./connection.ts";

export type Notification =
  | { readonly kind: "event"; readonly log: string; readonly cursor: number }
  | {
      readonly kind: "deltas";
      readonly log: string;
      readonly from: string;
      /** The newest fact of the log that its process knew: a reader who has not got it yet reads it first. */
      readonly after: number;
      readonly events: readonly LogEvent[];
    }
  | { readonly kind: "ledger"; readonly seq: number }
  | { readonly kind: "wanted"; readonly by: string }
  | { readonly kind: "released" }
  | { readonly kind: "cancel"; readonly job: string }
  | { readonly kind: "job"; readonly job: string; readonly status: string; readonly by: string };

/** Called with a notification; with undefined where some may have been missed. */
export type NotificationListener = (notification: Notification | undefined) => void;

const longestPause = 5000;
/** The server refuses 8000 bytes. */
export const maxNotification = 7900;

export function channelOf(workspace: string): string {
  return `stet_${createHash("sha256").update(workspace).digest("hex").slice(0, 32)}`;
}

export async function notify(on: Queries, channel: string, notification: Notification): Promise<void> {
  await rows(on, "SELECT pg_notify($1, $2)", channel, JSON.stringify(notification));
}

export class Notifications {
  readonly channel: string;
  readonly #config: ClientConfig;
  readonly #listeners = new Set<NotificationListener>();
  readonly #poll: NodeJS.Timeout;
  #client: Client | undefined;
  #isClosed = false;
  #pause = 100;

  constructor(config: ClientConfig, workspace: string, pollMilliseconds: number) {
    this.#config = config;
    this.channel = channelOf(workspace);
    this.#poll = setInterval(() => this.#publish(undefined), pollMilliseconds).unref();
  }

  /** Returns when it listens. */
  async open(): Promise<void> {
    const client = new Client(this.#config);
    let isLost = false;
    const lose = () => {
      if (isLost) return;
      isLost = true;
      void client.end().catch(() => undefined);
      if (this.#client === client) this.#reopen();
    };
    client.on("error", lose);
    client.on("end", lose);
    client.on("notification", ({ payload }) => this.#receive(payload ?? ""));
    await client.connect();
    // The channel is made of hexadecimal digits; it cannot be a parameter.
    await client.query(`LISTEN ${this.channel}`);
    if (this.#isClosed) return void (await client.end());
    this.#client = client;
    this.#pause = 100;
  }

  #reopen(): void {
    if (this.#isClosed) return;
    this.#client = undefined;
    const timer = setTimeout(() => {
      this.open().then(
        () => this.#publish(undefined),
        () => this.#reopen(),
      );
    }, this.#pause);
    timer.unref();
    this.#pause = Math.min(this.#pause * 2, longestPause);
  }

  #receive(payload: string): void {
    let notification: Notification;
    try {
      notification = JSON.parse(payload);
    } catch {
      // A payload of another program on our channel.
      return;
    }
    this.#publish(notification);
  }

  #publish(notification: Notification | undefined): void {
    for (const listener of [...this.#listeners]) listener(notification);
  }

  subscribe(listener: NotificationListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#poll);
    this.#listeners.clear();
    await this.#client?.end().catch(() => undefined);
  }
}
