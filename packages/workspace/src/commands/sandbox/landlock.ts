// Landlock: a boundary that a process puts up for itself and all that it starts, beside the mounts of the sandbox. It says once
// more where files may be written, and does what no mount can: abstract sockets of the machine, which are in its network and
// not on its disk, cannot be connected to where the network is allowed.
//
// No shell can make the system calls that it takes, and setpriv of util-linux can only from 2.40 on and without the sockets.
// Perl can, and is part of nearly every Linux; where it is missing, or the kernel is older than 6.2, the sandbox does without.

import { isInside } from "../repositories/guard-path.ts";
import { type ProgramSearch, trustedProgram } from "../trusted-program.ts";
import type { SandboxPolicy } from "./sandbox-policy.ts";
import { systemFolders } from "./tool-chains.ts";

/**
 * Arguments: paths below which files may be written, `--`, a command. Numbers are the kernel's: rights to write, remove and
 * make files of all kinds, to link, rename and cut them (version 3 of its interface), and from version 6 on the scopes of
 * abstract sockets and signals. Of a path that is no folder only writing and cutting can be granted.
 */
const script = `
my $version = syscall(444, 0, 0, 1);
exit 126 if $version < 3;
my $writing = 0x7ff2;
my $rules = syscall(444, my $asked = pack("QQQ", $writing, 0, $version < 6 ? 0 : 3), $version < 4 ? 8 : $version < 6 ? 16 : 24, 0);
exit 126 if $rules < 0;
while (@ARGV && (my $path = shift) ne "--") {
  sysopen(my $file, $path, 0x280000) or next;
  my $rule = pack("Ql", -d $path ? $writing : 0x4002, fileno $file);
  syscall(445, $rules, 1, $rule, 0) == 0 or exit 126;
}
syscall(446, $rules, 0) == 0 or exit 126;
exec { $ARGV[0] } @ARGV or exit 127;
`;

/** A Perl that is there in the sandbox as well. */
export function findPerl(search: ProgramSearch): string | undefined {
  const perl = trustedProgram("perl", search);
  return perl !== undefined && systemFolders.some((folder) => isInside(folder, perl)) ? perl : undefined;
}

/** What stands before the words of a command that may write below some paths. */
export function landlockWords(perl: string, writable: readonly string[]): string[] {
  return [perl, "-e", script, ...writable, "--"];
}

export function writablePaths(policy: SandboxPolicy): string[] {
  const { root, isRootWritable, guards, shown } = policy;
  const written = [...policy.private, ...shown].flatMap(({ path, access }) =>
    access === "write" ? [path] : [],
  );
  // Those of the system are held by its own means: devices by their modes, /proc by mounts.
  return ["/dev", "/proc", ...(isRootWritable ? [root, ...guards.pinned] : []), ...written];
}
