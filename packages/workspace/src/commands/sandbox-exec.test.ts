import assert from "node:assert/strict";
import { test } from "node:test";
import { sandboxProfile } from "./sandbox-exec.ts";

const options = {
  root: '/Users/a/my "project"',
  temporaryFolder: "/private/tmp/stet/tmp",
  isRootWritable: true,
  scratchFolder: "/private/tmp/stet/scratch",
  network: false,
  guards: {
    readOnly: [{ path: "/r/.git/hooks", kind: "folder" as const }],
    pinned: ["/r/.git"],
    watched: [{ path: "/r/.git/commondir", target: undefined }],
  },
  secrets: ["/Users/a/.ssh"],
};

test("the profile of macOS denies last what must not be done, because its last rule counts", () => {
  const profile = sandboxProfile(options);
  const at = (rule: string) => {
    const index = profile.indexOf(rule);
    assert.ok(index >= 0, rule);
    return index;
  };
  assert.ok(profile.startsWith("(version 1)\n(allow default)\n(deny file-write*)\n"));
  const root = at('(subpath "/Users/a/my \\"project\\"")');
  assert.ok(root < at('(deny file-write* (subpath "/r/.git/hooks"))'));
  assert.ok(root < at('(deny file-write* (literal "/r/.git"))'));
  assert.ok(root < at('(deny file-write* (literal "/r/.git/commondir"))'));
  assert.ok(root < at('(deny file-read* file-write* (subpath "/Users/a/.ssh"))'));
  at("(deny network*)");
  const reading = sandboxProfile({ ...options, isRootWritable: false });
  assert.ok(reading.includes('(allow file-write* (subpath "/private/tmp/stet/scratch"))'));
  assert.equal(reading.includes('(subpath "/Users/a/my'), false);
  assert.equal(sandboxProfile({ ...options, network: true }).includes("network"), false);
});

test("the brackets of the profile are balanced whatever a path is called", () => {
  for (const root of ["/a(b", "/a)b", '/a"b', "/a\\", "/a;b"]) {
    const plain = sandboxProfile({ ...options, root }).replace(/"(?:[^"\\]|\\.)*"/g, "");
    assert.equal(plain.split("(").length, plain.split(")").length, root);
  }
});
