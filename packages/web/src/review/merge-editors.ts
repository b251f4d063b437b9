// Two texts side by side, or one within the other; read only.

import {
  Change,
  getChunks,
  goToNextChunk,
  goToPreviousChunk,
  MergeView,
  unifiedMergeView,
} from "@codemirror/merge";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { visible } from "@stet/protocol/visible";
import { nonce } from "../editor/extensions.ts";
import { fileKindOf } from "../editor/file-kind.ts";
import { languageOf } from "../editor/languages.ts";
import { editorLook } from "../editor/look.ts";
import { changedRanges, type Sides } from "./diff-sides.ts";

export interface OpenDiff {
  /** How many places differ. */
  readonly count: number;
  go(step: 1 | -1): void;
  /** Brings the first difference into sight, and the cursor to it. */
  showFirst(): void;
  destroy(): void;
}

export interface DiffOptions {
  readonly sides: Sides;
  readonly style: "split" | "unified";
  /** Of the file, for its language. */
  readonly name: string;
}

const diffConfig = {
  override: (before: string, after: string) =>
    changedRanges(before, after).map(({ fromA, toA, fromB, toB }) => new Change(fromA, toA, fromB, toB)),
};
/** Characters of both sides, above which the colours of a language would be waited for. */
const maxColoured = 1_000_000;
/** A line of prose is a paragraph, and one of them on each side says enough. */
const collapsed = { prose: { margin: 1, minSize: 3 }, code: { margin: 3, minSize: 6 } };

export async function showMerge(parent: HTMLElement, options: DiffOptions): Promise<OpenDiff> {
  const { style, name } = options;
  // It is only read, so what would turn text around or hide in it is part of the text.
  const sides: Sides = {
    ...options.sides,
    before: visible(options.sides.before),
    after: visible(options.sides.after),
  };
  const kind = fileKindOf(name) === "prose" ? "prose" : "code";
  const collapseUnchanged = collapsed[kind];
  const isLong = sides.before.length + sides.after.length > maxColoured;
  const language = isLong ? undefined : await languageOf(name);
  const extensions = (label: string): Extension => [
    EditorView.cspNonce.of(nonce),
    editorLook,
    EditorView.editorAttributes.of({ class: `is-${kind}` }),
    lineNumbers(),
    EditorView.lineWrapping,
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.contentAttributes.of({ tabindex: "0", "aria-label": label, "aria-readonly": "true" }),
    language ?? [],
  ];
  if (style === "split") {
    const merge = new MergeView({
      parent,
      a: { doc: sides.before, extensions: extensions("Before the open changes") },
      b: { doc: sides.after, extensions: extensions("With the open changes") },
      diffConfig,
      collapseUnchanged,
      gutter: true,
    });
    return shown(merge.b, merge.chunks.length, () => merge.destroy());
  }
  const view = new EditorView({
    parent,
    doc: sides.after,
    extensions: [
      extensions("Open changes"),
      unifiedMergeView({ original: sides.before, diffConfig, collapseUnchanged, mergeControls: false }),
    ],
  });
  return shown(view, getChunks(view.state)?.chunks.length ?? 0, () => view.destroy());
}

function shown(view: EditorView, count: number, destroy: () => void): OpenDiff {
  return {
    count,
    go: (step) => {
      (step === 1 ? goToNextChunk : goToPreviousChunk)(view);
      view.focus();
    },
    showFirst: () => {
      const first = getChunks(view.state)?.chunks[0];
      if (first === undefined) return;
      const anchor = Math.min(first.fromB, view.state.doc.length);
      view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    },
    destroy,
  };
}
