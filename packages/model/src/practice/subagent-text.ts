// Plot, summary and style without understanding: sentences that carry the most frequent words, and what can be counted.

import type { SubagentMaterial } from "./subagent-material.ts";
import { summaryOf } from "./summary.ts";

interface Part<T> {
  readonly part: string;
  readonly result: T;
}

const nothingToQuote = "There are no sentences in this text.";

export function summaryResult({ document }: SubagentMaterial): Record<string, unknown> {
  return asSummary(mainSentences(document));
}

export function mergedSummary({ document }: SubagentMaterial): Record<string, unknown> {
  const parts = JSON.parse(document) as Part<{ key_points: string[] }>[];
  return asSummary(
    spread(
      parts.flatMap(({ result }) => result.key_points),
      12,
    ),
  );
}

function asSummary(sentences: readonly string[]): Record<string, unknown> {
  const shown = sentences.length === 0 ? [nothingToQuote] : sentences;
  return { summary: spread(shown, 4).join(" "), key_points: [...sentences] };
}

interface PlotEvent {
  readonly what: string;
  readonly where: string;
}

export function plotOf({ document, task }: SubagentMaterial): Record<string, unknown> {
  const where = typeof task.section === "string" ? task.section : "";
  return asPlot(mainSentences(document).map((what) => ({ what, where })));
}

export function mergedPlot({ document }: SubagentMaterial): Record<string, unknown> {
  const parts = JSON.parse(document) as Part<{ events: PlotEvent[] }>[];
  return asPlot(
    spread(
      parts.flatMap(({ result }) => result.events),
      30,
    ),
  );
}

function asPlot(events: readonly PlotEvent[]): Record<string, unknown> {
  const told = spread(
    events.map(({ what }) => what),
    4,
  );
  return {
    synopsis: (told.length === 0 ? [nothingToQuote] : told).join(" "),
    threads: [],
    events: [...events],
  };
}

const fewestWords = 5;
const heading = /^\s*(?:chapter|book|part|act|scene)\s+(?:\d+|[ivxlc]+)\b/i;

/** Headings are no sentences, also where a plain text marks them by nothing but their words. */
function mainSentences(document: string): string[] {
  const lines = document.split("\n").filter((line) => !heading.test(line));
  const prose = lines.filter((line) => line.trim() === "" || line !== line.toUpperCase());
  const sentences = summaryOf(prose).map(tidied);
  return sentences.filter((sentence) => sentence.split(" ").length >= fewestWords);
}

/** At most so many, from beginning to end. */
function spread<T>(items: readonly T[], most: number): T[] {
  if (items.length <= most) return [...items];
  return Array.from({ length: most }, (_, index) => items[Math.floor((index * items.length) / most)] as T);
}

function tidied(sentence: string): string {
  return sentence.replace(/\s+/g, " ").trim();
}

const fields = ["point_of_view", "tense", "tone", "sentences", "vocabulary", "dialogue"] as const;
type Style = Record<(typeof fields)[number], string>;

export function styleOf({ document }: SubagentMaterial): Record<string, unknown> {
  const speech = document.match(/“[^”\n]*(?:\n[^”\n]+)*”?|"[^"\n]*(?:\n[^"\n]+)*"/g) ?? [];
  const narration = document.replace(/“[^”]*”|"[^"]*"/g, " ");
  const words = narration.match(/[\p{L}\p{M}]+/gu) ?? [];
  const sentences = Math.max(1, document.match(/[.!?…]+["”’')]*(?=\s|$)/g)?.length ?? 1);
  const count = (pattern: RegExp) => words.filter((word) => pattern.test(word)).length;
  const first = count(/^(?:I|me|my|we|us|our)$/i);
  const third = count(/^(?:he|she|him|her|his|they|them|their)$/i);
  const past = count(/^(?:was|were|had|did|said)$/i);
  const present = count(/^(?:is|are|has|does|says)$/i);
  const quoted = speech.join("").length / Math.max(1, document.length);
  const wordsEach = (document.match(/[\p{L}\p{M}]+/gu)?.length ?? 0) / sentences;
  const letters = words.join("").length / Math.max(1, words.length);
  const style: Style = {
    point_of_view: first * 2 > third ? "First person." : "Third person.",
    tense: past >= present ? "Past tense." : "Present tense.",
    tone: "Not judged: the practice model only counts.",
    sentences:
      wordsEach > 22
        ? "Long sentences."
        : wordsEach > 12
          ? "Sentences of middling length."
          : "Short sentences.",
    vocabulary: letters > 4.7 ? "Many long words." : letters > 4 ? "Ordinary words." : "Mostly short words.",
    dialogue: quoted > 0.4 ? "Mostly dialogue." : quoted > 0.1 ? "Some dialogue." : "Hardly any dialogue.",
  };
  return { ...style, features: [] };
}

export function mergedStyle({ document }: SubagentMaterial): Record<string, unknown> {
  const parts = JSON.parse(document) as Part<Style>[];
  const merged = fields.map((field) => [field, mostCommon(parts.map(({ result }) => result[field]))]);
  return { ...Object.fromEntries(merged), features: [] };
}

function mostCommon(values: readonly string[]): string {
  const groups = [...Map.groupBy(values, (value) => value)];
  return groups.toSorted((one, other) => other[1].length - one[1].length)[0]?.[0] ?? "";
}
