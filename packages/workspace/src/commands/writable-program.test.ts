import assert from "node:assert/strict";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "@stet/testkit/temporary";
import { isWritableProgram } from "./trusted-program.ts";

test("a program of the workspace, or one that leads there, is never taken for the system's", (t) => {
  const program = "#!/bin/sh\n";
  const root = temporaryFolder(t, { "node_modules/.bin/eslint": program, "node_modules/.bin/ls": program });
  const bin = join(root, "node_modules", ".bin");
  for (const name of ["eslint", "ls"]) chmodSync(join(bin, name), 0o755);
  // Not below /tmp, which is another folder to commands in the sandbox.
  const outside = mkdtempSync(join(import.meta.dirname, "bin-"));
  t.after(() => rmSync(outside, { recursive: true }));
  symlinkSync(join(bin, "eslint"), join(outside, "linked"));
  symlinkSync("/bin/ls", join(outside, "list"));
  mkdirSync(join(outside, "in"));
  symlinkSync(root, join(outside, "in", "workspace"));
  const listed = mkdtempSync(join(import.meta.dirname, "listed-"));
  t.after(() => rmSync(listed, { recursive: true }));
  copyFileSync("/bin/ls", join(listed, "own"));
  const isWritable = (name: string, ...folders: string[]) =>
    isWritableProgram(name, { path: [...folders, "/usr/bin", "/bin"].join(":"), root, writable: [listed] });
  assert.equal(isWritable("ls"), false);
  assert.equal(isWritable("ls", bin), false, "commands that read do not look in the workspace");
  assert.equal(isWritable("eslint", bin), true, "there is only the workspace's");
  assert.equal(isWritable("eslint", join(outside, "in", "workspace", "node_modules", ".bin")), true);
  assert.equal(isWritable("linked", outside), true);
  assert.equal(isWritable("list", outside), false);
  assert.equal(isWritable("own", listed), true, "a folder that the person lets commands write");
  assert.equal(isWritable("no-such-program"), false);
  const temporary = temporaryFolder(t, { tool: program });
  chmodSync(join(temporary, "tool"), 0o755);
  assert.equal(isWritable("tool", temporary), true, "commands can write below /tmp");
});
