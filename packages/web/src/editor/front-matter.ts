// Front matter: what stands between two lines of dashes at the very start of a Markdown file is data. Markdown itself takes
// its last line for a heading, so its lines are marked, and drawn as plain text.

import { type EditorState, type Extension, StateField, type Text } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";

/** Beyond it, two lines of dashes are two rules. */
const mostLines = 200;

const line = Decoration.line({ class: "front-matter" });

/** The number of its last line; 0 where there is none. */
export function frontMatterEnd(text: Text): number {
  if (text.line(1).text.trimEnd() !== "---") return 0;
  for (let number = 2; number <= Math.min(text.lines, mostLines); number += 1) {
    if (/^(---|\.\.\.)\s*$/.test(text.line(number).text)) return number;
  }
  return 0;
}

export function frontMatter(isMarkdown: () => boolean): Extension {
  const draw = ({ doc }: EditorState): DecorationSet => {
    const end = isMarkdown() ? frontMatterEnd(doc) : 0;
    return Decoration.set(Array.from({ length: end }, (_, index) => line.range(doc.line(index + 1).from)));
  };
  return StateField.define<DecorationSet>({
    create: draw,
    update: (drawn, { docChanged, state }) => (docChanged ? draw(state) : drawn),
    provide: (field) => EditorView.decorations.from(field),
  });
}
