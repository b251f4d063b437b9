// An executor turns a tool call into an action of the controller, and what that returns into a short result for the model
// and events for people. What the result shows of the paper is remembered, because line numbers are understood by it.

import type { ToolOutcome } from "@stet/agent/tool";
import type { ChatEvent } from "@stet/protocol/events/chat-events";
import type { Fault } from "@stet/protocol/fault";
import type { Controller } from "./controller.ts";
import type { Call, Paper } from "./paper.ts";
import type { PaperDetails } from "./paper-events.ts";

export interface Desk {
  readonly paper: Paper;
  readonly controller: Controller;
}

export type Executor<Input> = (desk: Desk, input: Input, call: Call) => Promise<ToolOutcome | Fault>;

export function outcome(content: Record<string, unknown>, ...events: readonly ChatEvent[]): ToolOutcome {
  const details: PaperDetails = { events };
  return { content, details };
}
