// Which folder is the workspace of someone who stands in a folder.
//
// Inside a git repository it is one for all subfolders, so that what waits for review is found from each of them: the nearest
// folder, up to the repository's root, that is a workspace already, else that root. Outside of one it is the folder itself.

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { dataFolder, hasState, homeFolder } from "./state-folder.ts";

/** `folder` is a real path, and so is the result. */
export function workspaceRootOf(folder: string, environment: NodeJS.ProcessEnv): string {
  const repository = repositoryRootOf(folder, environment);
  if (repository === undefined) return folder;
  const data = dataFolder(environment);
  return upTo(repository, folder).find((place) => hasState(place, data)) ?? repository;
}

/** A repository of the home folder counts only there: it holds dotfiles, and not what lies below. */
export function repositoryRootOf(folder: string, environment: NodeJS.ProcessEnv): string | undefined {
  const home = homeFolder(environment);
  for (let place = folder; ; place = dirname(place)) {
    if (place === home && place !== folder) return undefined;
    if (existsSync(join(place, ".git"))) return place;
    if (place === dirname(place)) return undefined;
  }
}

/** The folder and those above it, up to `top`. */
function upTo(top: string, folder: string): string[] {
  const places = [folder];
  for (let place = folder; place !== top && place !== dirname(place); ) {
    place = dirname(place);
    places.push(place);
  }
  return places;
}
