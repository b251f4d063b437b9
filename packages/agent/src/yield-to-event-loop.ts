// Cooperative scheduling: where many turns run at once, each does one step, then yields to the event loop.
//
// Without this, answers that arrive together are handled in one go, and every other request waits until all are done.

const waiting: (() => void)[] = [];

/** Resolves in a later round of the event loop: callers queue, and one of them continues in each round. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(next);
  });
}

function next(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(next);
}
