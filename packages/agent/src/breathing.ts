// Turns take turns: where many run at once, each does one step, then whatever else waits for the process gets its time.
//
// Without this, answers that arrive together are worked off in one go, and nobody else is served until all are done.

const waiting: (() => void)[] = [];

/** Continues when it is this caller's time again: one caller for each round of the event loop. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(next);
  });
}

function next(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(next);
}
