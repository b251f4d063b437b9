import assert from "node:assert/strict";
import { test } from "node:test";
import { CheckpointRows, chosenOf, tickedOf, withAll } from "./checkpoint-rows.ts";
import type { Checkpoint } from "./checkpoint-words.ts";

function checkpoint(id: string, files: Record<string, readonly string[]>): Checkpoint {
  return {
    checkpoint_id: `ckpt_${id}`,
    session_id: null,
    job_id: null,
    turn: `turn_${id}`,
    kind: "agent",
    summary: id,
    created_at: "2026-05-20T10:00:00.000Z",
    affected_files: Object.entries(files).map(([file_path, hunks], index) => ({
      document: index + 1,
      file_path,
      base_snapshot_hash: "",
      hunks: hunks.map((hunk_id) => ({ hunk_id, reverse_patch: "@@ -1 +1 @@\n-a\n+b", verdict: null })),
    })),
  };
}

test("only an open checkpoint shows its files and hunks, in order", () => {
  const [one, other] = [checkpoint("a", { "x.md": ["h1", "h2"], "y.md": ["h3"] }), checkpoint("b", {})];
  const rows = new CheckpointRows().of([one, other], new Set(["ckpt_a"]));
  assert.deepEqual(
    rows.map(({ kind }) => kind),
    ["checkpoint", "actions", "file", "hunk", "hunk", "file", "hunk", "checkpoint"],
  );
});

test("a list that is loaded anew keeps its rows, so that nothing loses the focus", () => {
  const one = checkpoint("a", { "x.md": ["h1"] });
  const rows = new CheckpointRows();
  const first = rows.of([one], new Set(["ckpt_a"]));
  const second = rows.of([checkpoint("new", {}), one], new Set(["ckpt_a"]));
  assert.deepEqual(
    second.slice(1).map((row, index) => row === first[index]),
    [true, true, true, true],
  );
});

test("a file is ticked in part where only some of its hunks are", () => {
  const one = checkpoint("a", { "x.md": ["h1", "h2"] });
  const [file] = one.affected_files;
  assert.ok(file !== undefined);
  assert.equal(tickedOf(file, new Set()), "none");
  assert.equal(tickedOf(file, new Set(["h2"])), "some");
  const all = withAll(new Set(["other"]), ["h1", "h2"], true);
  assert.equal(tickedOf(file, all), "all");
  assert.deepEqual(chosenOf(one, all), ["h1", "h2"]);
  assert.deepEqual([...withAll(all, ["h1", "h2"], false)], ["other"]);
});
