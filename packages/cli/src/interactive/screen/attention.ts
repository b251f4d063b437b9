// Calls the person to a window that they do not look at.

import { visibleName } from "@stet/protocol/visible";
import type { Interactive } from "../interactive.ts";

const longest = 120;

/** Nothing where the window has the focus. */
export function notify({ isFocused, screenParts }: Interactive, text: string): void {
  if (isFocused) return;
  const [line = ""] = text.split("\n");
  screenParts.notify(visibleName(line).slice(0, longest));
}
