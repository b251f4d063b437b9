// What the sandbox of this system consists of, in lines for people.

import type { Resource } from "./resource-limits.ts";
import type { FoundSandbox } from "./sandbox.ts";

/** `bounded` is what a control group bounds. Empty where there is no sandbox. */
export function sandboxReport(sandbox: FoundSandbox, bounded: readonly Resource[]): string[] {
  if (sandbox.kind === "none") return [];
  const home = "the home folder is closed but for tool chains, and sockets of the machine are not there";
  if (sandbox.kind === "sandbox-exec") return [`sandbox-exec, which was never tried by us; ${home}`];
  const { users, filter, perl } = sandbox;
  return [
    `bubblewrap; ${home}`,
    {
      closed: "no namespaces of users can be made in it",
      open: "namespaces of users can be made in it, because bubblewrap is older than 0.8",
      none: "without a namespace of users, which this system does not allow",
    }[users],
    filter === undefined
      ? "system calls are not filtered, which this processor or kernel does not allow"
      : "system calls are filtered",
    perl === undefined
      ? "without Landlock, which takes Perl and Linux 6.2 or newer"
      : "Landlock holds beside the mounts",
    `processes are bounded ${by("processes", bounded)}, memory ${by("memoryBytes", bounded)}`,
  ];
}

function by(resource: Resource, bounded: readonly Resource[]): string {
  if (bounded.includes(resource)) return "by a control group";
  return "by a look every second and the limits of the shell, because no control group can be made";
}
