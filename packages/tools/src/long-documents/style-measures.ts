// Style: what analysers observe, beside what can be counted.

import type { Style } from "./analysis-kinds.ts";
import { type Analysis, count, list, markdown } from "./analysis-reports.ts";
import type { SourceDocument } from "./document-chunks.ts";

export interface StyleMeasures {
  readonly words: number;
  readonly sentences: number;
  readonly words_per_sentence: number;
  readonly paragraphs: number;
  /** Of all characters, how many are between quotation marks. */
  readonly dialogue_share: number;
}

export function measureStyle(text: string): StyleMeasures {
  const paragraphs = text.split(/\n[^\S\n]*\n\s*/).filter((paragraph) => paragraph.trim() !== "");
  let words = 0;
  let sentences = 0;
  let quoted = 0;
  let length = 0;
  for (const paragraph of paragraphs) {
    length += paragraph.length;
    words += paragraph.match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu)?.length ?? 0;
    sentences += Math.max(1, paragraph.match(/[.!?…]+["”’')\]_]*(?=\s|$)/g)?.length ?? 0);
    for (const [speech] of paragraph.matchAll(/“[^”]*(?:”|$)|"[^"]*"|«[^»]*»/g)) quoted += speech.length;
  }
  const round = (value: number, digits: number) => Number(value.toFixed(digits));
  return {
    words,
    sentences,
    words_per_sentence: sentences === 0 ? 0 : round(words / sentences, 1),
    paragraphs: paragraphs.length,
    dialogue_share: length === 0 ? 0 : round(quoted / length, 3),
  };
}

export function finishStyle(style: Style, { title, text }: SourceDocument): Analysis {
  const measures = measureStyle(text.toString());
  const { features, ...observed } = style;
  const share = `${Math.round(measures.dialogue_share * 100)} %`;
  return {
    summary: `${count(measures.words, "word")}, ${measures.words_per_sentence} words per sentence, ${share} dialogue. Tone: ${style.tone.replace(/\.$/, "")}.`,
    details: { ...style, measures },
    report: markdown([
      `# Style of ${title}`,
      list(Object.entries(observed).map(([name, value]) => `**${capitalised(name)}**: ${value}`)),
      "## Counted",
      list([
        `Words: ${measures.words.toLocaleString("en-US")}`,
        `Sentences: ${measures.sentences.toLocaleString("en-US")}`,
        `Words per sentence: ${measures.words_per_sentence}`,
        `Paragraphs: ${measures.paragraphs.toLocaleString("en-US")}`,
        `Dialogue: ${share} of the text`,
      ]),
      "## Features",
      list(features),
    ]),
  };
}

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");
}
