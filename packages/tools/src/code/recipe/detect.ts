// Which runners a project has. Their files are read, nothing is run: what a project brings along is not to be executed by
// only looking at it. Tasks of a program that is not installed are not offered; the refusal of a task says what is missing.

import { isFault } from "@stet/protocol/fault";
import type { Workspace } from "@stet/workspace/workspace";
import { cargoTasks } from "./cargo-tasks.ts";
import { packageProgram, packageTasks } from "./package-tasks.ts";
import type { DetectedTasks, Runner } from "./runner.ts";
import { justTasks, makeTasks, taskfileTasks } from "./task-files.ts";

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

export async function detectTasks(
  files: ProjectFiles,
  hasProgram: (name: string) => boolean,
): Promise<DetectedTasks> {
  const all: Runner[] = [
    { id: "just", program: "just", tasks: justTasks(files) },
    { id: "pkg", program: packageProgram(files), tasks: await packageTasks(files) },
    { id: "cargo", program: "cargo", tasks: await cargoTasks(files) },
    { id: "make", program: "make", tasks: makeTasks(files) },
    { id: "task", program: "task", tasks: await taskfileTasks(files) },
  ];
  const withTasks = all.filter(({ tasks }) => tasks.length > 0);
  const runners = withTasks.filter(({ program }) => hasProgram(program));
  return { runners, missing: withTasks.filter((runner) => !runners.includes(runner)) };
}
