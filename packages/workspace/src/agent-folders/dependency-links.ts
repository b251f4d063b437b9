// Folders of installed packages are not copied: an agent gets a folder of the same name whose entries are links. What a link
// in it leads to inside the workspace (a package of the same repository) is the agent's own copy of that.

import { mkdirSync, readdirSync, readlinkSync, symlinkSync } from "node:fs";
import { join } from "node:path";

const names = new Set(["node_modules", "bower_components", ".venv", "venv", ".yarn", "vendor", "Pods"]);

export function isDependencyFolder(name: string): boolean {
  return names.has(name);
}

export function linkDependencies(source: string, root: string, folder: string): void {
  mkdirSync(join(root, folder), { recursive: true });
  for (const entry of readdirSync(join(source, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const target = entry.isSymbolicLink() ? readlinkSync(join(source, path)) : undefined;
    if (target !== undefined) symlinkSync(target, join(root, path));
    // A scope or a folder of programs holds packages or links, and is no package itself.
    else if (entry.isDirectory() && (entry.name.startsWith("@") || entry.name === ".bin"))
      linkDependencies(source, root, path);
    else symlinkSync(join(source, path), join(root, path));
  }
}
