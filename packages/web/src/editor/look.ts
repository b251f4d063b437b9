// How text looks in an editor. Only names of styles/tokens.css; any editor of the page can use it.

import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const selected =
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground";

const frame = EditorView.theme({
  "&": {
    blockSize: "100%",
    backgroundColor: "var(--paper)",
    color: "var(--ink)",
    fontSize: "var(--editor-size, 15px)",
  },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--font-code)", lineHeight: "1.6", overflow: "auto" },
  // The last line can be brought to the middle.
  ".cm-content": { padding: "0.75rem 0 40vh", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0 1rem 0 0.5rem" },
  "&.is-prose .cm-scroller": {
    fontFamily: "var(--font-prose)",
    fontSize: "1.15em",
    lineHeight: "1.7",
  },
  "&.is-prose .cm-content": { padding: "2rem 0 40vh", maxInlineSize: "46rem", marginInlineEnd: "auto" },
  "&.is-prose .cm-content:not(.cm-lineWrapping)": { maxInlineSize: "none" },
  "&.is-prose .cm-line": { padding: "0 1.25rem" },
  ".cm-line.front-matter, .cm-line.front-matter span": {
    color: "var(--ink-soft)",
    fontWeight: "400",
    fontSize: "0.92em",
    lineHeight: "inherit",
  },
  ".cm-line.front-matter span": { fontSize: "inherit" },
  "&.is-locked, &.is-locked .cm-gutters": { backgroundColor: "var(--surface)" },
  "&.is-locked .cm-content": { cursor: "default" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--ink)", borderLeftWidth: "2px" },
  [selected]: { backgroundColor: "var(--selection)" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--active-line) 60%, transparent)" },
  "&:not(.cm-focused) .cm-activeLine": { backgroundColor: "transparent" },
  ".cm-gutters": {
    backgroundColor: "var(--paper)",
    color: "var(--ink-faint)",
    border: "none",
    fontFamily: "var(--font-code)",
  },
  // The column is in the middle together with its gutters, so that what marks a line stands beside the line.
  "&.is-prose .cm-gutters": { fontSize: "0.8em", marginInlineStart: "auto" },
  ".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--ink)" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 0.25rem 0 1rem", minInlineSize: "2.5rem" },
  ".cm-foldGutter .cm-gutterElement": { padding: "0 0.25rem", cursor: "pointer", opacity: "0" },
  ".cm-gutters:hover .cm-foldGutter .cm-gutterElement": { opacity: "1" },
  ".cm-foldGutter .cm-gutterElement:has([title='Unfold line'])": { opacity: "1" },
  ".cm-foldPlaceholder": {
    backgroundColor: "var(--sunken)",
    border: "1px solid var(--line)",
    borderRadius: "var(--radius)",
    color: "var(--ink-soft)",
    padding: "0 0.5ch",
    margin: "0 0.25ch",
  },
  ".cm-selectionMatch": { backgroundColor: "var(--accent-soft)" },
  "&.cm-focused .cm-matchingBracket": {
    backgroundColor: "var(--accent-soft)",
    outline: "1px solid var(--accent)",
  },
  "&.cm-focused .cm-nonmatchingBracket": { backgroundColor: "var(--removed-soft)" },
  ".cm-searchMatch": {
    backgroundColor: "var(--waiting-soft)",
    outline: "1px solid color-mix(in srgb, var(--waiting) 55%, transparent)",
  },
  ".cm-searchMatch-selected": { backgroundColor: "var(--waiting)", color: "var(--paper)" },
  ".cm-searchMatch-selected *": { color: "var(--paper)" },
  ".cm-specialChar": { color: "var(--ink-faint)" },
});

const heading = { color: "var(--syntax-heading)", fontWeight: "600" };

/** Headings stand out by size, as on paper; signs of Markdown step back. */
const colours = HighlightStyle.define([
  { tag: tags.heading, ...heading },
  { tag: tags.heading1, ...heading, fontSize: "1.55em", lineHeight: "1.4" },
  { tag: tags.heading2, ...heading, fontSize: "1.3em", lineHeight: "1.4" },
  { tag: tags.heading3, ...heading, fontSize: "1.12em" },
  { tag: tags.strong, fontWeight: "700" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.strikethrough, textDecoration: "line-through" },
  { tag: tags.monospace, fontFamily: "var(--font-code)", fontSize: "0.9em" },
  { tag: [tags.link, tags.url], color: "var(--syntax-name)", textDecoration: "underline" },
  { tag: tags.quote, color: "var(--ink-soft)", fontStyle: "italic" },
  { tag: [tags.processingInstruction, tags.contentSeparator], color: "var(--ink-faint)", fontWeight: "400" },
  {
    tag: [tags.keyword, tags.operatorKeyword, tags.modifier, tags.bool, tags.null],
    color: "var(--syntax-keyword)",
  },
  {
    tag: [tags.string, tags.special(tags.string), tags.regexp, tags.inserted],
    color: "var(--syntax-string)",
  },
  { tag: [tags.comment, tags.meta], color: "var(--syntax-comment)", fontStyle: "italic" },
  { tag: [tags.number, tags.escape, tags.atom, tags.color, tags.unit], color: "var(--syntax-number)" },
  {
    tag: [tags.propertyName, tags.definition(tags.variableName), tags.function(tags.variableName)],
    color: "var(--syntax-name)",
  },
  {
    tag: [tags.typeName, tags.className, tags.namespace, tags.tagName, tags.labelName],
    color: "var(--syntax-heading)",
  },
  { tag: tags.attributeName, color: "var(--syntax-name)" },
  { tag: [tags.invalid, tags.deleted], color: "var(--removed)" },
]);

export const editorLook: Extension = [frame, syntaxHighlighting(colours)];
