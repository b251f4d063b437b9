// A long document in chunks that a subagent can take in: along its sections, each within the budget, with some sentences of
// what stands before. Up to 20,000 characters it stays in one piece.

import type { Text } from "@codemirror/state";
import { Fault } from "@stet/protocol/fault";
import { countLines } from "@stet/text/lines";
import type { OutlineItem } from "@stet/text/outline/outline";
import type { Chunk } from "@stet/text/sentences/chunks";

export interface SourceDocument {
  readonly title: string;
  readonly text: Text;
  readonly fileType: string;
}

export const singlePieceLength = 20_000;
/** Of the budget, for sentences that stand before a chunk. */
const overlapShare = 1 / 20;

/** A document is often worked on several times in a turn, and cutting a novel takes a while. */
const known = new WeakMap<Text, { readonly key: string; readonly chunks: readonly Chunk[] }>();

export async function chunksOf(
  { text, fileType }: SourceDocument,
  budget: number,
): Promise<readonly Chunk[]> {
  if (text.length <= singlePieceLength) return [wholeDocument(text)];
  const key = `${fileType} ${budget}`;
  const before = known.get(text);
  if (before?.key === key) return before.chunks;
  const [{ chunkDocument }, { outlineOf }, { loadTokenCounter }] = await Promise.all([
    import("@stet/text/sentences/chunks"),
    import("@stet/text/outline/outline"),
    import("../count-tokens.ts"),
  ]);
  const [{ outline }, count] = await Promise.all([outlineOf(text, fileType), loadTokenCounter()]);
  const overlap = Math.floor(budget * overlapShare);
  const measure = measureFor(text, count);
  const chunks = chunkDocument(text, { budget, measure, overlap, sections: sectionsOf(outline) });
  known.set(text, { key, chunks });
  return chunks;
}

const countedLength = 100_000;
const samples = 64;
const sampleLength = 1024;
const quantile = 0.9;

/**
 * Tokens, counted in a document of moderate length. In a longer one they are estimated from its length, by what samples of
 * it have: nine of ten passages have fewer, and a budget for subagents need not be exact.
 */
export function measureFor(text: Text, count: (text: string) => number): (text: string) => number {
  if (text.length <= countedLength) return count;
  const ratios = Array.from({ length: samples }, (_, index) => {
    const from = Math.floor((index * (text.length - sampleLength)) / (samples - 1));
    return count(text.sliceString(from, from + sampleLength)) / sampleLength;
  });
  ratios.sort((one, other) => one - other);
  const ratio = ratios[Math.floor(samples * quantile)] ?? 1;
  return (part) => Math.ceil(part.length * ratio);
}

/** Where sections begin. Mere blank lines are no structure; the chunker knows them itself. */
function sectionsOf(items: readonly OutlineItem[]): { line: number; title: string }[] {
  const sections = items.flatMap(({ title, line_start, detected_by, children = [] }) => {
    const own = detected_by === "paragraph_break" ? [] : [{ line: line_start, title }];
    return [...own, ...sectionsOf(children)];
  });
  return sections.toSorted((one, other) => one.line - other.line);
}

function wholeDocument(text: Text): Chunk {
  const endLine = Math.max(0, countLines(text) - 1);
  const whole = { index: 0, from: 0, to: text.length, startLine: 0, endLine };
  return { ...whole, text: text.toString(), before: "", heading: "" };
}

/** How people are told of a chunk: "part 3 of 40 (CHAPTER IV)". */
export function chunkName({ index, heading }: Chunk, chunks: readonly Chunk[]): string {
  if (chunks.length === 1) return "the document";
  const where = heading === "" ? "" : ` (${heading})`;
  return `part ${index + 1} of ${chunks.length}${where}`;
}

export function emptyFault({ title, text }: SourceDocument): Fault | undefined {
  for (const line of text.iterLines()) if (line.trim() !== "") return undefined;
  return new Fault("content_required", `${title} is empty.`, "Choose a document that has text.");
}
