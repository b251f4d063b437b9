// The sample project, as a copy that a person may do anything with.
//
// It is made once, in Stet's data folder, so that they find their changes again. A fresh one takes its place; the old one
// stays beside it as lighthouse-1, -2 …, together with everything that Stet knows of it. The copy is complete before it has
// its name.

import { cpSync, existsSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Fault, isFault } from "@stet/protocol/fault";
import { systemFault } from "@stet/protocol/system-fault";
import { makePrivateFolder } from "@stet/storage/private-files";

const name = "lighthouse";

export interface Sample {
  readonly folder: string;
  /** Where the former copy is now. */
  readonly former?: string;
}

export async function sampleProject(
  environment: NodeJS.ProcessEnv,
  options: { readonly isFresh: boolean },
): Promise<Sample | Fault> {
  const { dataFolder } = await import("@stet/workspace/files/state-folder");
  const data = dataFolder(environment);
  const samples = join(data, "samples");
  const folder = join(samples, name);
  const former = options.isFresh && existsSync(folder) ? await putAside(folder, data) : undefined;
  if (isFault(former)) return former;
  if (!existsSync(folder)) {
    const fault = copyTo(folder, samples);
    if (fault !== undefined) return fault;
  }
  return former === undefined ? { folder } : { folder, former };
}

function copyTo(folder: string, samples: string): Fault | undefined {
  const original = originalFolder();
  if (original === undefined) return notThere();
  const unfinished = `${folder}.${process.pid}`;
  try {
    makePrivateFolder(samples);
    cpSync(original, unfinished, { recursive: true });
    renameSync(unfinished, folder);
    return undefined;
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Another process may have been faster.
    return existsSync(folder) ? undefined : systemFault(error, "copied as the sample project", folder);
  }
}

/** Beside the packed program, or in the repository. */
function originalFolder(): string | undefined {
  const program = dirname(fileURLToPath(import.meta.url));
  const places = ["../examples", "../../../examples"].map((place) => join(program, place, name));
  return places.find((place) => existsSync(join(place, "novel.md")));
}

/** What Stet knows of a folder follows it when it is looked for there before anything new is at the old place. */
async function putAside(folder: string, data: string): Promise<string | Fault> {
  const [{ Workspace }, { stateFolder }] = await Promise.all([
    import("@stet/workspace/workspace"),
    import("@stet/workspace/files/state-folder"),
  ]);
  const workspace = await Workspace.open(folder, { dataFolder: data });
  if (isFault(workspace)) return workspace;
  const holder = workspace.holderOf("serve");
  workspace.close();
  if (holder !== undefined) return inUse(holder.pid);
  const { path } = workspace.root;
  let number = 1;
  while (existsSync(`${path}-${number}`)) number += 1;
  const former = `${path}-${number}`;
  try {
    renameSync(path, former);
  } catch (error) {
    return systemFault(error, "moved out of the way", folder);
  }
  const state = stateFolder(former, data);
  return isFault(state) ? state : former;
}

function inUse(pid: number): Fault {
  return new Fault(
    "workspace_busy",
    `The sample project is being served, by process ${pid}, so it cannot be replaced now.`,
    "End that server and start again. Nothing was changed.",
    { pid },
  );
}

function notThere(): Fault {
  return new Fault(
    "file_not_found",
    "The sample project is not part of this installation.",
    "Serve a folder of your own with --root DIR, or install Stet again.",
  );
}
