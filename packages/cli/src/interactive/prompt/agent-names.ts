// Names of agents behind `@`, beside files: those that can be sent now, by a few letters. The list is kept for a while, because
// it is read from folders each time.

import type { Api } from "@stet/client/direct";
import { isFault } from "@stet/protocol/fault";
import { visibleName } from "@stet/protocol/visible";
import { fuzzyFilter } from "@stet/tui/components/fuzzy";

export interface AgentName {
  readonly name: string;
  readonly about: string;
}

const freshMs = 5000;
/** Agents beside so many files. */
const maxNames = 5;

export class AgentNames {
  readonly #api: () => Api<"listAgentDefinitions"> | undefined;
  #known: readonly AgentName[] = [];
  #listedAt = Number.NEGATIVE_INFINITY;

  constructor(api: () => Api<"listAgentDefinitions"> | undefined) {
    this.#api = api;
  }

  /** The best few; without letters those that stand first. */
  async search(query: string): Promise<readonly AgentName[]> {
    if (/[^\w-]/.test(query)) return [];
    if (performance.now() - this.#listedAt > freshMs) await this.#list();
    const found = query === "" ? this.#known : fuzzyFilter(this.#known, query, ({ name }) => name);
    return found.slice(0, maxNames);
  }

  /** Where they cannot be listed, files are offered alone. */
  async #list(): Promise<void> {
    const reply = await this.#api()?.call("listAgentDefinitions", {});
    if (reply === undefined || isFault(reply)) return;
    this.#listedAt = performance.now();
    this.#known = reply.agents.flatMap(({ name, description, problem }) => {
      return problem === null ? [{ name, about: visibleName(description) }] : [];
    });
  }
}
