// What a host can offer a toolset. A toolset's opener names the capabilities that it takes (see open-toolset.ts); what
// costs something to make is a function, so that a host makes it only for a toolset that takes it.

import type { AgentBackground } from "@stet/agent/background/background";
import type { Subagents } from "@stet/agent/subagents";
import type { Meaning } from "@stet/meaning/meaning";
import type { Embedder } from "@stet/protocol/embedding";
import type { Fault } from "@stet/protocol/fault";
import type { Message } from "@stet/protocol/message";
import type { Question } from "@stet/protocol/question";
import type { Turn } from "@stet/workspace/turns/turns";
import type { Workspace } from "@stet/workspace/workspace";
import type { AgentPorts } from "./agents/agent-tools.ts";
import type { CodePorts } from "./code/code-toolset.ts";
import type { PaperSearches } from "./paper/paper-searches.ts";
import type { PermissionsOptions } from "./permission/permissions.ts";
import type { ProjectLimits } from "./project/project-toolset.ts";
import type { Sight } from "./sight/sight.ts";
import type { TokenBudget } from "./tabs/tabs-context.ts";

export interface Capabilities {
  readonly workspace: Workspace;
  readonly turn: Turn;
  readonly ask: AskPerson;
  /** The conversation so far. */
  readonly messages: () => readonly Message[];
  /** Undefined where no outputs are kept. */
  readonly readArtifact: ReadArtifact | undefined;
  /** What the session's model was shown of the files, also in earlier turns. */
  readonly sight: Sight;
  /** The person's rules, for toolsets without commands; undefined where everything may be read. */
  readonly readRules: ReadRules | undefined;
  /** Opens the index of meanings on the first search; undefined where nothing can be searched by meaning. */
  readonly meaning: OpenMeaning | undefined;
  readonly embedder: () => Promise<Embedder | undefined>;
  readonly subagents: () => Promise<Subagents | undefined>;
  readonly tokenBudget: TokenBudget;
  /** The searches that a session has kept. */
  readonly searches: () => Promise<PaperSearches | undefined>;
  /** The tab to work on; undefined for the one in front. */
  readonly tab: string | undefined;
  readonly projectLimits: Partial<ProjectLimits>;
  /** The other agents of the session; undefined where there are none. */
  readonly agents: AgentPorts | undefined;
  /** What may go on between turns; undefined where everything ends with the turn. */
  readonly background: AgentBackground | undefined;
  /** Commands and what they need to know of where they run. */
  readonly code: () => CodePorts;
}

/** What an opener takes of them. */
export type Needs<Name extends keyof Capabilities> = Pick<Capabilities, Name>;

/**
 * Asks the person for a call. The answer is the id of a permission's option, or words; `no_user_answer` when they skip it or
 * nobody is there.
 */
export type AskPerson = (question: Question, signal: AbortSignal, callId: string) => Promise<string>;

/** A part of a kept output, in whole lines where they fit; or why there is none. Lines and columns count from 1. */
export type ReadArtifact = (
  number: number,
  from: { readonly line: number; readonly column: number },
  limits: { readonly maxLines: number; readonly maxCharacters?: number },
) => ArtifactPart | Fault;

export interface ArtifactPart {
  readonly text: string;
  readonly totalLines: number;
  /** Where the next part begins. */
  readonly next: { readonly line: number; readonly column: number } | undefined;
}

export type OpenMeaning = () => Promise<Meaning | Fault>;

export type ReadRules = Pick<PermissionsOptions, "mode" | "rules" | "session" | "isInteractive">;
