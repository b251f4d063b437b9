// The title of the window. The one it had is put on the terminal's stack first, and taken back at the end.

import { controlText } from "./control-text.ts";

export const pushTitle = "\u001b[22;2t";
export const popTitle = "\u001b[23;2t";

export function titleSequence(title: string): string {
  return `\u001b]2;${controlText(title, 200)}\u001b\\`;
}
