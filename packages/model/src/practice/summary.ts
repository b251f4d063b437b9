// An extractive summary: the sentences whose words matter most in the whole text, in the order in which they stand. The
// first sentence is always among them. A word weighs by how often it occurs; short and common words weigh nothing.

import { fencedLines } from "./headings.ts";
import { sentencesOf } from "./words.ts";

const common = new Set(
  "that this with from they them their there then than have been were what when which while would could should about after before into your because other more some such only over also very just does will each where here said".split(
    " ",
  ),
);
const maxSentences = 5;

export function summaryOf(lines: readonly string[]): readonly string[] {
  const sentences = [...new Set(paragraphsOf(lines).flatMap(sentencesOf))];
  const weights = new Map<string, number>();
  for (const word of sentences.flatMap(contentWords)) weights.set(word, (weights.get(word) ?? 0) + 1);
  const scored = sentences.map((sentence, index) => {
    const words = new Set(contentWords(sentence));
    const weight = [...words].reduce((sum, word) => sum + (weights.get(word) ?? 0), 0);
    return {
      sentence,
      index,
      score: index === 0 ? Number.POSITIVE_INFINITY : weight / Math.sqrt(words.size + 3),
    };
  });
  const wanted = Math.min(maxSentences, Math.max(3, Math.ceil(sentences.length / 10)));
  const best = scored
    .toSorted((one, other) => other.score - one.score || one.index - other.index)
    .slice(0, wanted);
  return best.toSorted((one, other) => one.index - other.index).map(({ sentence }) => sentence);
}

/** Running text only: headings, fenced blocks and rules have no sentences. */
function paragraphsOf(lines: readonly string[]): string[] {
  const fenced = fencedLines(lines);
  const paragraphs: string[] = [];
  let open = "";
  const close = () => {
    if (open !== "") paragraphs.push(open);
    open = "";
  };
  for (const [index, line] of lines.entries()) {
    const text = line.trim();
    const item = /^(?:[-*+]|\d+[.)])\s+(.*)$/.exec(text);
    if (text === "" || fenced.has(index) || /^#{1,6}\s|^[-=*_]{3,}$/.test(text)) close();
    else if (item !== null) {
      close();
      open = item[1] ?? "";
    } else open = open === "" ? text : `${open} ${text}`;
  }
  close();
  return paragraphs;
}

function contentWords(sentence: string): string[] {
  const words = sentence.toLowerCase().match(/[\p{L}\p{M}]{4,}/gu) ?? [];
  return words.filter((word) => !common.has(word));
}
