// What a toolset needs of its host to send agents to work, and to speak with them.

import type { TaskMode } from "@stet/protocol/agent-modes";
import type { Fault } from "@stet/protocol/fault";
import type { Usage } from "@stet/protocol/message";
import type * as z from "zod";
import type { AgentDefinition } from "./agent-definition.ts";

export interface Delegation {
  /** Whether agents go on while the one who sent them works. */
  readonly isAsync: boolean;
  readonly mode: TaskMode;
  /** Read anew for each call, so that a file that was just written counts. A call asks this before it names or sends any. */
  agents(): Promise<readonly AgentDefinition[]>;
  /** Why this agent may not be sent from here: by whom it was sent itself, or how deep that is. */
  refusal(agent: string): string | undefined;
  /** Names for new agents, in the order of the wishes: `Look` becomes `0-Look`. */
  allocate(wishes: readonly string[]): readonly string[];
  /** Sends an agent, or one that has ended once more, where `id` is its name. Never rejects. */
  send(child: ChildRequest): SentChild;
  /** Whether an agent of this name has worked here and can be asked again; undefined where there is none. */
  standing(id: string): ChildStanding | undefined;
}

export interface ChildStanding {
  readonly agent: string;
  readonly isRunning: boolean;
}

export interface ChildRequest {
  readonly id: string;
  readonly agent: AgentDefinition;
  readonly description: string;
  readonly assignment: string;
  readonly context: string | undefined;
  /** The form of its result, and how it was written; undefined for a text. */
  readonly schema: ResultSchema | undefined;
  /** Whether it wants a folder of its own; undefined leaves it to the agent and the settings. */
  readonly isolated: boolean | undefined;
  /** What it ends with: aborted where the call is. */
  readonly signal?: AbortSignal | undefined;
}

export interface ResultSchema {
  readonly schema: z.ZodType;
  readonly source: unknown;
}

export interface SentChild {
  readonly id: string;
  readonly ended: Promise<ChildResult>;
  /** What it does now, in a line. */
  step(): string;
  cancel(): void;
}

export interface ChildResult {
  readonly id: string;
  readonly agent: string;
  readonly agentSource: string;
  readonly description: string;
  readonly assignment: string;
  readonly status: "completed" | "failed" | "aborted";
  /** 0 where it has done what it was asked. */
  readonly exitCode: number;
  /** What it gave back: text, or JSON. */
  readonly output: string;
  /** Why it failed, or what to know of its result. */
  readonly stderr: string;
  readonly abortReason?: string | undefined;
  readonly truncated: boolean;
  readonly durationMs: number;
  readonly usage: Usage;
  /** Where the whole output is, and what it changed but could not be brought back. */
  readonly outputPath?: string | undefined;
  readonly patchPath?: string | undefined;
  readonly branchName?: string | undefined;
  /** Its changes, as a turn of the ledger; undefined where it changed nothing. */
  readonly turn?: string | undefined;
  /** Paths that it changed. */
  readonly changed: readonly string[];
  readonly conflicts: readonly ChildConflict[];
  readonly findings: readonly Finding[];
}

/** A change that did not fit any more, with both sides. */
export interface ChildConflict {
  readonly path: string;
  /** From 1, in the file as it is now. */
  readonly line: number;
  readonly theirs: readonly string[];
  readonly own: readonly string[];
}

export interface Finding {
  readonly title: string;
  readonly body: string;
  readonly priority: "P0" | "P1" | "P2" | "P3";
  readonly confidence: number;
  readonly file_path: string;
  readonly line_start: number;
  readonly line_end: number;
}

/** What an agent that was sent gives back, and how often it was reminded of that. */
export interface Assignment {
  readonly schema: ResultSchema | undefined;
  readonly findings: Finding[];
  /** Undefined until it has yielded. */
  yielded: { readonly result: unknown } | { readonly error: string } | undefined;
  reminders: number;
}

/** The other agents of the session, as one of them speaks to them. */
export interface AgentMessages {
  readonly self: string;
  peers(): readonly Peer[];
  /** Says something to one of them; with a reply where that is wanted. */
  say(to: string, message: string, awaitReply: boolean, signal: AbortSignal): Promise<Said | Fault>;
}

export interface Peer {
  readonly id: string;
  readonly agent: string;
  readonly status: "running" | "idle";
  readonly description: string;
}

export interface Said {
  readonly reply: string | undefined;
}
