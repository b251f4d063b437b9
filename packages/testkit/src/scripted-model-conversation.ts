// Gathers the pieces of a request into the common form. A format calls it once for each piece, in the order of the wire.

import type { SeenCall, SeenImage, SeenMessage } from "./scripted-model-format.ts";

export interface ConversationBuilder {
  system(text: string): void;
  user(text: string, images: readonly SeenImage[]): void;
  /** Joins the assistant message before it, if that is the last one. */
  assistant(piece: AssistantPiece): void;
  toolResult(result: {
    readonly id: string;
    /** Where the wire carries it. */
    readonly name?: string;
    readonly text: string;
    readonly images?: readonly SeenImage[];
    readonly isError: boolean;
  }): void;
  finish(): { readonly system: string; readonly messages: readonly SeenMessage[] };
}

export interface AssistantPiece {
  readonly text?: string;
  readonly thinking?: string;
  readonly signature?: string;
  readonly toolCall?: SeenCall;
}

export function gatherConversation(): ConversationBuilder {
  const system: string[] = [];
  const messages: SeenMessage[] = [];
  const callNames = new Map<string, string>();
  return {
    system(text) {
      if (text !== "") system.push(text);
    },
    user(text, images) {
      messages.push({ role: "user", text, ...(images.length > 0 ? { images } : {}) });
    },
    assistant(piece) {
      const last = messages.at(-1);
      const message = last?.role === "assistant" ? last : { role: "assistant" as const, text: "" };
      if (message === last) messages.pop();
      if (piece.toolCall !== undefined) callNames.set(piece.toolCall.id, piece.toolCall.name);
      messages.push(joinPiece(message, piece));
    },
    toolResult({ id, name, text, images = [], isError }) {
      messages.push({
        role: "toolResult",
        toolCallId: id,
        toolName: name ?? callNames.get(id) ?? "",
        text,
        ...(images.length > 0 ? { images } : {}),
        ...(isError ? { isError } : {}),
      });
    },
    finish: () => ({ system: system.join("\n"), messages }),
  };
}

type AssistantSeen = Extract<SeenMessage, { role: "assistant" }>;

function joinPiece(message: AssistantSeen, piece: AssistantPiece): AssistantSeen {
  return {
    ...message,
    text: message.text + (piece.text ?? ""),
    ...(piece.thinking ? { thinking: (message.thinking ?? "") + piece.thinking } : {}),
    ...(piece.signature ? { signatures: [...(message.signatures ?? []), piece.signature] } : {}),
    ...(piece.toolCall ? { toolCalls: [...(message.toolCalls ?? []), piece.toolCall] } : {}),
  };
}
