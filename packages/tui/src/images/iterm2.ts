// iTerm2's inline pictures: the bytes of any type, as often as they are shown.

import type { CellArea, Picture } from "./picture.ts";

export function iterm2Picture({ bytes }: Pick<Picture, "bytes">, { columns, rows }: CellArea): string {
  const keys = `inline=1;size=${bytes.length};width=${columns};height=${rows};preserveAspectRatio=1`;
  return `\u001b]1337;File=${keys}:${Buffer.from(bytes).toString("base64")}\u0007`;
}
