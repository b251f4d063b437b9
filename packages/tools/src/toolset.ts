// A toolset: the tools of one dialect, with the words that tell a model how to use them.

import type { Tool } from "@stet/agent/tool";

export const toolsetNames = ["project", "tabs", "paper"] as const;

export type ToolsetName = (typeof toolsetNames)[number];

export interface Toolset {
  readonly name: string;
  readonly system: string;
  readonly tools: readonly Tool[];
  /** Rounds that a turn may take at most, where the dialect says so. */
  readonly maxIterations?: number;
  /** Changes with every edit. */
  state(): string;
}
