// A fetch that joins the deltas of one network packet before the provider's package parses them.
//
// A provider package spends 10 to 20 µs on each event of a stream, mostly on validating it. A fast server puts hundreds of
// events in one packet that differ in nothing but a few letters. Two neighbouring events are joined when they are the same,
// character by character, around the text of one delta; the text is joined in its JSON form, so nothing is parsed and
// nothing can be lost. Counters and padding that clients ignore may differ. Events are never held for a later packet, so
// nothing arrives later than without this; whatever does not look as expected passes through as it came.

import { LightResponse } from "../network/light-response.ts";
import { chunkRepair } from "./chunk-repair.ts";
import type { Family } from "./family.ts";

/** What stands right before the text of a delta, up to and with its opening quote. */
const markers: Readonly<Record<Family, readonly string[]>> = {
  "openai-chat": chatMarkers(),
  "openai-compatible": chatMarkers(),
  "azure-chat": chatMarkers(),
  openrouter: chatMarkers(),
  groq: chatMarkers(),
  mistral: chatMarkers(),
  deepseek: chatMarkers(),
  "openai-responses": ['"delta":"'],
  azure: ['"delta":"'],
  xai: ['"delta":"'],
  anthropic: anthropicMarkers(),
  google: geminiMarkers(),
  vertex: [...anthropicMarkers(), ...geminiMarkers()],
  // Not streams of events in text.
  bedrock: [],
  ollama: [],
  other: [],
};

/** Another text of the same event, which would be lost. */
const otherDelta = /"(?:content|reasoning|reasoning_content|arguments|text|thinking|summary|data)":"[^"]/;

const ignored = /"sequence_number":\d+|"obfuscation":"[^"\\]*"/g;

/** A buffered piece without an end of event is flushed at this size. */
const maxRemainder = 1_000_000;

/** Bytes of an answer: several times the longest that a model can write, in the wordiest format. */
export const maxAnswerBytes = 256_000_000;

/** How long a connection stays open that the server does not close after its `[DONE]`; some send the usage then. */
const graceMs = 1000;

/** A stream that goes on after any answer would be over. */
export class EndlessStream extends Error {
  readonly code = "endless_stream";
}

export function packetMergingFetch(family: Family, send: typeof fetch = fetch): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init);
    const isEventStream = /\btext\/event-stream\b/i.test(response.headers.get("content-type") ?? "");
    if (!response.ok || !isEventStream || response.body === null) return response;
    const { status, statusText, headers } = response;
    return new LightResponse(mergedBody(response.body, family), { status, statusText, headers });
  };
}

/** Joins within one text of whole events, each ending with an empty line. */
export function mergeEvents(text: string, family: Family): string {
  const known = markers[family];
  if (known.length === 0 || text.includes("\r")) return text;
  const out: string[] = [];
  let open: Delta | undefined;
  let start = 0;
  for (;;) {
    const end = text.indexOf("\n\n", start);
    if (end < 0) break;
    const event = text.slice(start, end + 2);
    start = end + 2;
    const delta = splitDelta(event, known);
    if (open !== undefined && delta !== undefined && fits(open, delta)) {
      open.pieces.push(...delta.pieces);
      continue;
    }
    if (open !== undefined) out.push(joined(open));
    open = delta;
    if (delta === undefined) out.push(event);
  }
  if (open !== undefined) out.push(joined(open));
  out.push(text.slice(start));
  return out.join("");
}

interface Delta {
  readonly before: string;
  readonly pieces: string[];
  readonly after: string;
}

function splitDelta(event: string, known: readonly string[]): Delta | undefined {
  // Two data lines would be one text to the parser; no provider does that, and it need not be understood here.
  if (event.indexOf("data:") !== event.lastIndexOf("\ndata:") + 1) return undefined;
  for (const marker of known) {
    const found = event.indexOf(marker);
    if (found < 0) continue;
    const start = found + marker.length;
    const end = endOfString(event, start);
    if (end < 0) return undefined;
    const before = event.slice(0, start);
    const after = event.slice(end);
    if (otherDelta.test(before) || otherDelta.test(after)) return undefined;
    return { before, pieces: [event.slice(start, end)], after };
  }
  return undefined;
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start);
  while (end > 0) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === "\\") backslashes++;
    if (backslashes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return -1;
}

function fits(open: Delta, next: Delta): boolean {
  return isSame(open.before, next.before) && isSame(open.after, next.after);
}

function isSame(one: string, other: string): boolean {
  return one === other || one.replace(ignored, "") === other.replace(ignored, "");
}

function joined(delta: Delta): string {
  return delta.before + delta.pieces.join("") + delta.after;
}

/** Pulls one packet at a time and keeps no queue: what has arrived is passed on before an error that follows it. */
function mergedBody(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  family: Family,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let remainder = "";
  let bytes = 0;
  let isDone = false;
  const repair = chunkRepair(family);
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        for (;;) {
          const { done, value } = await (isDone ? readWithin(reader, graceMs) : reader.read());
          bytes += value?.length ?? 0;
          if (bytes > maxAnswerBytes) {
            await reader.cancel().catch(() => undefined);
            throw new EndlessStream(`${maxAnswerBytes / 1_000_000} MB without an end`);
          }
          const text = remainder + (done ? decoder.decode() : decoder.decode(value, { stream: true }));
          const end = done || text.length > maxRemainder ? text.length : endOfEvents(text);
          remainder = text.slice(end);
          isDone ||= /^data: ?\[DONE\]/m.test(text.slice(0, end));
          if (end > 0) {
            const events = text.slice(0, end);
            controller.enqueue(encoder.encode(mergeEvents(repair?.(events) ?? events, family)));
          }
          if (done) controller.close();
          if (done || end > 0) return;
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** Behind the last whole event. Other line ends than LF are left to the parser, whole or not. */
function endOfEvents(text: string): number {
  if (text.includes("\r")) return text.length;
  const last = text.lastIndexOf("\n\n");
  return last < 0 ? 0 : last + 2;
}

type Reader = ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;

/** As if the server had closed the connection, where it does not in time. */
async function readWithin(
  reader: Reader,
  milliseconds: number,
): Promise<{ readonly done: boolean; readonly value?: Uint8Array<ArrayBuffer> | undefined }> {
  const read = reader.read();
  // The loser of the race may still reject.
  read.catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), milliseconds);
  });
  const first = await Promise.race([read, late]);
  clearTimeout(timer);
  if (first !== "late") return first;
  await reader.cancel().catch(() => undefined);
  return { done: true };
}

function chatMarkers(): readonly string[] {
  return [
    '"delta":{"content":"',
    '"delta":{"role":"assistant","content":"',
    '"delta":{"reasoning_content":"',
    '"delta":{"reasoning":"',
    '"function":{"arguments":"',
  ];
}

function anthropicMarkers(): readonly string[] {
  return [
    '{"type":"text_delta","text":"',
    '{"type":"input_json_delta","partial_json":"',
    '{"type":"thinking_delta","thinking":"',
  ];
}

function geminiMarkers(): readonly string[] {
  return ['"parts":[{"text":"'];
}
