// What a job's turn is given, and what it may ask for while it runs.

import type { Inbox } from "@stet/agent/inbox";
import type { EventData, EventType } from "@stet/protocol/events/log-event";
import type { Fault } from "@stet/protocol/fault";
import type { Model } from "@stet/protocol/model-stream";
import type { Question } from "@stet/protocol/question";
import type { Turn } from "@stet/workspace/turns/turns";
import type { JobRecord } from "../store/store.ts";
import type { FinishedTurn, ResumedTurn, TurnEvent } from "../turn/agent-turn.ts";

/** Runs one turn for a job. */
export type RunTurn = (job: JobRecord, hands: TurnHands) => AsyncGenerator<TurnEvent, FinishedTurn | Fault>;

export interface TurnHands {
  readonly signal: AbortSignal;
  readonly resumed: ResumedTurn | undefined;
  /** What the person says while it runs. */
  readonly inbox: Inbox;
  ask(question: Question, signal: AbortSignal, callId: string): Promise<string>;
  onTurn(turn: Turn): void;
  /** Adds an event of its own to the job's log. */
  tell<Type extends EventType>(type: Type, data: EventData<Type>): void;
  /** The model as this turn is to use it, where that differs. */
  readonly withModel?: ((model: Model) => Model) | undefined;
}
