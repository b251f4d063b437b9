// The server under many readers.

import type { Bench } from "./bench.ts";
import { measureStreams, type StreamsMeasured } from "./streams.ts";

let measured: Promise<StreamsMeasured> | undefined;

/** Measured once for all rows. */
function streams(): Promise<StreamsMeasured> {
  measured ??= measureStreams({ readers: 1000, perSecond: 200, seconds: 10 });
  return measured;
}

export const benches: readonly Bench[] = [
  {
    name: "server/stream-p50",
    what: "from an event to the last of 1,000 readers of one job, at 200 events a second: the median",
    versus: "",
    goal: "under 100 ms",
    isReached: ({ value }) => value < 100,
    measure: async () => ({ value: (await streams()).p50, unit: "ms", against: null, ratio: null }),
  },
  {
    name: "server/stream-p99",
    what: "the same, for 99 of 100 events",
    versus: "",
    goal: "under 250 ms",
    isReached: ({ value }) => value < 250,
    measure: async () => ({ value: (await streams()).p99, unit: "ms", against: null, ratio: null }),
  },
  {
    name: "server/stream-memory",
    what: "the most that the server's process held meanwhile",
    versus: "",
    goal: "under 400 MB",
    isReached: ({ value }) => value < 400,
    measure: async () => ({ value: (await streams()).memory, unit: "MB", against: null, ratio: null }),
  },
];
