// Whether an item is a call that has read a picture. Small, because it is asked with each frame of a conversation.

import type { Item } from "@stet/client/items";

/** The path of the picture; undefined for every other item. */
export function readPicture(item: Item): string | undefined {
  if (item.kind !== "tool" || item.status !== "ok" || !item.traits.includes("reads")) return undefined;
  const { arguments: given } = item;
  if (typeof given !== "object" || given === null || !("path" in given)) return undefined;
  const { path } = given;
  return typeof path === "string" && /\.(?:png|jpe?g|gif|webp)$/i.test(path) ? path : undefined;
}
