// Which runners a project has. Their files are read, nothing is run: what a project brings along is not to be executed by
// only looking at it.

import { isFault } from "@stet/protocol/fault";
import type { Workspace } from "@stet/workspace/workspace";
import { cargoTasks } from "./cargo-tasks.ts";
import { justTasks } from "./just-tasks.ts";
import { makeTasks } from "./make-tasks.ts";
import { packageTasks } from "./package-tasks.ts";
import type { Runner } from "./runner.ts";
import { taskfileTasks } from "./taskfile-tasks.ts";

/** Reads project files for the detection of tasks. */
export interface ProjectFiles {
  /** The text of a file; undefined where there is none. */
  read(path: string): string | undefined;
  list(glob: string): Promise<readonly string[]>;
}

const maxListed = 1000;

export function projectFiles(workspace: Workspace): ProjectFiles {
  return {
    read(path) {
      const text = workspace.documents.peek(path);
      return isFault(text) ? undefined : text.toString();
    },
    async list(glob) {
      const listing = await workspace.list({ glob, hidden: true, limit: maxListed, timeoutMs: 5000 });
      return isFault(listing) ? [] : listing.files;
    },
  };
}

export async function detectRunners(files: ProjectFiles): Promise<Runner[]> {
  const all: Runner[] = [
    { id: "just", tasks: justTasks(files) },
    { id: "pkg", tasks: await packageTasks(files) },
    { id: "cargo", tasks: await cargoTasks(files) },
    { id: "make", tasks: makeTasks(files) },
    { id: "task", tasks: await taskfileTasks(files) },
  ];
  return all.filter(({ tasks }) => tasks.length > 0);
}
