// The keys of the review, as data: what the panel obeys, what ? lists, and what the manual says.

import type { KeyInput } from "@stet/tui/input/input";

export type ReviewAction =
  | "accept"
  | "reject"
  | "next"
  | "previous"
  | "nextFile"
  | "previousFile"
  | "edit"
  | "editOutside"
  | "undo"
  | "acceptFile"
  | "rejectFile"
  | "acceptTurn"
  | "rejectTurn"
  | "acceptAll"
  | "rejectAll"
  | "up"
  | "down"
  | "pageUp"
  | "pageDown"
  | "top"
  | "bottom"
  | "help"
  | "leave";

export interface ReviewKey {
  readonly action: ReviewAction;
  /** Key ids, or the character that a key types. */
  readonly keys: readonly string[];
  readonly help: string;
  /** For the row at the bottom; left out there where it is missing. */
  readonly brief?: string;
}

export const reviewKeys: readonly ReviewKey[] = [
  { action: "accept", keys: ["a"], help: "accept the hunk", brief: "accept" },
  { action: "reject", keys: ["r"], help: "reject the hunk", brief: "reject" },
  { action: "next", keys: ["s", "n", "right"], help: "skip it: decide later", brief: "skip" },
  { action: "previous", keys: ["b", "p", "left"], help: "back to the hunk before", brief: "back" },
  { action: "edit", keys: ["e"], help: "edit its lines here", brief: "edit" },
  { action: "editOutside", keys: ["E"], help: "edit its lines in $VISUAL or $EDITOR" },
  { action: "undo", keys: ["u"], help: "undo the latest decision", brief: "undo" },
  {
    action: "leave",
    keys: ["q", "escape", "ctrl+c"],
    help: "leave; what was decided is saved",
    brief: "leave",
  },
  { action: "help", keys: ["?"], help: "these keys", brief: "keys" },
  { action: "nextFile", keys: ["]", "tab"], help: "next file" },
  { action: "previousFile", keys: ["[", "shift+tab"], help: "previous file" },
  { action: "acceptFile", keys: ["f"], help: "accept the whole file" },
  { action: "rejectFile", keys: ["F"], help: "reject the whole file" },
  { action: "acceptTurn", keys: ["t"], help: "accept the whole turn" },
  { action: "rejectTurn", keys: ["T"], help: "reject the whole turn" },
  { action: "acceptAll", keys: ["A"], help: "accept everything" },
  { action: "rejectAll", keys: ["R"], help: "reject everything, after a question" },
  { action: "up", keys: ["up", "k"], help: "scroll up" },
  { action: "down", keys: ["down", "j"], help: "scroll down" },
  { action: "pageUp", keys: ["pageUp"], help: "scroll up by a page" },
  { action: "pageDown", keys: ["pageDown", "space"], help: "scroll down by a page" },
  { action: "top", keys: ["home", "g"], help: "to the beginning of the hunk" },
  { action: "bottom", keys: ["end", "G"], help: "to its end" },
];

const byKey = new Map(reviewKeys.flatMap(({ action, keys }) => keys.map((key) => [key, action] as const)));

export function actionOf(input: KeyInput): ReviewAction | undefined {
  return byKey.get(nameOfKey(input)) ?? byKey.get(input.id);
}

/** A letter by what it types, so that a capital is one whichever way the terminal tells it; every other key by its id. */
export function nameOfKey({ id, text }: KeyInput): string {
  return text !== undefined && /^[!-~]$/.test(text) ? text : id;
}
