// What the tools of this dialect work with: the tabs as one turn sees them.

import type { Subagents } from "@stet/agent/subagents";
import type { Meaning } from "@stet/meaning/meaning";
import type { Fault } from "@stet/protocol/fault";
import type { Turn } from "@stet/workspace/turns/turns";
import type { Workspace } from "@stet/workspace/workspace";
import type { ReadEffect } from "../permission/left-out.ts";
import type { Sight } from "../sight/sight.ts";

/** In tokens; the settings `ai.tokenBudget.*`. */
export interface TokenBudget {
  /** What one read may return. */
  readonly initialRead: number;
  /** What one subagent gets of a document. */
  readonly chunkSize: number;
  /** What stays free for the answer. */
  readonly responseReserve: number;
}

export const defaultTokenBudget: TokenBudget = { initialRead: 6000, chunkSize: 4000, responseReserve: 2000 };

export interface TabsContext {
  readonly workspace: Workspace;
  readonly turn: Turn;
  readonly tokenBudget: TokenBudget;
  /** Undefined, or why not, where no document can be searched by meaning. */
  readonly meaning: Meaning | Fault | undefined;
  /** Undefined where no model can be asked for parts of a document. */
  readonly subagents: Subagents | undefined;
  /** What the model was shown of the documents. */
  readonly sight: Sight;
  /** What the person's rules say to reading a file; everything may be read unless given. */
  readonly readEffect?: ReadEffect | undefined;
}
