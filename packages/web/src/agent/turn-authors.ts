// Who answered each turn: said once, below its last reply, when it is over.

import type { Item } from "@stet/client/items";

/** By the key of the reply. The turn at work has none yet. */
export function authorsOf(items: readonly Item[], isWorking: boolean): ReadonlyMap<string, string> {
  const authors = new Map<string, string>();
  let last: { readonly key: string; readonly model: string } | undefined;
  const close = () => {
    if (last !== undefined) authors.set(last.key, last.model);
    last = undefined;
  };
  for (const item of items) {
    if (item.kind === "user") close();
    if (item.kind === "assistant")
      last = item.model === undefined ? undefined : { key: item.key, model: item.model };
  }
  if (!isWorking) close();
  return authors;
}
