// One page, fetched. Every hop of a redirect is judged like the first: its address, the machine that its name leads to, and
// whether the person allows it. The connection goes to the very address that was judged, so that a name cannot lead
// elsewhere a moment later. Nothing is sent but the request: no cookies, no names.

import { lookup } from "node:dns/promises";
import * as http from "node:http";
import * as https from "node:https";
import { isIP } from "node:net";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { Fault, isFault } from "@stet/protocol/fault";
import { checkAddress } from "./web-address.ts";

export interface PageUrl {
  readonly address: string;
  readonly family: number;
}

export interface FetchOptions {
  /** Whether a machine may be asked, by its address (private-address.ts). */
  readonly mayAsk: (address: string) => boolean;
  readonly signal: AbortSignal;
  /** Called for each new host before it is asked. Undefined means allowed. */
  readonly permit: (url: URL) => Promise<Fault | undefined>;
  readonly milliseconds?: number;
  /** Where a name leads. Default: what the system says. */
  readonly resolve?: (host: string) => Promise<PageUrl[]>;
}

export interface FetchedPage {
  readonly url: URL;
  readonly status: number;
  readonly statusText: string;
  /** As announced; empty where nothing is. */
  readonly contentType: string;
  readonly bytes: Buffer;
  /** Whether the body went on behind what is kept. */
  readonly isCut: boolean;
  readonly redirects: readonly string[];
}

export const maxPageBytes = 20 * 1024 * 1024;
const maxRedirects = 5;
const defaultTime = 20_000;
const maxHeaderBytes = 64 * 1024;

export async function fetchPage(url: URL, options: FetchOptions): Promise<FetchedPage | Fault> {
  const milliseconds = options.milliseconds ?? defaultTime;
  const time = AbortSignal.timeout(milliseconds);
  const signal = AbortSignal.any([options.signal, time]);
  try {
    return await follow(url, { ...options, signal });
  } catch (error) {
    if (options.signal.aborted)
      return new Fault("aborted", "The page was not read to the end.", "Wait for the next message.");
    if (time.aborted) return failed(url, `it took longer than ${milliseconds / 1000} seconds`);
    return failed(url, reasonOf(error));
  }
}

async function follow(start: URL, options: FetchOptions): Promise<FetchedPage | Fault> {
  const redirects: string[] = [];
  // The first host was allowed before the page was asked for.
  const asked = new Set([start.host]);
  let url = start;
  for (;;) {
    const address = await judgedAddress(url, options);
    if (isFault(address)) return address;
    if (!asked.has(url.host)) {
      const refusal = await options.permit(url);
      if (refusal !== undefined) return refusal;
      asked.add(url.host);
    }
    const response = await request(url, address, options.signal);
    const { statusCode: status = 0, headers } = response;
    const { location } = headers;
    if (![301, 302, 303, 307, 308].includes(status) || location === undefined) {
      return { ...(await body(response)), url, status, statusText: response.statusMessage ?? "", redirects };
    }
    response.destroy();
    if (redirects.length === maxRedirects)
      return failed(start, `it redirects more than ${maxRedirects} times`);
    const next = checkAddress(URL.canParse(location, url.href) ? new URL(location, url).href : location);
    if (isFault(next)) return failed(start, `it redirects to an address that is not asked: ${next.message}`);
    redirects.push(next.href);
    url = next;
  }
}

/** The address to connect to. Where a name leads to several, all of them must be allowed. */
async function judgedAddress(
  url: URL,
  { mayAsk, signal, resolve = systemLookup }: FetchOptions,
): Promise<PageUrl | Fault> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const found =
    isIP(host) === 0 ? await orStopped(resolve(host), signal) : [{ address: host, family: isIP(host) }];
  const [first] = found;
  if (first === undefined) return failed(url, "its name leads nowhere");
  return found.every(({ address }) => mayAsk(address)) ? first : privateFault(url);
}

function systemLookup(host: string): Promise<PageUrl[]> {
  return lookup(host, { all: true, verbatim: true });
}

/** A lookup cannot be stopped, only left behind. */
function orStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

function request(url: URL, { address, family }: PageUrl, signal: AbortSignal): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { get } = url.protocol === "https:" ? https : http;
    const sent = get(
      url,
      {
        signal,
        agent: false,
        maxHeaderSize: maxHeaderBytes,
        headers: {
          accept: "text/html,application/xhtml+xml,text/markdown,text/plain,application/json;q=0.9,*/*;q=0.5",
          "accept-encoding": "gzip, br",
          "user-agent": "Stet",
        },
        lookup(_host, options, answer) {
          if (options.all) answer(null, [{ address, family }]);
          else answer(null, address, family);
        },
      },
      resolve,
    );
    sent.on("error", reject);
  });
}

async function body(
  response: http.IncomingMessage,
): Promise<Pick<FetchedPage, "bytes" | "isCut" | "contentType">> {
  const chunks: Buffer[] = [];
  let size = 0;
  let isCut = false;
  const stream = unpacked(response);
  try {
    for await (const chunk of stream) {
      const rest = maxPageBytes - size;
      chunks.push(chunk.length > rest ? chunk.subarray(0, rest) : chunk);
      size += chunk.length;
      if (size <= maxPageBytes) continue;
      isCut = true;
      break;
    }
  } finally {
    response.destroy();
  }
  return { bytes: Buffer.concat(chunks), isCut, contentType: response.headers["content-type"] ?? "" };
}

/** The body as it was before it was packed for the way. Unpacking stops with reading, so a bomb stays small. */
function unpacked(response: http.IncomingMessage): AsyncIterable<Buffer> {
  const unpackers: Readonly<Record<string, () => NodeJS.ReadWriteStream & Readable>> = {
    gzip: createGunzip,
    "x-gzip": createGunzip,
    deflate: createInflate,
    br: createBrotliDecompress,
  };
  const unpacker = unpackers[(response.headers["content-encoding"] ?? "").trim().toLowerCase()]?.();
  if (unpacker === undefined) return response;
  response.on("error", (error) => unpacker.destroy(error));
  response.pipe(unpacker);
  return unpacker;
}

function privateFault(url: URL): Fault {
  return new Fault(
    "not_allowed",
    `${url.host} leads to this machine or its local network, and such pages are not read.`,
    "The person can allow it with the setting web.privateAddresses; or use curl in bash, which asks them.",
    { url: url.href },
  );
}

function failed(url: URL, reason: string): Fault {
  return new Fault(
    "page_failed",
    `${url.href} could not be fetched: ${reason}.`,
    "Check the address, or try again later.",
    { url: url.href },
  );
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? String(error.code) : "";
  switch (code) {
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return "its name leads nowhere";
    case "ECONNREFUSED":
      return "nothing answers there";
    case "ECONNRESET":
      return "the connection was cut";
    case "HPE_HEADER_OVERFLOW":
      return "its headers are too large";
    default:
      return `${error.message}${code === "" || error.message.includes(code) ? "" : ` (${code})`}`;
  }
}
