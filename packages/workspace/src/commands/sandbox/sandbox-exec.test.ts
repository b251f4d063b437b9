// The profile of macOS, read by a parser of its grammar and judged as the system does: the last rule that fits counts. It was
// never run on a Mac.

import assert from "node:assert/strict";
import { test } from "node:test";
import { sandboxProfile } from "./sandbox-exec.ts";
import type { SandboxPolicy } from "./sandbox-policy.ts";

const policy: SandboxPolicy = {
  root: '/Users/a/my "project"',
  isRootWritable: true,
  network: false,
  hasTerminal: false,
  private: [{ path: "/private/tmp", source: "/private/var/folders/x/stet/tmp", access: "write" }],
  shown: [
    { path: "/usr", source: "/usr", access: "read" },
    { path: "/Users/a/.cargo", source: "/Users/a/.cargo", access: "read" },
    { path: "/Users/a/data", source: "/Users/a/data", access: "write" },
  ],
  links: [],
  hidden: ["/Users/a/.cargo/credentials.toml", "/private/etc/master.passwd"],
  guards: {
    readOnly: [{ path: '/Users/a/my "project"/.git/hooks', kind: "folder" }],
    pinned: ['/Users/a/my "project"/.git'],
    watched: [{ path: '/Users/a/my "project"/.git/commondir', target: undefined }],
  },
  sockets: ["/private/tmp/agent.sock"],
};

type Form = string | Quoted | readonly Form[];
interface Quoted {
  readonly kind: "text" | "regex";
  readonly value: string;
}

/** form = "(" form* ")" | symbol | string | `#"` regular expression `"` */
function parse(text: string): readonly Form[] {
  const token = /\s+|;[^\n]*|([()])|#"((?:[^"\\]|\\.)*)"|"((?:[^"\\]|\\.)*)"|([^\s()";#]+)/gy;
  const stack: Form[][] = [[]];
  while (token.lastIndex < text.length) {
    const at = token.lastIndex;
    const match = token.exec(text);
    assert.ok(match, `no form at ${JSON.stringify(text.slice(at, at + 40))}`);
    const [, bracket, regex, string, symbol] = match;
    const inner = stack.at(-1);
    assert.ok(inner);
    if (bracket === "(") stack.push([]);
    else if (bracket === ")") {
      const form = stack.pop();
      assert.ok(form && stack.length > 0, "a bracket that was never opened");
      stack.at(-1)?.push(form);
    } else if (regex !== undefined) inner.push({ kind: "regex", value: regex });
    else if (string !== undefined) inner.push({ kind: "text", value: string.replaceAll(/\\(.)/g, "$1") });
    else if (symbol !== undefined) inner.push(symbol);
  }
  assert.equal(stack.length, 1, "a bracket that was never closed");
  return stack[0] ?? [];
}

const operations = new Set(
  "default file-read* file-read-metadata file-write* network* network-outbound mach-lookup signal".split(" "),
);

interface Asked {
  readonly operation: string;
  readonly path?: string;
  readonly socket?: string;
}

function isFitting(filter: Form, asked: Asked): boolean {
  assert.ok(Array.isArray(filter), "a filter is a form");
  const [name, first, second] = filter as readonly Form[];
  const value = typeof first === "object" && "value" in first ? first.value : "";
  if (name === "literal") return asked.path === value;
  if (name === "subpath") return asked.path === value || (asked.path ?? "").startsWith(`${value}/`);
  if (name === "regex") return new RegExp(value).test(asked.path ?? "");
  if (name === "target" || name === "global-name") return false;
  assert.ok(name === "local" || name === "remote", `an unknown filter: ${String(name)}`);
  const isSocket = first === "unix-socket" || (Array.isArray(first) && first[0] === "unix-socket");
  assert.ok(isSocket, "of a network only sockets are told apart");
  if (asked.socket === undefined) return false;
  return second === undefined || isFitting(second, { operation: asked.operation, path: asked.socket });
}

