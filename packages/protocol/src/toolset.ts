// The toolsets by name, and what a host or a front end may know of one without opening it. The policies themselves are
// declared in the tools package; no other package compares names.

export const toolsetNames = ["project", "tabs", "paper", "code"] as const;

export type ToolsetName = (typeof toolsetNames)[number];

export const defaultToolset: ToolsetName = "project";

/** When its changes reach the disk: at once; when a hunk was accepted; when the whole turn was, or nothing of it. */
export const writePolicies = ["immediate", "accept", "turn"] as const;

export interface ToolsetPolicy {
  /** As a person picks it. */
  readonly title: string;
  readonly about: string;
  readonly writes: (typeof writePolicies)[number];
  /** Whether its turn locks documents against all other editors. */
  readonly locksDocuments: boolean;
  /** Whether it runs commands, which want a sandbox. */
  readonly runsCommands: boolean;
  /** Whether it works on one tab, chosen when it is asked: the one in front unless named. */
  readonly needsTab: boolean;
  /** Whether the chat API drives it. */
  readonly isChat: boolean;
  /** Whether the arguments of its editing calls are a job's proposed edits. */
  readonly proposesCalls: boolean;
  /** Rounds that a turn may take at most; as configured unless given. */
  readonly maxIterations?: number;
  /** Whether a job has a limit of calls of its own, beside the configured one of a turn. */
  readonly hasJobLimit: boolean;
}
