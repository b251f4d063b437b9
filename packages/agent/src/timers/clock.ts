// Time as timers know it, so that a test can move it.

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back after so many milliseconds, or a while later; returns what keeps it from that. */
  after(milliseconds: number, action: () => void): () => void;
}

/** The system's. A timer of it does not keep the process alive. */
export const systemClock: Clock = {
  now: Date.now,
  after(milliseconds, action) {
    const timer = setTimeout(action, milliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
