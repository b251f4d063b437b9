// A session as Markdown.
//
// What people and models wrote is Markdown already and stands as it is, under a heading that says who. What tools
// got and gave is fenced, with a fence longer than any run of backticks inside.

import type { Session } from "./session-tree.ts";
import { type TranscriptPiece, transcriptOf } from "./transcript.ts";

export function exportMarkdown(session: Session): string {
  const { title, cwd, started, pieces } = transcriptOf(session);
  const blocks = [`# ${title.replace(/\s+/g, " ")}`, `${started}, ${cwd}`];
  let speaker = "";
  for (const piece of pieces) {
    const next = speakerOf(piece) ?? speaker;
    if (next !== speaker) blocks.push(`## ${next}`);
    speaker = next;
    blocks.push(format(piece));
  }
  return `${blocks.join("\n\n")}\n`;
}

/** Undefined for what belongs to the speaker before. */
function speakerOf(piece: TranscriptPiece): string | undefined {
  if (piece.kind === "user") return "User";
  if (piece.kind === "assistant" || piece.kind === "thinking" || piece.kind === "call") return "Assistant";
  return undefined;
}

function format(piece: TranscriptPiece): string {
  switch (piece.kind) {
    case "user":
    case "assistant":
      return piece.text.trimEnd();
    case "thinking":
      return quoted(piece.text);
    case "summary":
      return `**Summary**\n\n${quoted(piece.text)}`;
    case "note":
      return `*${escaped(piece.text)}*`;
    case "damage":
      return `**Damaged:** ${piece.text}`;
    case "delivery":
      return `**${escaped(piece.title)}**\n\n${fenced(piece.text, "")}`;
    case "image":
      return `*(an image, ${piece.mimeType})*`;
    case "call":
      return `**${piece.tool}**\n\n${fenced(piece.text, "json")}`;
    case "result":
      return `**${piece.tool}${piece.isError ? " failed" : ""}**\n\n${fenced(piece.text, "")}`;
  }
}

function escaped(text: string): string {
  return text.replace(/\s+/g, " ").replace(/[*_\\]/g, "\\$&");
}

function quoted(text: string): string {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
}

function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), (run) => run[0].length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}${text.endsWith("\n") ? "" : "\n"}${fence}`;
}
