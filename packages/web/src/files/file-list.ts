// The files of the folder, as the server lists them: read when first needed, and again when files came or went.

import { type Fault, isFault } from "@stet/protocol/fault";
import { type Accessor, createSignal } from "solid-js";
import { oneFor } from "../workspace/one-for.ts";
import { soon } from "../workspace/soon.ts";
import type { Workbench } from "../workspace/workbench.ts";

/** As many as the server tells at once. */
export const maxFiles = 20_000;

export class FileList {
  /** Undefined until they were read for the first time. */
  readonly paths: Accessor<readonly string[] | undefined>;
  readonly isCut: Accessor<boolean>;
  /** Why they could not be read. */
  readonly fault: Accessor<Fault | undefined>;
  readonly #setPaths: (paths: readonly string[]) => void;
  readonly #setCut: (isCut: boolean) => void;
  readonly #setFault: (fault: Fault | undefined) => void;
  readonly #workbench: Workbench;

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
    [this.paths, this.#setPaths] = createSignal<readonly string[] | undefined>();
    [this.isCut, this.#setCut] = createSignal(false);
    [this.fault, this.#setFault] = createSignal<Fault | undefined>();
    const loadSoon = soon(120, () => void this.load());
    workbench.feed.on("files.changed", loadSoon);
    workbench.feed.onReturn(loadSoon);
    void this.load();
  }

  async load(): Promise<void> {
    const reply = await this.#workbench.client.call("listFiles", { query: { limit: maxFiles } });
    this.#setFault(isFault(reply) ? reply : undefined);
    if (isFault(reply)) return;
    this.#setPaths(reply.files);
    this.#setCut(reply.truncated);
  }
}

/** One list for the whole window, whoever shows it. */
export const fileListOf = oneFor((workbench: Workbench) => new FileList(workbench));
