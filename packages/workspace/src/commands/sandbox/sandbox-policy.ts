// What a command in the sandbox can see and do, as one value. bubblewrap.ts, landlock.ts and sandbox-exec.ts each make of it
// what their system understands.
//
//   a closed list   Nothing of the disk is there unless it is listed: programs and settings of the system, the root, the
//                   person's tool chains, and what the person allows by settings. So other homes, mounted disks, and the
//                   sockets of services are not there either, whether or not anybody thought of them.
//   the deepest     Of two paths that lie in each other the inner one counts: a secret inside of a tool chain is hidden, a
//                   root inside of a hidden folder is shown.
//   the home        is a folder of ours. Where the root is the home folder itself, or above it, that cannot be: then the
//                   known places of credentials are hidden, one by one.

import type { Guards } from "../repositories/guarded-paths.ts";

export interface SandboxPolicy {
  readonly root: string;
  /** False for commands that were judged to read only. */
  readonly isRootWritable: boolean;
  /** Whether the network of the machine can be used. */
  readonly network: boolean;
  /** Whether the command has a terminal of its own, which it needs to control. */
  readonly hasTerminal: boolean;
  /** Folders of ours: /tmp, /var/tmp and the home folder. Where the root cannot be written, they cannot be either. */
  readonly private: readonly VisiblePath[];
  /** Beside the root. */
  readonly shown: readonly VisiblePath[];
  /** Links on the way to what is shown, `/bin` to `usr/bin`, and to our caches. */
  readonly links: readonly PathLink[];
  /** What is not there although it lies in something that is: real paths. */
  readonly hidden: readonly string[];
  readonly guards: Guards;
  /** Sockets of the machine that may be connected to. */
  readonly sockets: readonly string[];
}

/** `source` on the disk is seen as `path`. */
export interface VisiblePath {
  readonly path: string;
  readonly source: string;
  readonly access: "read" | "write";
}

export interface PathLink {
  readonly path: string;
  readonly target: string;
}

/** What the person allows beyond the usual: absolute paths, or such that begin with `~/`. */
export interface SandboxAccess {
  readonly readable?: readonly string[] | undefined;
  readonly writable?: readonly string[] | undefined;
  readonly sockets?: readonly string[] | undefined;
}

/** What is about paths, in the order of how deep they lie: the rule of a path comes after those of the folders above it. */
export function outerFirst<Item extends { readonly path: string }>(items: readonly Item[]): Item[] {
  const depth = ({ path }: Item) => (path === "/" ? 0 : path.split("/").length);
  return items.toSorted((one, other) => depth(one) - depth(other));
}
