// Everything that an editor of a document can do.

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, codeFolding, foldKeymap, indentOnInput } from "@codemirror/language";
import { search, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import {
  crosshairCursor,
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  rectangularSelection,
} from "@codemirror/view";
import { inlineReview } from "../review/inline-review.ts";
import { findTools } from "./find-tools.ts";
import { frontMatter } from "./front-matter.ts";
import { lineEnds, mixesLineEnds } from "./line-ends.ts";
import { editorLook } from "./look.ts";
import type { OpenDocument } from "./open-document.ts";
import { wholeCharacters } from "./whole-characters.ts";

export const nonce =
  globalThis.document?.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? "";

/** The words of the editor's own controls. */
const phrases = EditorState.phrases.of({
  Find: "Find",
  Replace: "Replace with",
  next: "Next",
  previous: "Previous",
  all: "Select all",
  "match case": "Match case",
  regexp: "Pattern",
  "by word": "Whole words",
  replace: "Replace",
  "replace all": "Replace all",
  close: "Close the search",
});

/** Of the search, all but its keys for the next match, which go to a line here. F3 finds on. */
const searchKeys = searchKeymap.filter(
  ({ key }) => key !== "Mod-g" && key !== "Mod-Alt-g" && key !== "Mod-f",
);

/** `text` is what the document has when it is opened. */
export function editorExtensions(document: OpenDocument, text: string): Extension {
  return [
    EditorView.cspNonce.of(nonce),
    editorLook,
    phrases,
    history(),
    drawSelection(),
    dropCursor(),
    EditorState.allowMultipleSelections.of(true),
    rectangularSelection(),
    crosshairCursor(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    bracketMatching(),
    indentOnInput(),
    codeFolding(),
    search({ top: true }),
    findTools,
    frontMatter(() => /\.(md|markdown)$/i.test(document.name)),
    lineEnds(mixesLineEnds(text)),
    wholeCharacters,
    // What no file could hold would be refused with everything that is typed after it.
    EditorView.clipboardInputFilter.of((pasted) => pasted.replaceAll("\0", "").toWellFormed()),
    // Tab belongs to the text; after Escape it leaves the editor.
    keymap.of([...searchKeys, ...foldKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab]),
    inlineReview(document),
  ];
}