function isAllowed(profile: string, asked: Asked): boolean {
  const [version, ...rules] = parse(profile);
  assert.deepEqual(version, ["version", "1"]);
  let allowed = false;
  for (const rule of rules) {
    assert.ok(Array.isArray(rule));
    const [action, ...rest] = rule as readonly Form[];
    assert.ok(action === "allow" || action === "deny", `an unknown action: ${String(action)}`);
    const named = rest.filter((word) => typeof word === "string");
    assert.ok(named.length > 0);
    for (const each of named) assert.ok(operations.has(each), `an unknown operation: ${each}`);
    const filters = rest.filter((word) => typeof word !== "string");
    const isMeant = named.some(
      (each) =>
        each === "default" ||
        each === asked.operation ||
        (each.endsWith("*") && asked.operation.startsWith(each.slice(0, -1))),
    );
    const fits = filters.length === 0 || filters.some((filter) => isFitting(filter, asked));
    if (isMeant && fits) allowed = action === "allow";
  }
  return allowed;
}

const root = policy.root;

const cases: readonly [operation: string, path: string, isAllowed: boolean][] = [
  ["file-read*", "/usr/bin/env", true],
  ["file-write*", "/usr/bin/env", false],
  ["file-read*", "/Users/a/Documents/letter", false],
  ["file-read*", "/Users/b/x", false],
  ["file-read*", "/Volumes/disk/x", false],
  ["file-read*", "/Users/a/.ssh/id_ed25519", false],
  ["file-read*", "/Users/a/.cargo/bin/x", true],
  ["file-write*", "/Users/a/.cargo/bin/x", false],
  ["file-read*", "/Users/a/.cargo/credentials.toml", false],
  ["file-read*", "/private/etc/master.passwd", false],
  ["file-write*", "/Users/a/data/x", true],
  ["file-read*", `${root}/file`, true],
  ["file-write*", `${root}/file`, true],
  ["file-write*", `${root}/.git/hooks/x`, false],
  ["file-write*", `${root}/.git`, false],
  ["file-write*", `${root}/.git/commondir`, false],
  ["file-write*", `${root}/.git/index`, true],
  ["file-write*", "/private/var/folders/x/stet/tmp/x", true],
  ["file-write*", "/dev/null", true],
  ["file-write*", "/dev/disk0", false],
];

test("the profile of macOS allows what the policy shows, and nothing of what it hides", () => {
  const profile = sandboxProfile(policy);
  for (const [operation, path, expected] of cases) {
    assert.equal(isAllowed(profile, { operation, path }), expected, `${operation} ${path}`);
  }
  const reading = sandboxProfile({ ...policy, isRootWritable: false });
  assert.equal(isAllowed(reading, { operation: "file-write*", path: `${root}/file` }), false);
  assert.equal(isAllowed(reading, { operation: "file-read*", path: `${root}/file` }), true);
});

test("on macOS a command reaches the network only where it is allowed, and only its own and the listed sockets", () => {
  const connect = { operation: "network-outbound" };
  for (const network of [false, true]) {
    const profile = sandboxProfile({ ...policy, network });
    assert.equal(isAllowed(profile, connect), network);
    assert.equal(isAllowed(profile, { ...connect, socket: "/var/run/docker.sock" }), false);
    assert.equal(isAllowed(profile, { ...connect, socket: "/private/tmp/agent.sock" }), true);
    assert.equal(isAllowed(profile, { ...connect, socket: `${root}/own.sock` }), true);
  }
});

test("the profile can be parsed whatever a path is called", () => {
  for (const path of ["/a(b", "/a)b", '/a"b', "/a\\", "/a;b", '/a" (allow default) "']) {
    const profile = sandboxProfile({ ...policy, root: path });
    assert.equal(isAllowed(profile, { operation: "file-write*", path: `${path}/x` }), true, path);
    assert.equal(isAllowed(profile, { operation: "file-write*", path: "/usr/x" }), false, path);
  }
});
