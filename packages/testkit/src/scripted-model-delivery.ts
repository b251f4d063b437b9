// Puts an answer on the wire, with the fault that the script asks for.
//
// Each event is a write of its own. The next one waits until it is flushed, so a flood is as fast as the client reads and never
// piles up here; and for a turn of the event loop, because writes of one turn reach a client as one piece, in which nothing
// is split. A client that hangs up ends the delivery quietly.

import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { WireEvent } from "./scripted-model-format.ts";
import { type ScriptedReply, ScriptMistake, type WireFault } from "./scripted-model-reply.ts";

const page =
  "<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body>Sign in to the network.</body></html>\n";

/** Bytes of a write while flooding: one write for each delta would measure the writes. */
const floodWrite = 65_536;

export interface Delivery {
  readonly events: Iterable<WireEvent>;
  readonly contentType: "text/event-stream" | "application/x-ndjson" | "application/json";
  readonly reply: ScriptedReply;
  /** The format's own error object, as text. */
  readonly errorBody: (status: number) => string;
}

export async function deliver(response: ServerResponse, delivery: Delivery): Promise<void> {
  const { fault } = delivery.reply;
  if (fault !== undefined && "status" in fault) {
    response.writeHead(fault.status, { "content-type": "application/json", ...fault.headers });
    response.end(fault.body ?? delivery.errorBody(fault.status));
    return;
  }
  if (fault !== undefined && "html" in fault) {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    response.end(page);
    return;
  }
  const pieces = faultyPieces(delivery);
  response.statusCode = 200;
  response.setHeader("content-type", delivery.contentType);
  response.setHeader("cache-control", "no-cache");
  await writeAll(response, pieces, delivery.reply);
  await finish(response, fault);
}

interface Piece {
  readonly bytes: Uint8Array;
  readonly isDelta: boolean;
}

function faultyPieces({ events, reply }: Delivery): Iterable<Piece> {
  const { fault } = reply;
  if (fault === undefined) return encode(events);
  if ("splitUtf8" in fault) return splitCharacters([...encode(events)]);
  if ("tornJson" in fault) return encode(tear([...events]));
  if ("flood" in fault) return batch(encode(events));
  const limit = byteLimit(fault);
  return limit === undefined ? encode(events) : firstBytes(encode(events), limit);
}

function byteLimit(fault: WireFault): number | undefined {
  if ("resetAfterBytes" in fault) return fault.resetAfterBytes;
  if ("stallAfterBytes" in fault) return fault.stallAfterBytes;
  return "endAfterBytes" in fault ? fault.endAfterBytes : undefined;
}

async function writeAll(
  response: ServerResponse,
  pieces: Iterable<Piece>,
  reply: ScriptedReply,
): Promise<void> {
  for (const { bytes, isDelta } of pieces) {
    if (isDelta && reply.delayMs !== undefined) await waitOrGone(response, reply.delayMs);
    if (response.destroyed) return;
    await write(response, bytes);
    await nextTurn();
  }
}

async function finish(response: ServerResponse, fault: WireFault | undefined): Promise<void> {
  if (response.destroyed) return;
  if (fault !== undefined && "resetAfterBytes" in fault) response.socket?.resetAndDestroy();
  else if (fault !== undefined && "stallAfterBytes" in fault) await once(response, "close");
  else response.end();
}

function write(response: ServerResponse, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      response.off("close", settle);
      resolve();
    };
    response.once("close", settle);
    response.write(bytes, settle);
  });
}

async function waitOrGone(response: ServerResponse, milliseconds: number): Promise<void> {
  const gone = new AbortController();
  const abort = () => gone.abort();
  response.once("close", abort);
  await sleep(milliseconds, undefined, { signal: gone.signal, ref: false }).catch(() => {});
  response.off("close", abort);
}

function* encode(events: Iterable<WireEvent>): Iterable<Piece> {
  for (const { before, json, after, isDelta } of events)
    yield { bytes: Buffer.from(before + json + after), isDelta };
}

function* batch(pieces: Iterable<Piece>): Iterable<Piece> {
  let held: Uint8Array[] = [];
  let size = 0;
  for (const { bytes } of pieces) {
    held.push(bytes);
    size += bytes.length;
    if (size < floodWrite) continue;
    yield { bytes: Buffer.concat(held), isDelta: true };
    held = [];
    size = 0;
  }
  if (size > 0) yield { bytes: Buffer.concat(held), isDelta: true };
}

function tear(events: readonly WireEvent[]): readonly WireEvent[] {
  const places = events.flatMap((event, place) => (event.isDelta ? [place] : []));
  const middle = places[Math.floor(places.length / 2)];
  const torn = middle === undefined ? undefined : events[middle];
  if (torn === undefined) throw new ScriptMistake("The fault tornJson needs a reply with something to tear.");
  const half = { ...torn, json: torn.json.slice(0, Math.floor(torn.json.length / 2)) };
  return [...events.slice(0, middle), half];
}

function splitCharacters(pieces: readonly Piece[]): readonly Piece[] {
  const split = pieces.flatMap(({ bytes, isDelta }) => {
    const cuts = [...bytes.keys()].filter((place) => isContinuation(bytes[place]));
    return [0, ...cuts].map((start, nth) => ({
      bytes: bytes.subarray(start, cuts[nth] ?? bytes.length),
      isDelta: isDelta && nth === 0,
    }));
  });
  if (split.length === pieces.length)
    throw new ScriptMistake("The fault splitUtf8 needs a reply with a character beyond ASCII.");
  return split;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function* firstBytes(pieces: Iterable<Piece>, limit: number): Iterable<Piece> {
  let left = limit;
  for (const { bytes, isDelta } of pieces) {
    if (left <= 0) return;
    yield { bytes: bytes.subarray(0, left), isDelta };
    left -= bytes.length;
  }
}
