// What each toolset says of itself: when its changes reach the disk, what it locks, what it needs, who may drive it.
// Everyone else asks for the policy and never compares a name.

import { type ToolsetName, type ToolsetPolicy, toolsetNames } from "@stet/protocol/toolset";

const common = {
  locksDocuments: false,
  runsCommands: false,
  needsTab: false,
  isChat: false,
  proposesCalls: false,
  hasJobLimit: false,
} as const;

const policies: Readonly<Record<ToolsetName, ToolsetPolicy>> = {
  project: {
    ...common,
    title: "Project",
    about: "All files of the folder; you review change by change, and can go on writing.",
    writes: "accept",
    proposesCalls: true,
    hasJobLimit: true,
  },
  tabs: {
    ...common,
    title: "Tabs",
    about: "The open documents, of any length; you review the turn as a whole.",
    writes: "turn",
    locksDocuments: true,
  },
  paper: {
    ...common,
    title: "Paper",
    about: "The document in front, in small steps that follow your text.",
    writes: "accept",
    needsTab: true,
    isChat: true,
    // One or two calls each.
    maxIterations: 15,
  },
  code: {
    ...common,
    title: "Code",
    about: "A programmer's tools: edits are on disk at once, commands run; you review and undo afterwards.",
    writes: "immediate",
    runsCommands: true,
  },
};

export function policyOf(name: ToolsetName): ToolsetPolicy {
  return policies[name];
}

/** The one that the chat API drives. */
export const chatToolset = toolsetNames.find((name) => policies[name].isChat) ?? toolsetNames[0];
