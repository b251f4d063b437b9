// What other processes tell: one connection that listens on the workspace's channel.
//
// A notification is a hint, never the truth: who hears it reads the tables. While the connection is down hints are lost,
// so afterwards, and every now and then, everyone is told to look for themselves.

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
      readonly events: readonly LogEvent[];
    }
  | { readonly kind: "ledger"; readonly seq: number }
  | { readonly kind: "wanted"; readonly by: string }
  | { readonly kind: "released" }
  | { readonly kind: "cancel"; readonly job: string }
  | { readonly kind: "job"; readonly job: string; readonly status: string; readonly by: string };

/** Told what happened; undefined where something may have happened. */
export type Hearer = (told: Notification | undefined) => void;

const longestPause = 5000;
/** The server refuses 8000 bytes. */
export const maxNotification = 7900;

export function channelOf(workspace: string): string {
  return `stet_${createHash("sha256").update(workspace).digest("hex").slice(0, 32)}`;
}

export async function notify(on: Queries, channel: string, told: Notification): Promise<void> {
  await rows(on, "SELECT pg_notify($1, $2)", channel, JSON.stringify(told));
}

export class Notifications {
  readonly channel: string;
  readonly #config: ClientConfig;
  readonly #hearers = new Set<Hearer>();
  readonly #poll: NodeJS.Timeout;
  #client: Client | undefined;
  #isClosed = false;
  #pause = 100;

  constructor(config: ClientConfig, workspace: string, pollMilliseconds: number) {
    this.#config = config;
    this.channel = channelOf(workspace);
    this.#poll = setInterval(() => this.#tell(undefined), pollMilliseconds).unref();
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
    client.on("notification", ({ payload }) => this.#hear(payload ?? ""));
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
        () => this.#tell(undefined),
        () => this.#reopen(),
      );
    }, this.#pause);
    timer.unref();
    this.#pause = Math.min(this.#pause * 2, longestPause);
  }

  #hear(payload: string): void {
    let told: Notification;
    try {
      told = JSON.parse(payload);
    } catch {
      // Someone else's words on our channel.
      return;
    }
    this.#tell(told);
  }

  #tell(told: Notification | undefined): void {
    for (const hearer of [...this.#hearers]) hearer(told);
  }

  subscribe(hearer: Hearer): () => void {
    this.#hearers.add(hearer);
    return () => this.#hearers.delete(hearer);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#poll);
    this.#hearers.clear();
    await this.#client?.end().catch(() => undefined);
  }
}
