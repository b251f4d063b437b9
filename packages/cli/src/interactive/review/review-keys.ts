// The keys of the review, as rows of the table of keys.

export const reviewActions = {
  "review.accept": { keys: ["a"], help: "Accept the hunk" },
  "review.reject": { keys: ["r"], help: "Reject the hunk" },
  "review.next": { keys: ["s", "n", "right"], help: "Skip it, and decide later" },
  "review.previous": { keys: ["b", "p", "left"], help: "Back to the hunk before" },
  "review.edit": { keys: ["e"], help: "Edit its lines here; Ctrl-S keeps them, Esc drops them" },
  "review.editOutside": { keys: ["shift+e"], help: "Edit its lines in $VISUAL or $EDITOR" },
  "review.undo": { keys: ["u"], help: "Undo the latest decision" },
  "review.leave": { keys: ["q", "escape", "ctrl+c"], help: "Leave; what was decided is saved" },
  "review.help": { keys: ["?"], help: "Show these keys" },
  "review.nextFile": { keys: ["]", "tab"], help: "The next file" },
  "review.previousFile": { keys: ["[", "shift+tab"], help: "The previous file" },
  "review.acceptFile": { keys: ["f"], help: "Accept the whole file" },
  "review.rejectFile": { keys: ["shift+f"], help: "Reject the whole file" },
  "review.acceptTurn": { keys: ["t"], help: "Accept the whole turn" },
  "review.rejectTurn": { keys: ["shift+t"], help: "Reject the whole turn" },
  "review.acceptAll": { keys: ["shift+a"], help: "Accept everything" },
  "review.rejectAll": { keys: ["shift+r"], help: "Reject everything, after a question" },
  "review.up": { keys: ["up", "k"], help: "One row up" },
  "review.down": { keys: ["down", "j"], help: "One row down" },
  "review.pageUp": { keys: ["pageUp"], help: "One page up" },
  "review.pageDown": { keys: ["pageDown", "space"], help: "One page down" },
  "review.top": { keys: ["home", "g"], help: "The beginning of the hunk" },
  "review.bottom": { keys: ["end", "shift+g"], help: "Its end" },
} as const satisfies Readonly<Record<string, { readonly keys: readonly string[]; readonly help: string }>>;

export type ReviewAction = keyof typeof reviewActions;

/** What the row at the bottom says, in its order; leaving and the other keys are always there. */
export const briefActions: readonly (readonly [action: ReviewAction, help: string])[] = [
  ["review.accept", "accept"],
  ["review.reject", "reject"],
  ["review.next", "skip"],
  ["review.previous", "back"],
  ["review.edit", "edit"],
  ["review.undo", "undo"],
  ["review.leave", "leave"],
  ["review.help", "keys"],
];
