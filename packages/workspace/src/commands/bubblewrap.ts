// The sandbox of Linux: the arguments of bubblewrap.
//
//   files       the disk can be read and not be written. The root can, but for what is guarded, and so can /tmp, a folder of
//               ours; neither can where the command was judged to only read.
//               Secrets are covered: by an empty folder, or by /dev/null
//   sockets     a mount that is read-only does not keep anyone from a socket on it, so /run (the container engines, the
//               person's session bus) is empty but for what resolves names
//   processes   namespaces of their own for processes, messages and the host name, without any capability, and gone with us
//   kernel      what it can be told through /proc is read-only: root without capabilities could write it otherwise
//   network     none, not even the loopback of the machine, unless it is allowed
//
// A mount covers what lies below it, so the outer ones come first.

import { existsSync, lstatSync, statSync } from "node:fs";
import type { Guards } from "./guarded-paths.ts";

export interface BubblewrapOptions {
  readonly root: string;
  /** Where it is not, /tmp cannot be written either. */
  readonly isRootWritable: boolean;
  readonly temporaryFolder: string;
  /** Mounted on `scratchPath` where the root cannot be written. */
  readonly scratchFolder: string;
  readonly network: boolean;
  readonly guards: Guards;
  readonly secrets: readonly string[];
  /** Whether the command has a terminal of its own, which it needs to control. */
  readonly hasTerminal: boolean;
}

interface Mount {
  readonly path: string;
  readonly words: readonly string[];
}

/** Temporary files of commands that may only read. It exists in every sandbox. */
export const scratchPath = "/dev/shm";

const kernelPaths = [
  "/proc/sys",
  "/proc/sysrq-trigger",
  "/proc/irq",
  "/proc/bus",
  "/proc/mtrr",
  "/proc/acpi",
  "/proc/fs",
];

const temporaryPaths = ["/tmp", "/var/tmp"];

const runPaths = [
  "/run/systemd/resolve",
  "/run/resolvconf",
  "/run/NetworkManager/resolv.conf",
  "/run/current-system",
  "/run/opengl-driver",
];

const namespaces = [
  "--unshare-pid",
  "--unshare-ipc",
  "--unshare-uts",
  "--unshare-cgroup-try",
  "--cap-drop",
  "ALL",
];

/** What a test has to make to know that this system allows it. */
export const probeArguments: readonly string[] = [
  ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--ro-bind-try", "/proc/sys", "/proc/sys"],
  ...[...namespaces, "--unshare-net", "--die-with-parent", "--new-session"],
];

export function bubblewrapArguments(options: BubblewrapOptions): string[] {
  const { network, hasTerminal, root, isRootWritable } = options;
  const mounts = mountsOf(options).toSorted((one, other) => depth(one.path) - depth(other.path));
  // Only now: the places of the mounts in them had to be made first.
  const closed = mounts.filter(
    ({ path, words }) => words[0] === "--tmpfs" || (!isRootWritable && temporaryPaths.includes(path)),
  );
  return [
    ...mounts.flatMap((mount) => mount.words),
    ...closed.flatMap(({ path }) => ["--remount-ro", path]),
    ...namespaces,
    ...(network ? [] : ["--unshare-net"]),
    "--die-with-parent",
    // Without a session of its own a command could type at the terminal that Stet runs in.
    ...(hasTerminal ? [] : ["--new-session"]),
    "--chdir",
    root,
    "--",
  ];
}

function mountsOf(options: BubblewrapOptions): Mount[] {
  const { root, isRootWritable, temporaryFolder, scratchFolder, guards, secrets } = options;
  const mounts: Mount[] = [];
  const mount = (path: string, ...words: string[]) => mounts.push({ path, words });
  const readOnly = (path: string) => mount(path, "--ro-bind", path, path);
  if (root !== "/") readOnly("/");
  mount(root, isRootWritable ? "--bind" : "--ro-bind", root, root);
  mount("/dev", "--dev", "/dev");
  mount("/proc", "--proc", "/proc");
  for (const path of kernelPaths.filter((each) => existsSync(each))) readOnly(path);
  if (existsSync("/run")) mount("/run", "--tmpfs", "/run");
  for (const path of runPaths.filter((each) => existsSync(each))) readOnly(path);
  for (const path of temporaryPaths) {
    if (path !== root && isRealFolder(path)) mount(path, "--bind", temporaryFolder, path);
  }
  if (isRootWritable) {
    for (const path of guards.pinned) mount(path, "--bind", path, path);
    for (const { path } of guards.readOnly) readOnly(path);
  } else mount(scratchPath, "--bind", scratchFolder, scratchPath);
  for (const path of secrets) {
    if (path === root) continue;
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) mount(path, "--tmpfs", path);
    else mount(path, "--ro-bind", "/dev/null", path);
  }
  return mounts;
}

/** A link is covered by what covers its target. */
function isRealFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function depth(path: string): number {
  return path === "/" ? 0 : path.split("/").length;
}
