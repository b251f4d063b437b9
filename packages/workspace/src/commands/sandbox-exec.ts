// The sandbox of macOS: a profile for `sandbox-exec`. Of several rules that fit, the last one counts.

import type { Guards } from "./guarded-paths.ts";

export interface ProfileOptions {
  readonly root: string;
  readonly temporaryFolder: string;
  readonly isRootWritable: boolean;
  readonly scratchFolder: string;
  readonly network: boolean;
  readonly guards: Guards;
  readonly secrets: readonly string[];
}

const devices = [
  "/dev/null",
  "/dev/zero",
  "/dev/stdout",
  "/dev/stderr",
  "/dev/dtracehelper",
  "/dev/tty",
  "/dev/ptmx",
];

/** Services that hand out what is in the keychain. */
const keychain = ["com.apple.SecurityServer", "com.apple.securityd.xpc"];

export function sandboxProfile(options: ProfileOptions): string {
  const { root, isRootWritable, network, guards, secrets } = options;
  const writable = isRootWritable ? [root, options.temporaryFolder] : [options.scratchFolder];
  const rules = [
    "(version 1)",
    "(allow default)",
    "(deny file-write*)",
    ...devices.map((path) => `(allow file-write* ${literal(path)})`),
    '(allow file-write* (regex #"^/dev/ttys[0-9]+$") (subpath "/dev/fd"))',
    `(allow file-write* ${writable.map(subpath).join(" ")})`,
    ...guards.readOnly.map(({ path }) => `(deny file-write* ${subpath(path)})`),
    // About the folder itself: what is in it is judged by its own path.
    ...[...guards.pinned, ...guards.watched.map(({ path }) => path)].map(
      (path) => `(deny file-write* ${literal(path)})`,
    ),
    ...secrets.map((path) => `(deny file-read* file-write* ${subpath(path)})`),
    ...keychain.map((name) => `(deny mach-lookup (global-name ${text(name)}))`),
    "(deny signal)",
    "(allow signal (target same-sandbox))",
    ...(network ? [] : ["(deny network*)"]),
  ];
  return rules.join("\n");
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
