// What the person said, on a background of its own.

import { padCells } from "@stet/tui/text/slice";
import type { Theme } from "../theme/theme.ts";
import type { ItemOf } from "./item-block.ts";
import { cleanText, hanging, plural } from "./rows.ts";

export function userRows({ text, siblings }: ItemOf<"user">, theme: Theme, width: number): string[] {
  const sign = `${theme.fg("accent", theme.symbol("user"))} `;
  const lines = cleanText(text.trim())
    .split("\n")
    .map((line) => theme.fg("userMessageText", line));
  if (siblings > 0)
    lines.push(
      theme.fg(
        "muted",
        `${theme.symbol("branch")} ${plural(siblings, "other way", "other ways")} from here: /tree`,
      ),
    );
  return hanging(sign, lines, width).map((row) => theme.bg("userMessageBg", padCells(row, width)));
}
