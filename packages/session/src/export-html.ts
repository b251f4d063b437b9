// A session as one HTML page that needs nothing else: no scripts, no addresses, light and dark.
//
// Everything that comes from the session is escaped, and the page forbids itself to load or run anything, so that
// what a model or a tool wrote cannot do more than be read.

import { readFileSync } from "node:fs";
import { visible } from "@stet/protocol/visible";
import type { Session } from "./session-tree.ts";
import { type TranscriptPiece, transcriptOf } from "./transcript.ts";

const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";
const allowedImages: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** Colours of a theme, each `#RRGGBB`. The page's decides whether it is a dark one; without it the reader's machine does. */
export interface PageColours {
  readonly page?: string | undefined;
  readonly card?: string | undefined;
  readonly info?: string | undefined;
}

export function exportHtml(session: Session, colours: PageColours = {}): string {
  const { title, cwd, started, pieces } = transcriptOf(session);
  const style = readFileSync(new URL("export-html.css", import.meta.url), "utf8");
  return [
    "<!doctype html>",
    `<html lang="en"${themed(colours)}>`,
    "<head>",
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${escapeHtml(title)}</title>`,
    `<style>\n${style}</style>`,
    "</head>",
    "<body>",
    "<main>",
    `<header><h1>${escapeHtml(title)}</h1><p>${escapeHtml(started)}, ${escapeHtml(cwd)}</p></header>`,
    ...pieces.map(format),
    "</main>",
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

function themed({ page, card, info }: PageColours): string {
  const values = { ground: page, user: card, info };
  const style = Object.entries(values).flatMap(([name, value]) =>
    value !== undefined && /^#[0-9a-f]{6}$/i.test(value) ? `--${name}:${value}` : [],
  );
  const scheme = page === undefined ? "" : ` data-scheme="${isDark(page) ? "dark" : "light"}"`;
  return style.length === 0 ? "" : `${scheme} style="${style.join(";")}"`;
}

/** By the luminance of sRGB, near enough to choose the ink. */
function isDark(colour: string): boolean {
  const value = Number.parseInt(colour.slice(1), 16);
  const [red, green, blue] = [value >> 16, (value >> 8) & 255, value & 255] as const;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 128;
}

function format(piece: TranscriptPiece): string {
  switch (piece.kind) {
    case "user":
    case "assistant": {
      const who = piece.kind === "user" ? "User" : "Assistant";
      return `<article class="${piece.kind}"><h2>${who}</h2><div class="text">${escapeHtml(piece.text)}</div></article>`;
    }
    case "thinking":
      return folded("Thinking", piece.text);
    case "summary":
      return folded("Summary of what came before", piece.text);
    case "note":
      return `<p class="note">${escapeHtml(piece.text)}</p>`;
    case "damage":
      return `<p class="damage">${escapeHtml(piece.text)}</p>`;
    case "delivery":
      return folded(piece.title, piece.text);
    case "image":
      return formatImage(piece.data, piece.mimeType);
    case "call":
      return folded(piece.tool, piece.text);
    case "result":
      return folded(`${piece.tool} ${piece.isError ? "failed" : "returned"}`, piece.text);
  }
}

function folded(summary: string, text: string): string {
  return `<details><summary>${escapeHtml(summary)}</summary><pre>${escapeHtml(text)}</pre></details>`;
}

function formatImage(data: string, mimeType: string): string {
  if (!allowedImages.has(mimeType) || !/^[A-Za-z0-9+/=]*$/.test(data)) {
    return `<p class="note">(an image, ${escapeHtml(mimeType)})</p>`;
  }
  return `<img alt="An image of the conversation" src="data:${mimeType};base64,${data}">`;
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Makes visible what a parser drops, what turns text around and what cannot be seen: the export is there to be read. */
function escapeHtml(text: string): string {
  return visible(text).replace(/[&<>"']/g, (character) => escapes[character] ?? character);
}
