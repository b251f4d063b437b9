// Search by meaning for one command: who makes the vectors, and the workspace's index of them. Both are opened when first
// asked for, since most turns need neither.

import type { Meaning } from "@stet/meaning/meaning";
import type { Embedder } from "@stet/protocol/embedding";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { Workspace } from "@stet/workspace/workspace";
import type { Settings } from "../settings/configuration.ts";
import { modelSources } from "../settings/model-settings.ts";

export class Meanings {
  readonly #workspace: Workspace;
  readonly #settings: Settings;
  readonly #environment: NodeJS.ProcessEnv;
  #resolved: Promise<Embedder | Fault> | undefined;
  #opened: Promise<Meaning | Fault> | undefined;

  constructor(workspace: Workspace, settings: Settings, environment: NodeJS.ProcessEnv) {
    this.#workspace = workspace;
    this.#settings = settings;
    this.#environment = environment;
  }

  embedder(): Promise<Embedder | Fault> {
    this.#resolved ??= this.#resolve();
    return this.#resolved;
  }

  async #resolve(): Promise<Embedder | Fault> {
    const { embeddings: model, agentMode } = this.#settings;
    const sources = modelSources(this.#settings, this.#environment);
    const { resolveEmbedder } = await import("./resolve-embedder.ts");
    return resolveEmbedder({ ...sources, model, staysOnMachine: agentMode === "local" });
  }

  index(): Promise<Meaning | Fault> {
    this.#opened ??= this.#open();
    return this.#opened;
  }

  async #open(): Promise<Meaning | Fault> {
    const { Meaning } = await import("@stet/meaning/meaning");
    return Meaning.open(this.#workspace.stateFolder, await this.embedder());
  }

  async close(): Promise<void> {
    const [index, embedder] = await Promise.all([this.#opened, this.#resolved]);
    if (index !== undefined && !isFault(index)) await index.close();
    if (embedder !== undefined && !isFault(embedder)) await embedder.close();
  }
}
