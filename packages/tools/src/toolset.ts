// A toolset: the tools of one dialect, with the words that tell a model how to use them.

import type { Hook } from "@stet/agent/hooks";
import type { Tool } from "@stet/agent/tool";
import type { Fault } from "@stet/protocol/fault";

export interface Toolset {
  readonly name: string;
  readonly system: string;
  /** May grow while a turn goes on. */
  readonly tools: readonly Tool[];
  /** Changes with every edit. */
  state(): string;
  /** What the toolset does beside its tools: reminders, warnings. */
  readonly hooks?: readonly Hook[];
  /** Why a tool that there is is not offered yet, and what brings it. */
  missing?(name: string): Fault | undefined;
  /** Ends everything that the tools have started. Before the turn is committed. */
  close?(): Promise<void>;
}
