// What the tools of toolset code work with: one turn over a folder, on disk at once.

import type { KeepArtifact } from "@stet/agent/bound-output";
import type { Tool } from "@stet/agent/tool";
import type { Message } from "@stet/protocol/message";
import type { Turn } from "@stet/workspace/turns/turns";
import type { Workspace } from "@stet/workspace/workspace";
import type { AskPerson, ReadArtifact } from "../capabilities.ts";
import type { ReadPermissions } from "../permission/left-out.ts";
import type { Sight } from "../sight/sight.ts";
import type { CodeFiles } from "./code-files.ts";
import type { CodeSettings } from "./code-settings.ts";
import type { Display } from "./display.ts";
import type { Github } from "./github/github.ts";
import type { TodoEdit } from "./plan/todo.ts";
import type { Addresses } from "./read/addresses.ts";
import type { Conflicts } from "./read/conflicts.ts";
import type { LocalTexts } from "./read/local-source.ts";

export interface CodeContext extends ReadPermissions {
  readonly workspace: Workspace;
  readonly turn: Turn;
  readonly settings: CodeSettings;
  /** Files as the agent reads and changes them. */
  readonly files: CodeFiles;
  /** What the model has been shown of them. */
  readonly sight: Sight;
  /** Merge conflicts in what it has been shown. */
  readonly conflicts: Conflicts;
  /** How lines are shown: with anchors where the edit mode uses them. */
  readonly display: Display;
  readonly ask: AskPerson;
  /** Whether someone is there who can answer. */
  readonly isInteractive: boolean;
  /** The conversation so far: what earlier calls of tools told is found there. */
  readonly messages: () => readonly Message[];
  /** The newest list of tasks that the person wrote themselves. */
  readonly todoEdit?: (() => TodoEdit | undefined) | undefined;
  readonly readArtifact: ReadArtifact | undefined;
  readonly keepArtifact: KeepArtifact | undefined;
  /** What `rule://` and the like lead to. */
  readonly addresses?: Addresses | undefined;
  /** Where `local://` is. */
  readonly local: LocalTexts;
  /** GitHub through the person's own gh; opened, and its code loaded, when it is first asked. */
  readonly github: () => Promise<Github>;
  readonly shelf: Shelf;
}

/** The tools that a model is told of, and those that it can have when it needs them. */
export interface Shelf {
  /** Tools that are offered from the next request on. Names that are offered already, or unknown, change nothing. */
  offer(names: readonly string[]): void;
  readonly offered: readonly Tool[];
  readonly hidden: readonly Tool[];
}

/** One tool of the toolset. */
export type CodeTool = (context: CodeContext) => Tool;
