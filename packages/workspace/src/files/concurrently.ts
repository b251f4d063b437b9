// A few things at a time: enough to keep a disk's queue filled, few enough to leave the machine usable.

import { access } from "node:fs";

/** Waits for the disk that run at once, each in a thread of its own. A file system answers them together: sixteen syncs take little longer than four. */
export const diskWaits = 16;

/**
 * Makes Node's thread pool large enough for that: it has four threads otherwise, and its size is read when it is first
 * used, so call this before. A size that someone has set stays, and commands do not inherit ours.
 */
export function growThreadPool(): void {
  if (process.env.UV_THREADPOOL_SIZE !== undefined) return;
  process.env.UV_THREADPOOL_SIZE = String(diskWaits);
  access(".", () => undefined);
  delete process.env.UV_THREADPOOL_SIZE;
}

/** Runs the action on every item, at most `limit` at once. After the first result that is not undefined, or the first
 * exception, nothing more is started; it is returned or thrown once everything that was started has ended, so that
 * nothing goes on behind the caller's back. */
export async function concurrently<Item, Result>(
  items: readonly Item[],
  limit: number,
  action: (item: Item) => Promise<Result | undefined>,
): Promise<Result | undefined> {
  let first: Result | undefined;
  let isStopped = false;
  const waiting = items.values();
  const work = async () => {
    try {
      for (const item of waiting) {
        const result = await action(item);
        first ??= result;
        isStopped ||= result !== undefined;
        if (isStopped) break;
      }
    } catch (error) {
      isStopped = true;
      throw error;
    }
  };
  const workers = Array.from({ length: Math.min(limit, items.length) }, work);
  const failure = (await Promise.allSettled(workers)).find((worker) => worker.status === "rejected");
  if (failure !== undefined) throw failure.reason;
  return first;
}
