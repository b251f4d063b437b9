// The sandbox of macOS: a profile for `sandbox-exec`, from the same policy as everywhere. Of several rules that fit, the last
// one counts, so the rules of a path come after those of the folders that it lies in.
//
// Nothing can be mounted there: a private folder is at its own path, and commands are led to it by variables.

import { outerFirst, type SandboxPolicy } from "./sandbox-policy.ts";

const devices = [
  "/dev/null",
  "/dev/zero",
  "/dev/stdout",
  "/dev/stderr",
  "/dev/dtracehelper",
  "/dev/tty",
  "/dev/ptmx",
];

/** Folders in which people and services keep theirs. What else there is on the disk belongs to the system. */
const closedFolders = ["/Users", "/Volumes", "/private/var", "/private/tmp", "/Network", "/home"];

/** Services that hand out what is in the keychain. */
const keychain = ["com.apple.SecurityServer", "com.apple.securityd.xpc"];

interface PathRule {
  readonly path: string;
  readonly rule: string;
}

export function sandboxProfile(policy: SandboxPolicy): string {
  const { network, guards, sockets } = policy;
  const paths = outerFirst(pathRules(policy));
  // About the folder itself: what is in it is judged by its own path.
  const pinned = [...guards.pinned, ...guards.watched.map(({ path }) => path)];
  const rules = [
    "(version 1)",
    "(allow default)",
    "(deny file-write*)",
    `(deny file-read* ${closedFolders.map(subpath).join(" ")})`,
    // Without it no program would find its way to what is allowed.
    "(allow file-read-metadata)",
    ...paths.map(({ rule }) => rule),
    ...devices.map((path) => `(allow file-write* ${literal(path)})`),
    '(allow file-write* (regex #"^/dev/ttys[0-9]+$") (subpath "/dev/fd"))',
    ...pinned.map((path) => `(deny file-write* ${literal(path)})`),
    ...keychain.map((name) => `(deny mach-lookup (global-name ${text(name)}))`),
    "(deny signal)",
    "(allow signal (target same-sandbox))",
    ...(network ? ["(deny network-outbound (remote unix-socket))"] : ["(deny network*)"]),
    ...ownSockets(policy).map((path) => `(allow network* (${path}))`),
    ...sockets.map((path) => `(allow network-outbound (remote unix-socket ${literal(path)}))`),
  ];
  return rules.join("\n");
}

function pathRules(policy: SandboxPolicy): PathRule[] {
  const { root, isRootWritable, guards } = policy;
  const rules: PathRule[] = [];
  const rule = (path: string, words: string) => rules.push({ path, rule: `(${words} ${subpath(path)})` });
  for (const { source, access } of [...policy.shown, ...policy.private]) {
    rule(source, "allow file-read*");
    if (access === "write") rule(source, "allow file-write*");
  }
  rule(root, "allow file-read*");
  if (isRootWritable) rule(root, "allow file-write*");
  for (const { path } of guards.readOnly) rule(path, "deny file-write*");
  for (const path of policy.hidden) rule(path, "deny file-read* file-write*");
  return rules;
}

/** Sockets that a command makes itself. */
function ownSockets({ root, private: folders }: SandboxPolicy): string[] {
  return [root, ...folders.map(({ source }) => source)].flatMap((path) => [
    `local unix-socket ${subpath(path)}`,
    `remote unix-socket ${subpath(path)}`,
  ]);
}

function literal(path: string): string {
  return `(literal ${text(path)})`;
}

function subpath(path: string): string {
  return `(subpath ${text(path)})`;
}

function text(value: string): string {
  return `"${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
