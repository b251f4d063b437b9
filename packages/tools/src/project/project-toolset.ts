// Toolset project: search, read, list, ask, and structured edits that become hunks. Lines count from 1.

import type { Turn } from "@stet/workspace/turns/turns";
import type { Workspace } from "@stet/workspace/workspace";
import type { AskPerson, OpenMeaning, ReadArtifact } from "../capabilities.ts";
import type { ReadPermissions } from "../permission/left-out.ts";
import { prompt } from "../prompt.ts";
import { Sight } from "../sight/sight.ts";
import { withSight } from "../sight/with-sight.ts";
import type { Toolset } from "../toolset.ts";
import { clarifyUser } from "./clarify-user.ts";
import { editFile } from "./edit-file.ts";
import { listFilesTool } from "./list-files.ts";
import { readFileTool } from "./read-file.ts";
import { searchProject } from "./search-project.ts";

export interface ProjectLimits {
  readonly searchResults: number;
  readonly searchResultsCap: number;
  readonly searchSnippetLines: number;
  readonly readBytes: number;
  readonly readLines: number;
  readonly listedFiles: number;
}

export const defaultProjectLimits: ProjectLimits = {
  searchResults: 20,
  searchResultsCap: 50,
  searchSnippetLines: 20,
  readBytes: 65_536,
  readLines: 800,
  listedFiles: 2000,
};

export interface ProjectContext extends ReadPermissions {
  readonly workspace: Workspace;
  readonly turn: Turn;
  readonly ask: AskPerson;
  readonly readArtifact: ReadArtifact | undefined;
  readonly limits: ProjectLimits;
  /** What the model was shown of the files, also in earlier turns of the session. */
  readonly sight: Sight;
  /** Undefined where nothing can be searched by meaning. */
  readonly meaning: OpenMeaning | undefined;
}

export interface ProjectOptions {
  readonly limits?: Partial<ProjectLimits>;
  readonly readArtifact?: ReadArtifact | undefined;
  readonly meaning?: OpenMeaning | undefined;
  readonly sight?: Sight | undefined;
  /** Everything may be read unless given. */
  readonly reading?: ReadPermissions | undefined;
}

const unlimited: ReadPermissions = { permit: async () => undefined, readEffect: () => () => "allow" };

export function projectToolset(
  workspace: Workspace,
  turn: Turn,
  ask: AskPerson,
  { limits = {}, readArtifact, meaning, sight = new Sight(), reading = unlimited }: ProjectOptions = {},
): Toolset {
  sight.begin(turn.id);
  const context: ProjectContext = {
    workspace,
    turn,
    ask,
    readArtifact,
    limits: { ...defaultProjectLimits, ...limits },
    sight,
    meaning,
    permit: reading.permit,
    readEffect: reading.readEffect,
  };
  const tools = [searchProject, readFileTool, listFilesTool, editFile, clarifyUser].map((tool) =>
    withSight(tool(context), sight),
  );
  return { name: "project", system: prompt(import.meta.url, "system"), tools, state: () => turn.state() };
}
