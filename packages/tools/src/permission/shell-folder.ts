// Where a shell is after a command that succeeded.

import { posix } from "node:path";
import { type Folders, literalOf, type ShellWord } from "./shell-step.ts";

/** Commands that may take the shell anywhere. */
const anywhere = new Set([".", "eval", "popd", "pushd", "source"]);
const passedOn = new Set(["builtin", "command", "time"]);

export function folderAfter(words: readonly ShellWord[], folders: Folders): Folders {
  const name = literalOf(words[0]);
  if (name === undefined || anywhere.has(name)) return undefined;
  if (passedOn.has(name) && words.length > 1) {
    const rest = words.slice(1).filter((word) => !word.source.startsWith("-"));
    return rest.length === 0 ? folders : folderAfter(rest, folders);
  }
  if (name !== "cd") return folders;
  const targets = words.slice(1).filter((word) => literalOf(word) !== "--");
  if (targets.length === 0) return ["~"];
  const target = literalOf(targets[0]);
  if (target === undefined || targets.length > 1 || target === "" || target.startsWith("-")) return undefined;
  if (target.startsWith("/") || target.startsWith("~")) return [target];
  // `cd` follows the names that were typed, so `a/..` is where it started, even when `a` is a link.
  return folders?.map((folder) => (folder === "." ? posix.normalize(target) : posix.join(folder, target)));
}
