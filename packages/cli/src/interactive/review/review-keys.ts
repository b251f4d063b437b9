// The keys of the review, as data: a part of the table of all keys, and what ? lists.

import type { KeyInput } from "@stet/tui/input/input";
import type { KeyBindings } from "../keys/bindings.ts";
import { keyName } from "../keys/key-ids.ts";

export interface ReviewKey {
  readonly keys: readonly string[];
  readonly help: string;
  /** For the row at the bottom; left out there where it is missing. */
  readonly brief?: string;
}

export const reviewActions = {
  "review.accept": { keys: ["a"], help: "Accept the hunk", brief: "accept" },
  "review.reject": { keys: ["r"], help: "Reject the hunk", brief: "reject" },
  "review.next": { keys: ["s", "n", "right"], help: "Skip it: decide later", brief: "skip" },
  "review.previous": { keys: ["b", "p", "left"], help: "Back to the hunk before", brief: "back" },
  "review.edit": { keys: ["e"], help: "Edit its lines here", brief: "edit" },
  "review.editOutside": { keys: ["shift+e"], help: "Edit its lines in $VISUAL or $EDITOR" },
  "review.undo": { keys: ["u"], help: "Undo the latest decision", brief: "undo" },
  "review.leave": {
    keys: ["q", "escape", "ctrl+c"],
    help: "Leave; what was decided is saved",
    brief: "leave",
  },
  "review.help": { keys: ["?"], help: "These keys", brief: "keys" },
  "review.nextFile": { keys: ["]", "tab"], help: "Next file" },
  "review.previousFile": { keys: ["[", "shift+tab"], help: "Previous file" },
  "review.acceptFile": { keys: ["f"], help: "Accept the whole file" },
  "review.rejectFile": { keys: ["shift+f"], help: "Reject the whole file" },
  "review.acceptTurn": { keys: ["t"], help: "Accept the whole turn" },
  "review.rejectTurn": { keys: ["shift+t"], help: "Reject the whole turn" },
  "review.acceptAll": { keys: ["shift+a"], help: "Accept everything" },
  "review.rejectAll": { keys: ["shift+r"], help: "Reject everything, after a question" },
  "review.up": { keys: ["up", "k"], help: "Scroll up" },
  "review.down": { keys: ["down", "j"], help: "Scroll down" },
  "review.pageUp": { keys: ["pageUp"], help: "Scroll up by a page" },
  "review.pageDown": { keys: ["pageDown", "space"], help: "Scroll down by a page" },
  "review.top": { keys: ["home", "g"], help: "To the beginning of the hunk" },
  "review.bottom": { keys: ["end", "shift+g"], help: "To its end" },
} as const satisfies Readonly<Record<string, ReviewKey>>;

export type ReviewAction = keyof typeof reviewActions;

/** The keys that are in force, as people read them: what they do, and in a word where there is one. */
export function reviewKeys(
  bindings: KeyBindings,
): { keys: string[]; help: string; brief: string | undefined }[] {
  const rows: { keys: string[]; help: string; brief: string | undefined }[] = [];
  for (const [action, { help, ...rest }] of Object.entries<ReviewKey>(reviewActions)) {
    const keys = bindings.keysOf(action).map(shortName);
    if (keys.length > 0) rows.push({ keys, help, brief: rest.brief });
  }
  return rows;
}

/** A capital letter is itself. */
function shortName(id: string): string {
  const letter = /^shift\+([a-z])$/.exec(id)?.[1];
  return letter?.toUpperCase() ?? (id.length === 1 ? id : keyName(id));
}

/** A letter by what it types, so that a capital is one whichever way the terminal tells it; every other key by its id. */
export function nameOfKey({ id, text }: KeyInput): string {
  return text !== undefined && /^[!-~]$/.test(text) ? text : id;
}

/** For a sentence about a key. */
export function quotedKey(input: KeyInput): string {
  const name = nameOfKey(input);
  return name.length === 1 ? `"${name}"` : name;
}
