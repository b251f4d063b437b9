// The events of the paper dialect, made from what happens in a turn. Tools say theirs in `details.events`.

import type { AgentEvent } from "@stet/agent/agent-event";
import type { AssistantMessage } from "@stet/protocol/message";
import type { EditParams } from "./edit-handler.ts";
import type { Card } from "./rank-cards.ts";

interface EventData {
  /** One piece of what the model writes or thinks, as it comes. */
  "agent.thought": { readonly thought: string };
  "search.result":
    | {
        readonly type: "paper";
        readonly query: string;
        readonly lines: readonly {
          readonly lineNumber: number;
          readonly text: string;
          readonly snippet: string;
        }[];
        readonly totalMatches: number;
        readonly keyword: string;
      }
    | {
        readonly type: "chat" | "tools";
        readonly query: string;
        readonly cards: readonly Card[];
        readonly totalMatches: number;
        readonly keyword: string;
      };
  "search.kept": { readonly key: string; readonly query: string; readonly lineCount: number };
  "search.retrieved": { readonly key: string; readonly query: string; readonly lineCount: number };
  "search.cleared": { readonly key: string };
  "context.retrieved": {
    /** The line that was asked for; null where only ranges were. */
    readonly lineNumber: number | null;
    readonly context: readonly { readonly lineNumber: number; readonly text: string }[];
    /** Of the paper. */
    readonly totalLines: number;
  };
  "paper.applied": {
    readonly op: EditParams["edit_op"];
    /** Only of write_replace_line. */
    readonly lineNumber?: number;
    /** Only of write_append: how many characters came. */
    readonly appended?: number;
    readonly oldTextLen: number;
    readonly newTextLen: number;
    readonly newRev: number;
    readonly timestamp: number;
  };
  "paper.state": {
    /** Null above `maxStateChars`: then whoever wants the text reads the document. */
    readonly text: string | null;
    readonly rev: number;
    readonly cols: number;
    readonly rows: number;
  };
  "verify.result": {
    readonly diff: string;
    readonly added: number;
    readonly removed: number;
    readonly status: "ok";
  };
  "chat.final": { readonly text: string };
}

export type PaperEventName = keyof EventData;

export type PaperEvent = {
  [Name in PaperEventName]: { readonly type: Name; readonly data: EventData[Name] };
}[PaperEventName];

/** What the tools of this toolset hand to people. */
export interface PaperDetails {
  readonly events: readonly PaperEvent[];
}

export const maxStateChars = 1_000_000;

/** Maps what happens in one turn, event by event, in order. */
export function paperEvents(): (event: AgentEvent) => PaperEvent[] {
  let reply = "";
  return (event) => {
    switch (event.type) {
      case "model":
        if (event.event.type === "text_delta" || event.event.type === "thinking_delta") {
          return [{ type: "agent.thought", data: { thought: event.event.delta } }];
        }
        if (event.event.type === "done") reply = textOf(event.event.message);
        return [];
      case "tool_end":
        return isPaperDetails(event.details) ? [...event.details.events] : [];
      case "turn_end":
        return [{ type: "chat.final", data: { text: finalText(event, reply) } }];
      default:
        return [];
    }
  };
}

function textOf({ content }: AssistantMessage): string {
  return content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

function finalText(end: Extract<AgentEvent, { type: "turn_end" }>, reply: string): string {
  switch (end.outcome) {
    case "completed":
      return reply;
    case "stopped":
      return end.stop?.isAnswered ? `${reply}\n\n${end.stop.message}` : (end.stop?.message ?? "");
    case "aborted":
      return "The turn was stopped before the model was done.";
    case "failed":
      return `The turn failed: ${end.failure?.message ?? "the model gave no reason."}`;
  }
}

function isPaperDetails(details: unknown): details is PaperDetails {
  return (
    typeof details === "object" && details !== null && "events" in details && Array.isArray(details.events)
  );
}
