// What bash, job and monitor work with beside the rest of toolset code: commands, permission for each of them, notice of what
// they change on disk, and what may go on in the background.

import type { AgentBackground } from "@stet/agent/background/background";
import type { Tool, ToolContext } from "@stet/agent/tool";
import type { Fault } from "@stet/protocol/fault";
import type { Commands } from "@stet/workspace/commands/commands";
import type { CommandPermit, CommandTarget } from "../../permission/permission-rule.ts";
import type { CodeContext } from "../code-context.ts";

export interface BashContext extends CodeContext {
  /** May be started when it is first asked for. The toolset closes it, or hands it over, at the end of the turn. */
  readonly commands: Commands;
  readonly background: AgentBackground;
  permitCommand(call: ToolContext, target: CommandTarget): Promise<CommandPermit | Fault>;
  /** Carries out an action that may change files, and tells which files of the root are different afterwards. */
  aroundCommand<T>(writes: MayWrite, action: () => Promise<T>): Promise<Around<T>>;
}

/** Whether a command may change files of the root: never where the sandbox keeps it from that. */
export type MayWrite = "never" | "unlikely" | "maybe";

export function mayWrite({ isReadOnly, isSandboxed }: CommandPermit): MayWrite {
  if (!isReadOnly) return "maybe";
  return isSandboxed ? "never" : "unlikely";
}

export interface Around<T> extends Effect {
  readonly result: T;
}

/** What a command did to the folder. */
export interface Effect {
  /** Paths from the root, with what became of them where that is not a change of their text. */
  readonly changed: readonly string[];
  /** Of these, what cannot be taken back: what was there before is not kept. */
  readonly lost: readonly string[];
}

export const noEffect: Effect = { changed: [], lost: [] };

/** A tool that runs commands. */
export type BashTool = (context: BashContext) => Tool;
