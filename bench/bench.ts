// What a benchmark is, and how it is measured: in one process, as a ratio, the best of several tries.

export interface Measured {
  readonly value: number;
  readonly unit: string;
  /** The same for what a user would pick instead, in the same unit; null where there is nothing to compare with. */
  readonly against: number | null;
  /** `value / against`, or `against / value` where the benchmark says how many times faster. */
  readonly ratio: number | null;
}

export interface Bench {
  readonly name: string;
  readonly what: string;
  /** What it is compared with. */
  readonly versus: string;
  readonly goal: string;
  isReached(measured: Measured): boolean;
  measure(): Promise<Measured> | Measured;
}

/** The shortest of several runs, in milliseconds. */
export async function best(runs: number, action: () => unknown): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run += 1) {
    const started = performance.now();
    await action();
    shortest = Math.min(shortest, performance.now() - started);
  }
  return shortest;
}
