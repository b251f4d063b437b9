// What is open in a document, drawn into its text.
//
// Removed lines are blocks between lines, so they change the height of the document and are known for all hunks at once;
// everything else is drawn only where it is seen.

import { redo, undo } from "@codemirror/commands";
import {
  type EditorState,
  type Extension,
  type Range,
  RangeSet,
  StateEffect,
  StateField,
  type Transaction,
} from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  GutterMarker,
  gutter,
  type PluginValue,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";
import { type OpenDocument, remote } from "../editor/open-document.ts";
import { actsWanted, decisionHistory } from "./decision-history.ts";
import { HunkBars } from "./hunk-bars.ts";
import { addedWords, drawHunk, isDrawnByWord, type Look } from "./hunk-drawing.ts";
import { hunksBetween, rangesField, rangesIn, setRanges } from "./hunk-ranges.ts";
import { RemovedLines, RemovedWords } from "./inline-widgets.ts";
import { OpenReview } from "./open-review.ts";
import "./inline-review.css";

const look: Look = { removedWords: (text, isWhole) => new RemovedWords(text, isWhole) };

export function inlineReview(document: OpenDocument): Extension {
  const review = new OpenReview(document);
  // The document is still being put together.
  queueMicrotask(() => {
    document.onClose(review.start());
    document.onTransaction((transaction) => {
      act(review, transaction);
      follow(review, transaction);
    });
  });
  return [
    rangesField,
    removedLines(review),
    changedWords(review),
    changeBar(),
    ViewPlugin.define((view) => new HunkBars(view, review)),
    decisionHistory,
    ownWords,
  ];
}

/** Undo and redo ask the server; a step that would change nothing any more is passed over. */
function act(review: OpenReview, transaction: Transaction): void {
  const wanted = actsWanted(transaction);
  const acts = wanted.filter((each) => !review.decisions.isDone(each));
  for (const each of acts) void review.decisions.repeat(each);
  if (wanted.length === 0 || acts.length > 0 || transaction.docChanged) return;
  queueMicrotask(() => review.document.step(transaction.isUserEvent("undo") ? undo : redo));
}

function follow(review: OpenReview, { startState, state, selection }: Transaction): void {
  if (selection !== undefined || rangesIn(startState) !== rangesIn(state)) review.noteMove();
}

const toggleFold = StateEffect.define<string>();

interface RemovedBlocks {
  readonly unfolded: ReadonlySet<string>;
  readonly drawn: DecorationSet;
}

function removedLines(review: OpenReview): Extension {
  const unfold = (id: string) => review.document.dispatch({ effects: toggleFold.of(id) });
  const draw = (state: EditorState, unfolded: ReadonlySet<string>): RemovedBlocks => {
    const isProse = review.isProse();
    const blocks = rangesIn(state).hunks.flatMap((placed) => {
      const { hunk, from, isAtEnd } = placed;
      const isLarge = hunk.oversized_hunk === true;
      if (isDrawnByWord(placed, isProse) || (hunk.removed.length === 0 && !isLarge)) return [];
      const isUnfolded = !isLarge || unfolded.has(hunk.hunk_id);
      const widget = new RemovedLines(hunk.hunk_id, hunk.removed, isLarge, isUnfolded, unfold);
      return [Decoration.widget({ widget, block: true, side: isAtEnd ? 1 : -1 }).range(from)];
    });
    return { unfolded, drawn: Decoration.set(blocks, true) };
  };
  return StateField.define<RemovedBlocks>({
    create: (state) => draw(state, new Set()),
    update(blocks, transaction) {
      let { unfolded } = blocks;
      for (const effect of transaction.effects) {
        if (!effect.is(toggleFold)) continue;
        const next = new Set(unfolded);
        if (!next.delete(effect.value)) next.add(effect.value);
        unfolded = next;
      }
      const isOther = unfolded !== blocks.unfolded || transaction.effects.some((each) => each.is(setRanges));
      if (isOther) return draw(transaction.state, unfolded);
      return transaction.docChanged ? { unfolded, drawn: blocks.drawn.map(transaction.changes) } : blocks;
    },
    provide: (field) => EditorView.decorations.from(field, ({ drawn }) => drawn),
  });
}

const ownWord = Decoration.mark({ class: "review-own-words", inclusive: true });

/** Those that the cursor is at. */
const wordsHere = Decoration.mark({ class: "review-added-words review-here" });

function changedWords(review: OpenReview): Extension {
  const draw = ({ state, visibleRanges }: EditorView): DecorationSet => {
    const isProse = review.isProse();
    const placed = rangesIn(state);
    const seen = new Set<string>();
    const drawn = visibleRanges.flatMap((range) =>
      hunksBetween(placed, range.from, range.to).flatMap((each) => {
        const isByWord = isDrawnByWord(each, isProse);
        if (isByWord && seen.has(each.hunk.hunk_id)) return [];
        seen.add(each.hunk.hunk_id);
        return drawHunk(state.doc, each, isProse, look, range);
      }),
    );
    const { head } = state.selection.main;
    return RangeSet.of(
      drawn.map(({ from, to, value }) => {
        const isHere = value === addedWords && from <= head && head <= to;
        return (isHere ? wordsHere : value).range(from, to);
      }),
      true,
    );
  };
  class ChangedWords implements PluginValue {
    drawn: DecorationSet;

    constructor(view: EditorView) {
      this.drawn = draw(view);
    }

    update({ view, docChanged, viewportChanged, selectionSet, startState, state }: ViewUpdate): void {
      const isOther = rangesIn(startState) !== rangesIn(state);
      const isMoved = selectionSet && rangesIn(state).hunks.length > 0;
      if (docChanged || viewportChanged || isOther || isMoved) this.drawn = draw(view);
    }
  }
  return ViewPlugin.fromClass(ChangedWords, { decorations: ({ drawn }) => drawn });
}

/** What this window has typed into a change, distinguished from the agent's words as long as the document is open. */
const ownWords: Extension = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(words, transaction) {
    const placed = rangesIn(transaction.state);
    if (placed.hunks.length === 0) return Decoration.none;
    if (!transaction.docChanged) return words;
    const mapped = words.map(transaction.changes);
    if (transaction.annotation(remote) === true || transaction.isUserEvent("undo")) return mapped;
    const typed: Range<Decoration>[] = [];
    transaction.changes.iterChanges((_fromA, _toA, from, to) => {
      if (to > from && hunksBetween(placed, from, to).length > 0) typed.push(ownWord.range(from, to));
    });
    return mapped.update({ add: typed });
  },
  provide: (field) => EditorView.decorations.from(field),
});

class ChangeMarker extends GutterMarker {
  override readonly elementClass: string;

  constructor(elementClass: string) {
    super();
    this.elementClass = elementClass;
  }
}

const changedMarker = new ChangeMarker("review-changed");
const removedMarker = new ChangeMarker("review-removed");

function changeBar(): Extension {
  return gutter({
    class: "review-gutter",
    lineMarker(view, line) {
      const placed = hunksBetween(rangesIn(view.state), line.from, line.to);
      return placed.some(({ isEmpty }) => !isEmpty) ? changedMarker : null;
    },
    widgetMarker(_view, widget) {
      if (!(widget instanceof RemovedLines)) return null;
      return widget.isOfRemoved ? removedMarker : changedMarker;
    },
    lineMarkerChange: ({ startState, state }) => rangesIn(startState) !== rangesIn(state),
  });
}
