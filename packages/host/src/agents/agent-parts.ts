// What a session's agents need of their host.

import type { AgentBackground } from "@stet/agent/background/background";
import type { SessionStore } from "@stet/session/session-store";
import type { Session } from "@stet/session/session-tree";
import type { AgentDefinition } from "@stet/tools/agents/agent-definition";
import type { AgentTree } from "./agent-tree.ts";
import type { ChildHosting } from "./sender.ts";

export interface AgentParts {
  readonly tree: AgentTree;
  readonly hosting: ChildHosting;
  readonly files: SessionStore;
  readonly dataFolder: string;
  /** Whether agents may go on while the one who sent them works on, or has ended. */
  readonly isAsync: boolean;
  /** An agent's own part of what goes on in the background. */
  backgroundOf(agent: string): AgentBackground;
  /** Those that can be sent now. */
  discover(): Promise<readonly AgentDefinition[]>;
  /** Does something to the session itself, where that can be opened. */
  withSession(action: (session: Session) => void): Promise<void> | void;
}
