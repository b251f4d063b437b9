// The index for search by meaning of what is open in tabs: begun with the first tab, with progress events, paused and resumed.
//
// A pause lasts until it is taken back, or until the server starts again. What someone searches for is embedded even then,
// because they wait for it.

import { setTimeout as pause } from "node:timers/promises";
import type { IndexState } from "@stet/protocol/events/workspace-events";
import { isFault } from "@stet/protocol/fault";
import type { Workspace } from "@stet/workspace/workspace";
import type { Following } from "./follow-documents.ts";
import type { Meanings } from "./meanings.ts";

/** Debounce, in milliseconds. What begins and ends in between, as after every pause in typing, has no event. */
const tellEvery = 250;

const nothing = { document: null, title: null, done: 0, total: 0, waiting: 0 };

export class TabIndex {
  readonly #workspace: Workspace;
  readonly #meanings: Pick<Meanings, "embedder" | "index">;
  readonly #tell: (state: IndexState) => void;
  /** Delay of indexing after a document was opened, so that it is displayed first. */
  readonly #beginAfterMs: number;
  #isOff: boolean;
  #isPaused = false;
  #isStopped = false;
  readonly #waking = new AbortController();
  #begun: Promise<void> | undefined;
  #following: Following | undefined;
  #timer: NodeJS.Timeout | undefined;
  #told: string;

  constructor(
    workspace: Workspace,
    meanings: Pick<Meanings, "embedder" | "index">,
    isOn: boolean,
    tell: (state: IndexState) => void = () => {},
    beginAfterMs = 0,
  ) {
    this.#beginAfterMs = beginAfterMs;
    this.#workspace = workspace;
    this.#meanings = meanings;
    this.#isOff = !isOn;
    this.#tell = tell;
    this.#told = JSON.stringify(this.state());
  }

  /** Takes up what is open. Without a tab there is nothing to index, and no model to load. */
  look(): void {
    if (this.#isOff || this.#isStopped || this.#workspace.tabs.list().length === 0) return;
    if (this.#begun === undefined) this.#begun = this.#begin();
    else this.#following?.look();
  }

  async #begin(): Promise<void> {
    await pause(this.#beginAfterMs, undefined, { ref: false, signal: this.#waking.signal }).catch(
      () => undefined,
    );
    if (this.#isStopped) return;
    const [embedder, index, { followDocuments }] = await Promise.all([
      this.#meanings.embedder(),
      this.#meanings.index(),
      import("./follow-documents.ts"),
    ]);
    if (this.#isStopped) return;
    if (isFault(embedder) || isFault(index)) {
      this.#isOff = true;
      this.#tellNow();
      return;
    }
    this.#following = followDocuments(this.#workspace, index, {
      isPaused: this.#isPaused,
      onProgress: () => this.#tellSoon(),
    });
  }

  state(): IndexState {
    if (this.#isOff) return { state: "off", ...nothing };
    const progress = this.#following?.progress();
    if (progress === undefined) return { state: this.#isPaused ? "paused" : "idle", ...nothing };
    const { document } = progress;
    const title = document === null ? null : (this.#workspace.documents.row(document)?.title ?? null);
    return { ...progress, title };
  }

  setPaused(isPaused: boolean): IndexState {
    this.#isPaused = isPaused;
    if (isPaused) this.#following?.pause();
    else this.#following?.resume();
    this.#tellSoon();
    return this.state();
  }

  #tellSoon(): void {
    this.#timer ??= setTimeout(() => this.#tellNow(), tellEvery).unref();
  }

  #tellNow(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#isStopped) return;
    const state = this.state();
    const text = JSON.stringify(state);
    if (text === this.#told) return;
    this.#told = text;
    this.#tell(state);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#waking.abort();
    await this.#begun;
    this.#following?.stop();
  }
}
