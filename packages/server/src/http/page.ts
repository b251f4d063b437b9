// The files of the page. They are listed once, at the start, and only what is in the list is served: no path of a request
// ever reaches the file system. Links are not followed, hidden files are left out.
//
// In HTML, __STYLE_NONCE__ becomes the word that lets this page, and nothing that gets into it, add style elements.

import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { plainPage } from "./plain-page.ts";
import { newNonce, pagePolicy } from "./reply-headers.ts";

export interface PageFile {
  readonly type: string;
  readonly bytes: Buffer;
}

export interface PageFiles {
  /** What is at a path; `/` is index.html. */
  file(path: string): Promise<PageFile | undefined>;
}

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".map": "application/json",
  ".webmanifest": "application/manifest+json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".webp": "image/webp",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".wasm": "application/wasm",
  ".txt": "text/plain; charset=utf-8",
};

export function pageFrom(folder: string | undefined): PageFiles {
  return folder === undefined ? inMemory(plainPage) : inFolder(folder);
}

function typeOf(name: string): string {
  return types[extname(name).toLowerCase()] ?? "application/octet-stream";
}

const nameOf = (path: string) => (path === "/" ? "index.html" : path.slice(1));

function inMemory(files: Readonly<Record<string, string>>): PageFiles {
  const byName = new Map(Object.entries(files));
  return {
    async file(path) {
      const text = byName.get(nameOf(path));
      return text === undefined ? undefined : { type: typeOf(nameOf(path)), bytes: Buffer.from(text) };
    },
  };
}

/** Every file below a folder, by its name there. A walk of our own, because the one of Node goes through links. */
function filesBelow(folder: string, prefix = ""): [string, string][] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry): [string, string][] => {
    if (entry.name.startsWith(".")) return [];
    const file = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(file, `${prefix}${entry.name}/`);
    return entry.isFile() ? [[`${prefix}${entry.name}`, file]] : [];
  });
}

function inFolder(folder: string): PageFiles {
  const files = new Map(filesBelow(folder));
  return {
    async file(path) {
      const file = files.get(nameOf(path));
      if (file === undefined) return undefined;
      try {
        return { type: typeOf(file), bytes: await readFile(file) };
      } catch {
        // Removed since the start.
        return undefined;
      }
    },
  };
}

export function pageResponse({ type, bytes }: PageFile, known: string | undefined): Response {
  if (type.startsWith("text/html")) {
    const nonce = newNonce();
    const html = bytes.toString("utf8").replaceAll("__STYLE_NONCE__", nonce);
    return new Response(html, {
      headers: { "Content-Type": type, "Content-Security-Policy": pagePolicy(nonce) },
    });
  }
  const tag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
  const headers = { "Content-Type": type, ETag: tag, "Cache-Control": "no-cache" };
  if (known === tag) return new Response(null, { status: 304, headers });
  return new Response(new Uint8Array(bytes), { headers });
}
