import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { isFault } from "./fault.ts";
import { attempt, systemFault } from "./system-fault.ts";

function errno(code: string): Error {
  return Object.assign(new Error(code), { code, errno: -1, syscall: "write" });
}

test("what the system refuses has the code of its kind and names the file", () => {
  const codes = { ENOSPC: "disk_full", EDQUOT: "disk_full", EACCES: "not_permitted", EPERM: "not_permitted" };
  const paths = { ENAMETOOLONG: "invalid_path", ENOTDIR: "invalid_path", ELOOP: "invalid_path" };
  const more = { EROFS: "not_permitted", ENOENT: "file_not_found", EIO: "io_failed", EMFILE: "io_failed" };
  for (const [code, expected] of Object.entries({ ...codes, ...paths, ...more })) {
    const fault = systemFault(errno(code), "written", "notes.md");
    assert.equal(fault.error, expected);
    assert.match(fault.message, /^notes\.md could not be written: .*\.$/);
    assert.deepEqual(fault.details, { path: "notes.md", code });
  }
});

test("a real refusal becomes a fault, a bug stays an exception", () => {
  const fault = attempt("read", "x", () => readFileSync("/nowhere/at/all"));
  assert.ok(isFault(fault) && fault.error === "file_not_found");
  const bug = () => {
    throw new TypeError("a bug");
  };
  assert.throws(() => attempt("read", "x", bug), TypeError);
  const invalid = { code: "ERR_INVALID_ARG_TYPE" };
  assert.throws(() => systemFault(Object.assign(new TypeError("a bug"), invalid), "read", "x"), TypeError);
});
