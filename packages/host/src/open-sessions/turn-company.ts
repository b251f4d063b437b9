// What a turn needs of the session around it: what may go on after it, and the other agents. An open session is one; a command
// that ends with its turn has one that opens a session when the first agent is sent (see on-demand-session.ts).

import type { AgentBackground } from "@stet/agent/background/background";
import type { Sender } from "../agents/sender.ts";
import type { OtherAgents } from "../turn/agent-turn.ts";

/** The session's own agent as a sender: everything that is not the same for each turn of it. */
export type MainSender = Omit<Sender, "id" | "depth" | "agent" | "spawns">;

export interface TurnCompany {
  /** The own agent's part of what goes on in the background. */
  readonly ownBackground: AgentBackground;
  /** What a turn of the session's own agent gets of the others. */
  othersFor(text: string, sender: MainSender): Promise<OtherAgents>;
}
