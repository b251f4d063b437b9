// Where a shell is after a command, by how the command ended.

import { posix } from "node:path";
import { forEachChild, type SyntaxNode } from "unbash";
import { type Folders, literalOf, literalWord, type ShellWord } from "./shell-step.ts";

export interface Ends {
  readonly success: Folders;
  readonly failure: Folders;
}

const maxFolders = 8;

/** Commands that may take the shell anywhere. */
const anywhere = new Set([".", "eval", "popd", "pushd", "source"]);
const passedOn = new Set(["builtin", "command", "time"]);

/** Where it is after a command that succeeded. */
function folderAfter(words: readonly ShellWord[], folders: Folders): Folders {
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

/** Where it is after a command, which may have changed the folder and failed nevertheless. */
export function endsOf(words: readonly ShellWord[], folders: Folders): Ends {
  const mayBeAnywhere = folderAfter(words, ["."]) === undefined;
  return { success: folderAfter(words, folders), failure: mayBeAnywhere ? undefined : folders };
}

export function both(folders: Folders): Ends {
  return { success: folders, failure: folders };
}

export function either(a: Folders, b: Folders): Folders {
  if (a === undefined || b === undefined) return undefined;
  const all = [...new Set([...a, ...b])];
  return all.length > maxFolders ? undefined : all;
}

export function anyOf(all: readonly Folders[]): Folders {
  return all.reduce((sum, folders) => either(sum, folders), []);
}

export function after({ success, failure }: Ends): Folders {
  return either(success, failure);
}

/** Whether something in a loop changes the folder: then nobody can tell how often. */
export function changesFolder(node: SyntaxNode): boolean {
  let found = false;
  const look = (child: SyntaxNode): void => {
    if (child.type === "Command" && child.name !== undefined) {
      const words = [child.name, ...child.suffix.filter((part) => part.type === "Word")];
      const known = words.map(
        (word): ShellWord =>
          word.parts === undefined ? literalWord(word.value) : { kind: "unknown", source: word.text },
      );
      if (folderAfter(known, ["."])?.join() !== ".") found = true;
    }
    forEachChild(child, look);
  };
  forEachChild(node, look);
  return found;
}
