// What the package brings along: which packages run something when they are installed, and what an installation gets.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type Lock, shrinkwrapOf } from "./shrinkwrap.ts";

const root = join(import.meta.dirname, "..");
const lock: Lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));

test("every package that runs a script when it is installed is listed in docs/security.md, and no other", () => {
  const text = readFileSync(join(root, "docs/security.md"), "utf8");
  const section = text.slice(text.indexOf("# Dependencies"));
  const rows = section.split("\n").filter((line) => line.startsWith("| `"));
  const listed = rows.flatMap((row) =>
    [...(row.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  );
  const locked = Object.entries(lock.packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript === true)
    .map(([place]) => place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length));
  assert.deepEqual(listed.sort(), [...new Set(locked)].sort());
});

test("a shrinkwrap has what the package needs on every platform, and nothing of the repository's own", () => {
  const dependencies = { "@parcel/watcher": "^2.0.0", "@ast-grep/napi": "^0.1.0" };
  const { packages } = shrinkwrapOf(lock, {
    name: "stet",
    version: "1.0.0",
    dependencies,
  }) as unknown as Lock;
  const places = Object.keys(packages);
  assert.ok(places.includes("node_modules/@parcel/watcher-win32-x64"), "also for other platforms");
  assert.ok(places.includes("node_modules/picomatch"), "also what a dependency needs");
  for (const own of ["node_modules/typescript", "node_modules/vite", "packages/cli"])
    assert.ok(!places.includes(own), own);
  for (const place of places.slice(1)) {
    assert.match(packages[place]?.integrity ?? "", /^sha512-/, place);
    assert.equal(packages[place]?.version, lock.packages[place]?.version);
  }
  assert.doesNotMatch(JSON.stringify(packages), /"(?:resolved|dev|devOptional|funding)"/);
});
