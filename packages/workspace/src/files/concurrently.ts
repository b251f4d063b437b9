// A few things at a time: enough to keep a disk's queue filled, few enough to leave the machine usable.

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
