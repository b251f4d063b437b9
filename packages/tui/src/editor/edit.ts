// The actions that work on a text alone, whether it has one line or many.

import type { EditorAction } from "./editor-keys.ts";
import type { EditorText } from "./editor-text.ts";

const edits: Partial<Record<EditorAction, (text: EditorText) => void>> = {
  "editor.cursor.left": (text) => text.move("left"),
  "editor.cursor.right": (text) => text.move("right"),
  "editor.cursor.wordLeft": (text) => text.move("wordLeft"),
  "editor.cursor.wordRight": (text) => text.move("wordRight"),
  "editor.cursor.lineStart": (text) => text.move("lineStart"),
  "editor.cursor.lineEnd": (text) => text.move("lineEnd"),
  "editor.cursor.textStart": (text) => text.move("textStart"),
  "editor.cursor.textEnd": (text) => text.move("textEnd"),
  "editor.delete.left": (text) => text.delete("left"),
  "editor.delete.right": (text) => text.delete("right"),
  "editor.kill.lineEnd": (text) => text.kill("lineEnd"),
  "editor.kill.lineStart": (text) => text.kill("lineStart"),
  "editor.kill.wordLeft": (text) => text.kill("wordLeft"),
  "editor.kill.wordRight": (text) => text.kill("wordRight"),
  "editor.kill.blankWordLeft": (text) => text.kill("blankWordLeft"),
  "editor.yank": (text) => text.yank(),
  "editor.yankPop": (text) => text.yankPop(),
  "editor.undo": (text) => text.undo(),
  "editor.redo": (text) => text.redo(),
};

/** False for an action that needs more than a text: rows, a past, somebody who takes it. */
export function edit(text: EditorText, action: EditorAction): boolean {
  const run = edits[action];
  run?.(text);
  return run !== undefined;
}
