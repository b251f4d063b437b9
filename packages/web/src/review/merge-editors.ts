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
import { nonce } from "../editor/extensions.ts";
import { fileKindOf } from "../editor/file-kind.ts";
import { languageOf } from "../editor/languages.ts";
import { editorLook } from "../editor/look.ts";
import { changedRanges, type Sides } from "./diff-sides.ts";

export interface ShownDiff {
  /** How many places differ. */
  readonly count: number;
  go(step: 1 | -1): void;
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
const collapseUnchanged = { margin: 3, minSize: 6 };

export async function showMerge(parent: HTMLElement, options: DiffOptions): Promise<ShownDiff> {
  const { sides, style, name } = options;
  const isLong = sides.before.length + sides.after.length > maxColoured;
  const language = isLong ? undefined : await languageOf(name);
  const extensions = (label: string): Extension => [
    EditorView.cspNonce.of(nonce),
    editorLook,
    EditorView.editorAttributes.of({ class: fileKindOf(name) === "prose" ? "is-prose" : "is-code" }),
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

function shown(view: EditorView, count: number, destroy: () => void): ShownDiff {
  return {
    count,
    go: (step) => {
      (step === 1 ? goToNextChunk : goToPreviousChunk)(view);
      view.focus();
    },
    destroy,
  };
}
