// Which cards are open. A card that scrolls out of sight is taken away, so it cannot remember that itself.

import { createStore } from "solid-js/store";

const [opened, setOpened] = createStore<Record<string, boolean>>({});

export function isOpened(key: string): boolean {
  return opened[key] === true;
}

export function toggleOpened(key: string): void {
  setOpened(key, (was) => was !== true);
}
