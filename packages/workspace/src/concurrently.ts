// A few things at a time: enough to keep a disk's queue filled, few enough to leave the machine usable.

/** Runs the action on every item, at most `limit` at once. After the first result that is not undefined nothing
 * more is started; it is returned once everything that was started has ended. */
export async function concurrently<Item, Result>(
  items: readonly Item[],
  limit: number,
  action: (item: Item) => Promise<Result | undefined>,
): Promise<Result | undefined> {
  let first: Result | undefined;
  const waiting = items.values();
  const work = async () => {
    for (const item of waiting) {
      const result = await action(item);
      first ??= result;
      if (first !== undefined) break;
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
  return first;
}
