// Results of an analysis as three things: a sentence for the model, details for programs, a report for people.

import { cutText } from "@stet/protocol/cut-text";
import type { Custom, Plot, Summary } from "./analysis-kinds.ts";
import type { SourceDocument } from "./document-chunks.ts";

export interface Analysis {
  /** A sentence or two. */
  readonly summary: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** Markdown, for the output tab. */
  readonly report: string;
}

export function finishPlot({ synopsis, threads, events }: Plot, { title }: SourceDocument): Analysis {
  const counted = `Found ${count(threads.length, "plot thread")} and ${count(events.length, "event")}.`;
  return {
    summary: `${counted} ${firstSentence(synopsis)}`,
    details: { synopsis, threads, events },
    report: markdown([
      `# Plot of ${title}`,
      synopsis,
      "## Threads",
      list(threads.map((thread) => `**${thread.title}**: ${thread.description}`)),
      "## Events",
      list(events.map(({ what, where }) => (where === "" ? what : `${what} (${where})`))),
    ]),
  };
}

export function finishSummary({ summary, key_points }: Summary, { title }: SourceDocument): Analysis {
  return {
    summary: firstSentence(summary),
    details: { summary, key_points },
    report: markdown([`# Summary of ${title}`, summary, "## Key points", list(key_points)]),
  };
}

export function finishCustom({ answer, findings }: Custom, { title }: SourceDocument): Analysis {
  return {
    summary: firstSentence(answer),
    details: { answer, findings },
    report: markdown([`# Analysis of ${title}`, answer, "## Findings", list(findings)]),
  };
}

/** Blocks with a blank line between them; a heading over nothing is left out. */
export function markdown(blocks: readonly string[]): string {
  const kept = blocks.filter((block, index) => {
    if (block === "") return false;
    return !block.startsWith("## ") || (blocks[index + 1] ?? "") !== "";
  });
  return `${kept.join("\n\n")}\n`;
}

export function list(items: readonly string[]): string {
  return items.map((item) => `- ${item.replace(/\s*\n\s*/g, " ")}`).join("\n");
}

export function count(number: number, noun: string): string {
  return `${number.toLocaleString("en-US")} ${noun}${number === 1 ? "" : "s"}`;
}

const longestSummary = 300;

function firstSentence(text: string): string {
  const flat = text.replace(/\s+/g, " ").trim();
  const end = /[.!?…]["”’)]?(?= \p{Lu}|$)/u.exec(flat);
  const sentence = end === null ? flat : flat.slice(0, end.index + end[0].length);
  return cutText(sentence, longestSummary);
}
