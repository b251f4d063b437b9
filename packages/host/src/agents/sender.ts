// Who sends an agent, and what that one takes from them: where they work, what they may do, what they may spend.

import type { Budget } from "@stet/model/budget";
import type { Fault } from "@stet/protocol/fault";
import type { AskPerson } from "@stet/tools/capabilities";
import type { Turn } from "@stet/workspace/turns/turns";
import type { NewJob } from "../jobs/job-queue.ts";
import type { TurnHands } from "../jobs/run-job.ts";
import type { Settings } from "../settings/configuration.ts";
import type { FinishedTurn, TurnEvent } from "../turn/agent-turn.ts";
import type { TurnSurroundings } from "../turn/prepare-turn.ts";
import type { ChildAgent } from "./child-agent.ts";

/** The turn of an agent as its host carries it out: with a log, questions and messages of its own, or without. */
export type RunChild = (hands: ChildHands) => AsyncGenerator<TurnEvent, FinishedTurn | Fault>;

export type ChildHands = Pick<TurnHands, "signal" | "inbox" | "ask" | "tell" | "pass" | "onTurn">;

export interface ChildHosting {
  /** Carries out a turn to its end, whatever happens in it. */
  carryOut(child: ChildAgent, job: NewJob, run: RunChild): Promise<FinishedTurn | Fault>;
}

export interface Sender {
  /** main, or an agent's id. */
  readonly id: string;
  readonly depth: number;
  /** Its kind; undefined for the session's own agent. */
  readonly agent: string | undefined;
  /** Whom it may send; undefined for everybody. */
  readonly spawns: readonly string[] | undefined;
  readonly surroundings: TurnSurroundings;
  readonly settings: Settings;
  /** Its model's full name. */
  readonly model: string;
  readonly isInteractive: boolean;
  readonly budget: Budget;
  readonly permissionMode: () => Settings["permission.mode"];
  readonly ask: AskPerson;
  /** What it has staged is there for those whom it sends. Undefined where a person asks an agent themselves. */
  readonly turn: Turn | undefined;
  /** Where it is stopped, so are all whom it has sent. Undefined before its turn has begun. */
  readonly signal?: AbortSignal | undefined;
  /** Whether its changes reach the disk at once. */
  readonly isImmediate: boolean;
}
