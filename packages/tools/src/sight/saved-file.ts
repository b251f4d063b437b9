// What the model was shown of one document, to and from the form in which a session keeps it.

import type { Text } from "@codemirror/state";
import { isFault } from "@stet/protocol/fault";
import { hashText } from "@stet/text/hash";
import { type History, textAt } from "@stet/text/history";
import type { SavedSightFile, SavedText } from "./saved-sight.ts";
import type { FileSight } from "./sight.ts";

/** Of the revisions that were shown so many are kept. */
const maxTexts = 9;

export function savedFileOf(path: string, file: FileSight): SavedSightFile {
  const shownTexts = new Map(file.showings.map(({ text, revision }) => [text, revision]));
  const texts = [[file.text, file.revision] as const, ...[...shownTexts].slice(-maxTexts)];
  const shown = file.showings.flatMap(({ text, from, to, version = "" }) => {
    const index = texts.findLastIndex(([other]) => other === text);
    return index < 0 ? [] : [[index, from, to, version] as const];
  });
  const numbered = file.numbered.flatMap(({ number, line, count, isMoved, isDoubtful }) =>
    line === undefined ? [] : [[number, line, count, isMoved ? 1 : 0, isDoubtful ? 1 : 0] as const],
  );
  return {
    path,
    texts: texts.map(([text, revision]) => ({ revision, length: text.length, hash: hashOf(text) })),
    numbered,
    known: file.known.map(({ from, to }) => [from, to] as const),
    shown,
  };
}

/** Nothing where the text cannot be found in the history any more. */
export function restoredFile(saved: SavedSightFile, history: History): Partial<FileSight> {
  const found = saved.texts.map((text) => {
    const revision = revisionOf(history, text.revision, isSaved(text));
    const there = revision === undefined ? undefined : textAt(history, revision);
    return revision === undefined || there === undefined || isFault(there)
      ? undefined
      : { revision, text: there };
  });
  const [counted] = found;
  if (counted === undefined) return {};
  return {
    ...counted,
    numbered: saved.numbered.map(([number, line, count, isMoved, isDoubtful]) => {
      return { number, line, count, isMoved: isMoved === 1, isDoubtful: isDoubtful === 1 };
    }),
    known: saved.known.map(([from, to]) => ({ from, to })),
    showings: saved.shown.flatMap(([index, from, to, version]) => {
      const text = found[index];
      return text === undefined
        ? []
        : [{ batch: "", ...text, from, to, version: version === "" ? undefined : version }];
    }),
  };
}

/** The revision of a history that has this text: the one it had when it was seen, or else the newest such one. */
export function revisionOf(
  history: History,
  likely: number,
  isText: (text: Text) => boolean,
): number | undefined {
  const there = textAt(history, likely);
  if (!isFault(there) && isText(there)) return likely;
  if (isText(history.text)) return history.revision;
  const next = history.changes.findLast(({ before }) => isText(before));
  return next === undefined ? undefined : next.revision - 1;
}

function isSaved({ length, hash }: SavedText): (text: Text) => boolean {
  return (text) => text.length === length && hashOf(text) === hash;
}

const hashes = new WeakMap<Text, string>();

function hashOf(text: Text): string {
  const known = hashes.get(text) ?? hashText(text.toString());
  hashes.set(text, known);
  return known;
}
