// A session as people read it: the path from the root to the leaf as a list of pieces, for every form of export.

import { deliverySource } from "@stet/protocol/api/background";
import { deliveryText, deliveryTitle } from "@stet/protocol/delivery-words";
import { isFault } from "@stet/protocol/fault";
import type { ImageContent, Message, TextContent } from "@stet/protocol/message";
import type { CustomMessageEntry, SessionEntry } from "./entry.ts";
import type { Session } from "./session-tree.ts";

export type TranscriptPiece =
  | {
      readonly kind: "user" | "assistant" | "thinking" | "summary" | "note" | "damage";
      readonly text: string;
    }
  /** Something that happened in the background: nobody typed it. */
  | { readonly kind: "delivery"; readonly title: string; readonly text: string }
  | { readonly kind: "image"; readonly data: string; readonly mimeType: string }
  | { readonly kind: "call"; readonly tool: string; readonly text: string }
  | { readonly kind: "result"; readonly tool: string; readonly isError: boolean; readonly text: string };

export interface Transcript {
  readonly title: string;
  readonly cwd: string;
  readonly started: string;
  readonly pieces: readonly TranscriptPiece[];
}

export function transcriptOf(session: Session): Transcript {
  const { header } = session;
  const pieces: TranscriptPiece[] = [];
  for (const entry of session.path()) {
    if (isFault(entry)) pieces.push({ kind: "damage", text: entry.message });
    else pieces.push(...piecesOf(entry));
  }
  const title = header.title ?? `Session ${header.id}`;
  return { title, cwd: header.cwd, started: header.timestamp, pieces };
}

function piecesOf(entry: SessionEntry): readonly TranscriptPiece[] {
  switch (entry.type) {
    case "message":
      return entry.message.role === "custom" ? said(entry.message.content) : messagePieces(entry.message);
    case "custom_message":
      return deliveryPiece(entry) ?? (entry.display ? said(entry.content) : []);
    case "compaction":
    case "branch_summary":
      return [{ kind: "summary", text: entry.summary }];
    case "model_change":
      return [{ kind: "note", text: `Model: ${entry.model}` }];
    case "turn":
      return [{ kind: "note", text: `Changed ${entry.files.join(", ")}: ${entry.summary}` }];
    case "stop":
      return [{ kind: "note", text: entry.message }];
    case "decision":
      return [
        {
          kind: "note",
          text: `${capitalised(entry.verdict)} ${entry.hunks.length} hunks of ${entry.turnId}`,
        },
      ];
    default:
      return [];
  }
}

function messagePieces(message: Message): readonly TranscriptPiece[] {
  if (message.role === "user") return said(message.content);
  if (message.role === "toolResult") {
    const { toolName: tool, isError } = message;
    return message.content.map((block) =>
      block.type === "text" ? { kind: "result", tool, isError, text: block.text } : image(block),
    );
  }
  const pieces = message.content.map((block): TranscriptPiece => {
    if (block.type === "text") return { kind: "assistant", text: block.text };
    if (block.type === "thinking") return { kind: "thinking", text: block.thinking };
    return { kind: "call", tool: block.name, text: JSON.stringify(block.arguments, null, 2) ?? "" };
  });
  if (message.errorMessage !== undefined)
    pieces.push({ kind: "note", text: `Stopped: ${message.errorMessage}` });
  return pieces;
}

function deliveryPiece({ customType, details, content }: CustomMessageEntry): TranscriptPiece[] | undefined {
  const source = customType === "delivery" ? deliverySource.safeParse(details) : undefined;
  if (source?.success !== true || typeof content !== "string") return undefined;
  const delivery = { source: source.data, text: content };
  return [{ kind: "delivery", title: deliveryTitle(delivery), text: deliveryText(delivery) }];
}

function said(content: string | readonly (TextContent | ImageContent)[]): readonly TranscriptPiece[] {
  if (typeof content === "string") return [{ kind: "user", text: content }];
  return content.map((block) => (block.type === "text" ? { kind: "user", text: block.text } : image(block)));
}

function image({ data, mimeType }: ImageContent): TranscriptPiece {
  return { kind: "image", data, mimeType };
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
