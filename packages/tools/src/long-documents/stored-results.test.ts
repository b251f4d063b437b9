import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "@stet/testkit/temporary";
import { keyOf, StoredResults } from "./stored-results.ts";

const parts = { modelId: "a/b", tool: { name: "t", description: "d" }, system: "s", prompt: "p" };

test("whatever a result depends on is part of its key", () => {
  const keys = [
    parts,
    { ...parts, modelId: "a/c" },
    { ...parts, tool: { name: "u", description: "d" } },
    { ...parts, system: "s2" },
    { ...parts, prompt: "p2" },
    { ...parts, system: "", prompt: "sp" },
  ].map(keyOf);
  assert.equal(new Set(keys).size, keys.length);
  assert.equal(keyOf({ ...parts }), keys[0]);
});

test("stored results outlive the process, within their limit, and a damaged file is as if empty", (t) => {
  const folder = temporaryFolder(t);
  const path = join(folder, "results.sqlite");
  const first = StoredResults.open(path);
  first?.set("a", { forms: ["x"] });
  first?.close();
  const second = StoredResults.open(path, 20);
  assert.deepEqual(second?.get("a"), { forms: ["x"] });
  second?.set("b", "0123456789012345");
  second?.close();
  const third = StoredResults.open(path);
  assert.deepEqual([third?.get("a"), third?.get("b")], [undefined, "0123456789012345"]);
  third?.close();
  writeFileSync(join(folder, "damaged.sqlite"), "not a database, not at all".repeat(100));
  const damaged = StoredResults.open(join(folder, "damaged.sqlite"));
  assert.equal(damaged?.get("a"), undefined);
  damaged?.set("a", 1);
  assert.equal(damaged?.get("a"), 1);
  damaged?.close();
});
