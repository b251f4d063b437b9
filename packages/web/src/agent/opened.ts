// Which cards are open. A card that scrolls out of sight is taken away, so it cannot remember that itself.

import { createStore } from "solid-js/store";

const [opened, setOpened] = createStore<Record<string, boolean>>({});

/** Until the person has opened or closed it, it is what it is by itself. */
export function isOpened(key: string, byItself = false): boolean {
  return opened[key] ?? byItself;
}

export function toggleOpened(key: string, byItself = false): void {
  setOpened(key, (was) => !(was ?? byItself));
}
