// What a fetched page is to a reader: text, and how it was made of the page.

import { extname } from "node:path";
import type { ToolContext } from "@stet/agent/tool";
import type { ImageContent } from "@stet/protocol/message";
import { workApart } from "../apart.ts";
import type { DocumentExtension } from "../documents/convert-document.ts";
import { documentExtensions } from "../documents/convert-document.ts";
import { conversionTime, documentNotice } from "../documents/read-document.ts";
import { imageHeader } from "../image-header.ts";
import { pictureOf } from "../picture.ts";
import { sizeName } from "../size-name.ts";
import type { FetchedPage } from "./fetch-page.ts";

export interface RenderedPage {
  readonly text: string;
  readonly method: string;
  readonly notes: readonly string[];
  readonly image: ImageContent | undefined;
}

const imageTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"];
/** Milliseconds to make text of HTML. */
const renderTime = 10_000;

const documentTypes: Readonly<Record<string, DocumentExtension>> = {
  "application/pdf": ".pdf",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": ".pptx",
  "application/epub+zip": ".epub",
  "application/rtf": ".rtf",
  "text/rtf": ".rtf",
};

export async function renderPage(
  page: FetchedPage,
  isRaw: boolean,
  call: ToolContext,
): Promise<RenderedPage> {
  const type = mimeTypeOf(page.contentType) || guessedType(page);
  const notes = page.redirects.map((address) => `Redirected to ${address}`);
  if (page.isCut) notes.push(`Cut at ${sizeName(page.bytes.length)}`);
  if (page.status < 200 || page.status >= 300) {
    notes.push(`HTTP ${page.status} ${page.statusText}`.trim());
    return { text: await errorText(page, type, call), method: "failed", notes, image: undefined };
  }
  const plain = (text: string, method: string): RenderedPage => ({ text, method, notes, image: undefined });
  if (imageTypes.includes(type)) return imagePage(page, type, notes, call);
  const extension =
    documentTypes[type] ?? (type === "application/octet-stream" ? nameExtension(page) : undefined);
  if (extension !== undefined) {
    const job = { extension, bytes: page.bytes };
    const end = await workApart("document", job, { signal: call.signal, milliseconds: conversionTime });
    return plain(end.kind === "done" ? end.value : documentNotice(extension, end), extension.slice(1));
  }
  if (!isText(type)) {
    return plain(
      `[Cannot show ${type || "this kind of"} content (${sizeName(page.bytes.length)})]`,
      "binary",
    );
  }
  const text = decodePage(page.bytes, page.contentType);
  if (isHtml(type)) return isRaw ? plain(text, "raw-html") : htmlPage(page, text, notes, call);
  if (isRaw) return plain(text, "raw");
  if (/[/+]json$/.test(type)) return plain(prettyJson(text), "json");
  if (/[/+]xml$/.test(type) && isFeed(text)) {
    const job = { xml: text, url: page.url.href };
    const end = await workApart("feed", job, { signal: call.signal, milliseconds: renderTime });
    if (end.kind === "done") return plain(end.value, "feed");
  }
  return plain(text, "text");
}

async function htmlPage(
  page: FetchedPage,
  html: string,
  notes: readonly string[],
  call: ToolContext,
): Promise<RenderedPage> {
  const job = { html, url: page.url.href };
  const end = await workApart("page", job, { signal: call.signal, milliseconds: renderTime });
  if (end.kind === "done" && end.value.text !== "") return { ...end.value, notes, image: undefined };
  const reason =
    end.kind === "done"
      ? "The page has no text of its own; it may be made by scripts, which are not run"
      : `The page could not be made readable (${end.kind === "failed" ? end.reason : "it took too long"})`;
  return { text: html, method: "raw-html", notes: [...notes, reason], image: undefined };
}

/** What the server says of the error, where that is text. */
async function errorText(page: FetchedPage, type: string, call: ToolContext): Promise<string> {
  if (!isText(type) || page.bytes.length === 0) return `(no text; HTTP ${page.status})`;
  const text = decodePage(page.bytes, page.contentType);
  return isHtml(type) ? (await htmlPage(page, text, [], call)).text : text;
}

async function imagePage(
  page: FetchedPage,
  type: string,
  notes: readonly string[],
  { signal }: ToolContext,
): Promise<RenderedPage> {
  const size = `${type}, ${sizeName(page.bytes.length)}`;
  const header = page.isCut ? undefined : imageHeader(page.bytes);
  if (header === undefined) {
    const reason = page.isCut ? "too large to show" : "its bytes are no picture";
    return { text: `[Image, ${reason} (${size})]`, method: "image", notes, image: undefined };
  }
  const picture = await pictureOf(page.bytes, header, signal);
  if (typeof picture === "string")
    return { text: `[Image, not shown: ${picture} (${size})]`, method: "image", notes, image: undefined };
  const { image, note } = picture;
  return { text: `[Image (${note === "" ? size : `${size}, ${note}`})]`, method: "image", notes, image };
}

function isHtml(type: string): boolean {
  return type === "text/html" || type === "application/xhtml+xml";
}

function isText(type: string): boolean {
  return /^text\/|[/+](?:json|xml|yaml|toml)$|^application\/(?:javascript|x-sh|x-yaml|ecmascript|sql|graphql|x-ndjson)$/.test(
    type,
  );
}

/** Whether it begins as a feed does. */
function isFeed(xml: string): boolean {
  return /^\s*(?:<[?!][^>]*>\s*)*<(?:rss|feed|rdf:RDF)[\s>]/i.test(xml.slice(0, 10_000));
}

function nameExtension({ url }: FetchedPage): DocumentExtension | undefined {
  const extension = extname(url.pathname).toLowerCase();
  return documentExtensions.find((candidate) => candidate === extension);
}

/** What it seems to be where the server does not say. */
function guessedType({ bytes }: FetchedPage): string {
  const start = bytes.subarray(0, 1024).toString("latin1");
  if (start.startsWith("%PDF-")) return "application/pdf";
  if (/^\s*<(?:!doctype html|html)/i.test(start)) return "text/html";
  return start.includes("\0") ? "application/octet-stream" : "text/plain";
}

function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

/** `text/html` of `text/html; charset=x`. */
function mimeTypeOf(contentType: string): string {
  return (contentType.split(";")[0] ?? "").trim().toLowerCase();
}

/** In the encoding that it announces: by a mark at its start, in its header or in its own text. */
function decodePage(bytes: Buffer, contentType: string): string {
  return decoderFor(bytes, contentType).decode(bytes);
}

function decoderFor(bytes: Buffer, contentType: string): { decode(bytes: Buffer): string } {
  const start = bytes.subarray(0, 4096).toString("latin1");
  const names = [markOf(bytes), announced(contentType), declared(start), "utf-8"];
  for (const name of names) {
    if (name === undefined) continue;
    try {
      return new TextDecoder(name);
    } catch {
      // An encoding that does not exist; the next best is tried.
    }
  }
  return new TextDecoder();
}

function markOf(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : undefined;
}

function announced(contentType: string): string | undefined {
  return /charset\s*=\s*["']?([^\s"';]+)/i.exec(contentType)?.[1];
}

function declared(start: string): string | undefined {
  const meta = /<meta[^>]+charset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(start)?.[1];
  return meta ?? /^<\?xml[^>]+encoding\s*=\s*["']([^"']+)/i.exec(start)?.[1];
}
