// The sandbox of Linux: the arguments of bubblewrap.
//
//   files       an empty disk on which the policy's list is mounted: to be read, but for the root, /tmp and the home folder.
//               What is guarded can be read only, what is hidden is an empty folder or /dev/null
//   sockets     those of the machine are not on the list
//   processes   namespaces of their own for users, processes, messages and the host name, without any capability, and no
//               further namespace of users can be made; gone with us
//   kernel      what it can be told through /proc is read-only for root, who could write it without any capability
//   network     none, not even the loopback of the machine, unless it is allowed
//
// A mount covers what lies below it, so the outer ones come first.

import { existsSync, lstatSync, statSync } from "node:fs";
import { outerFirst, type SandboxPolicy } from "./sandbox-policy.ts";

interface Mount {
  readonly path: string;
  readonly words: readonly string[];
}

const kernelPaths = [
  "/proc/sys",
  "/proc/sysrq-trigger",
  "/proc/irq",
  "/proc/bus",
  "/proc/mtrr",
  "/proc/acpi",
  "/proc/fs",
];

/**
 * A namespace of users of its own in which no further one can be made, one in which that is possible (bubblewrap before
 * 0.8), or none (root in a container that does not allow it).
 */
export type UserNamespace = "closed" | "open" | "none";

export const userNamespaces: readonly UserNamespace[] = ["closed", "open", "none"];

const userWords: Readonly<Record<UserNamespace, readonly string[]>> = {
  closed: ["--unshare-user", "--disable-userns"],
  open: ["--unshare-user"],
  none: [],
};

const namespaces = [
  "--unshare-pid",
  "--unshare-ipc",
  "--unshare-uts",
  "--unshare-cgroup-try",
  "--cap-drop",
  "ALL",
];

export interface Boundary {
  readonly users: UserNamespace;
  /** The descriptor of a filter of system calls; undefined where there is none. */
  readonly filter: number | undefined;
}

/** What a test has to make to know that this system allows it. */
export function probeArguments({ users, filter }: Boundary): string[] {
  return [
    ...(filter === undefined ? [] : ["--seccomp", String(filter)]),
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--ro-bind-try", "/proc/sys", "/proc/sys"],
    ...[...userWords[users], ...namespaces, "--unshare-net", "--die-with-parent", "--new-session"],
  ];
}

export function bubblewrapArguments(policy: SandboxPolicy, { users, filter }: Boundary): string[] {
  const { network, hasTerminal, root, private: folders } = policy;
  const mounts = outerFirst(mountsOf(policy));
  // Only now: the places of the mounts in them had to be made first.
  const closed = mounts.filter(
    ({ path, words }) =>
      words[0] === "--tmpfs" || folders.some((each) => each.access === "read" && each.path === path),
  );
  return [
    ...mounts.flatMap((mount) => mount.words),
    ...closed.flatMap(({ path }) => ["--remount-ro", path]),
    ...(root === "/" ? [] : ["--remount-ro", "/"]),
    ...userWords[users],
    ...namespaces,
    ...(network ? [] : ["--unshare-net"]),
    ...(filter === undefined ? [] : ["--seccomp", String(filter)]),
    "--die-with-parent",
    // Without a session of its own a command could type at the terminal that Stet runs in.
    ...(hasTerminal ? [] : ["--new-session"]),
    "--chdir",
    root,
    "--",
  ];
}

function mountsOf(policy: SandboxPolicy): Mount[] {
  const { root, isRootWritable, guards } = policy;
  const mounts: Mount[] = [];
  const mount = (path: string, ...words: string[]) => mounts.push({ path, words });
  const readOnly = (path: string, source = path) => mount(path, "--ro-bind", source, path);
  for (const { path, target } of policy.links) mount(path, "--symlink", target, path);
  mount(root, isRootWritable ? "--bind" : "--ro-bind", root, root);
  mount("/dev", "--dev", "/dev");
  mount("/proc", "--proc", "/proc");
  if (process.getuid?.() === 0)
    for (const path of kernelPaths.filter((each) => existsSync(each))) readOnly(path);
  for (const { path, source, access } of policy.shown) {
    mount(path, access === "read" ? "--ro-bind" : "--bind", source, path);
  }
  // A link is covered by what covers its target.
  for (const { path, source } of policy.private.filter((each) => !isLink(each.path))) {
    mount(path, "--bind", source, path);
  }
  for (const path of guards.pinned) mount(path, isRootWritable ? "--bind" : "--ro-bind", path, path);
  if (isRootWritable) for (const { path } of guards.readOnly) readOnly(path);
  for (const path of policy.hidden) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) mount(path, "--tmpfs", path);
    else readOnly(path, "/dev/null");
  }
  for (const path of policy.sockets) readOnly(path);
  return mounts;
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}
