// The bounds of all commands of one turn: a control group where there is one, and for what it does not bound, a watch.

import { type LimitGroup, makeLimitGroup, type Resource, type ResourceLimits } from "./resource-limits.ts";
import { ResourceWatch } from "./resource-watch.ts";

const resources: readonly Resource[] = ["processes", "memoryBytes"];

export class Bounds {
  readonly #group: LimitGroup;
  readonly #limits: ResourceLimits;
  readonly #watch: ResourceWatch | undefined;

  /** `marker` of all processes, ending in a dot. */
  constructor(marker: string, limits: ResourceLimits) {
    this.#limits = limits;
    this.#group = makeLimitGroup(limits);
    const left = resources.filter((resource) => !this.#group.bounded.includes(resource));
    this.#watch = left.length === 0 ? undefined : new ResourceWatch(marker, limits, left);
  }

  /** Files into which a process writes its number to be bounded. */
  get entrances(): readonly string[] {
    return this.#group.entrances;
  }

  /** What a group bounds; the rest is watched. */
  get bounded(): readonly Resource[] {
    return this.#group.bounded;
  }

  /** What a shell sets for itself: for each process, and without effect for root where it is about their number. */
  get ownLimits(): Partial<ResourceLimits> {
    const { processes, memoryBytes } = this.#limits;
    return this.#group.bounded.includes("memoryBytes") ? { processes } : { processes, memoryBytes };
  }

  release(): void {
    this.#watch?.close();
    this.#group.release();
  }
}
