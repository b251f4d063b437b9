// An edit takes whole characters away and brings whole ones. What a browser or an input method puts in the place of an emoji
// is reported as the half in which the two differ; no file could hold that half, so the server would refuse it, and with it
// everything that is typed afterwards.

import { type ChangeSpec, EditorState, Text } from "@codemirror/state";

export const wholeCharacters = EditorState.transactionFilter.of((transaction) => {
  if (!transaction.docChanged) return transaction;
  const { newDoc, changes } = transaction;
  const mends: ChangeSpec[] = [];
  changes.iterChanges((_fromA, _toA, fromB, toB, inserted) => {
    const from = isHigh(unitAt(newDoc, fromB - 1)) ? fromB - 1 : fromB;
    const to = isLow(unitAt(newDoc, toB)) ? toB + 1 : toB;
    if (from === fromB && to === toB && isWhole(inserted)) return;
    // A half that is left alone goes, too.
    const whole = newDoc.sliceString(from, to).replace(/\p{Surrogate}/gu, "");
    mends.push({ from, to, insert: Text.of(whole.split("\n")) });
  });
  return mends.length === 0 ? transaction : [transaction, { changes: mends, sequential: true }];
});

function unitAt(text: Text, at: number): number {
  return at < 0 ? Number.NaN : text.sliceString(at, at + 1).charCodeAt(0);
}

function isWhole(text: Text): boolean {
  for (const part of text.iter()) if (!part.isWellFormed()) return false;
  return true;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}
