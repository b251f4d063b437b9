// What the editor does, by the names that a table of key bindings uses, and the keys that do it unless others are given.

export const editorActions = {
  "editor.submit": { keys: ["enter"], help: "Send what is written" },
  "editor.newLine": { keys: ["shift+enter", "alt+enter", "ctrl+j"], help: "Begin a new line" },
  "editor.cursor.left": { keys: ["left", "ctrl+b"], help: "One character to the left" },
  "editor.cursor.right": { keys: ["right", "ctrl+f"], help: "One character to the right" },
  "editor.cursor.wordLeft": { keys: ["ctrl+left", "alt+left", "alt+b"], help: "One word to the left" },
  "editor.cursor.wordRight": { keys: ["ctrl+right", "alt+right", "alt+f"], help: "One word to the right" },
  "editor.cursor.lineStart": { keys: ["home", "ctrl+a"], help: "To the start of the line" },
  "editor.cursor.lineEnd": { keys: ["end", "ctrl+e"], help: "To the end of the line" },
  "editor.cursor.up": { keys: ["up"], help: "One row up; in the first row, the prompt before" },
  "editor.cursor.down": { keys: ["down"], help: "One row down; in the last row, the prompt after" },
  "editor.cursor.pageUp": { keys: ["pageUp"], help: "One page up" },
  "editor.cursor.pageDown": { keys: ["pageDown"], help: "One page down" },
  "editor.cursor.textStart": { keys: ["ctrl+home"], help: "To the start of the text" },
  "editor.cursor.textEnd": { keys: ["ctrl+end"], help: "To the end of the text" },
  "editor.delete.left": {
    keys: ["backspace", "shift+backspace", "ctrl+h"],
    help: "Delete the character before the cursor",
  },
  "editor.delete.right": { keys: ["delete", "ctrl+d"], help: "Delete the character at the cursor" },
  "editor.kill.lineEnd": { keys: ["ctrl+k"], help: "Kill to the end of the line" },
  "editor.kill.lineStart": { keys: ["ctrl+u"], help: "Kill to the start of the line" },
  "editor.kill.blankWordLeft": { keys: ["ctrl+w"], help: "Kill back to a blank" },
  "editor.kill.wordLeft": {
    keys: ["alt+backspace", "ctrl+backspace"],
    help: "Kill the word before the cursor",
  },
  "editor.kill.wordRight": {
    keys: ["alt+d", "alt+delete", "ctrl+delete"],
    help: "Kill the word behind the cursor",
  },
  "editor.yank": { keys: ["ctrl+y"], help: "Put back what was killed last" },
  "editor.yankPop": { keys: ["alt+y"], help: "Right after that: what was killed before it instead" },
  "editor.undo": { keys: ["ctrl+_", "ctrl+-", "ctrl+/"], help: "Undo" },
  "editor.redo": { keys: ["alt+z", "shift+ctrl+z"], help: "Redo" },
} as const satisfies Readonly<Record<string, { readonly keys: readonly string[]; readonly help: string }>>;

export type EditorAction = keyof typeof editorActions;

/** The action of a key; undefined where it has none. */
export type ActionOf<Action extends string> = (key: string) => Action | undefined;

/** The bindings of a table as it stands. */
export function defaultActionOf<Action extends string>(
  actions: Readonly<Record<Action, { readonly keys: readonly string[] }>>,
): ActionOf<Action> {
  const byKey = new Map<string, Action>();
  for (const action in actions) for (const key of actions[action].keys) byKey.set(key, action);
  return (key) => byKey.get(key);
}
