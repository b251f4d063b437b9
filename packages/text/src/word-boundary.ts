// Where a word begins or ends, for "whole word" searches.
//
// Between two word characters (letters, marks, numbers and connectors like "_") there is no boundary; everywhere
// else there is. So "Ahab" is a whole word in "Ahab's" and "Ahab-like", and not in "Ahabs". Scripts that put no
// space between words would have no boundaries at all by this rule; there Unicode's word segmentation decides.

const wordCharacter = /^[\p{L}\p{M}\p{N}\p{Pc}]$/u;
const unspacedScript =
  /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]$/u;

let segmenter: Intl.Segmenter | undefined;

/** Tells for positions in the content whether a word may begin or end there. */
export function boundaryFinder(content: string): (position: number) => boolean {
  let lineFrom = 0;
  let lineTo = -1;
  let segments: Intl.Segments | undefined;

  function isSegmentBoundary(position: number): boolean {
    if (segments === undefined || position < lineFrom || position > lineTo) {
      lineFrom = content.lastIndexOf("\n", position - 1) + 1;
      lineTo = content.indexOf("\n", position);
      if (lineTo < 0) lineTo = content.length;
      // Making one takes 20 ms, and only scripts without spaces need it.
      segmenter ??= new Intl.Segmenter("en", { granularity: "word" });
      segments = segmenter.segment(content.slice(lineFrom, lineTo));
    }
    return segments.containing(position - lineFrom)?.index === position - lineFrom;
  }

  return (position) => {
    if (position === 0 || position === content.length) return true;
    const before = characterBefore(content, position);
    const after = String.fromCodePoint(content.codePointAt(position) ?? 0);
    if (!wordCharacter.test(before) || !wordCharacter.test(after)) return true;
    return (unspacedScript.test(before) || unspacedScript.test(after)) && isSegmentBoundary(position);
  };
}

function characterBefore(content: string, position: number): string {
  const unit = content.charCodeAt(position - 1);
  const isLowSurrogate = unit >= 0xdc00 && unit < 0xe000;
  return content.slice(position - (isLowSurrogate ? 2 : 1), position);
}
