import assert from "node:assert/strict";
import { test } from "node:test";
import { type CheckpointFile, holdsWords, shownTime, sizeOf, turnTitle } from "./checkpoint-words.ts";

const none = () => undefined;

test("a turn is called by what was asked", () => {
  assert.equal(turnTitle({ kind: "agent", summary: "Rename Tobias\nplease" }, none), "Rename Tobias");
  assert.equal(turnTitle({ kind: "agent", summary: "  " }, none), "A turn without words");
});

test("a rollback names what it took back, never an id", () => {
  const known = (turn: string) => (turn === "turn_ab12" ? "Rename Tobias to Elias" : undefined);
  const all = { kind: "rollback", summary: "Rollback to before turn_ab12" } as const;
  assert.equal(turnTitle(all, known), "Went back to before “Rename Tobias to Elias”");
  assert.equal(turnTitle(all, none), "Went back to before an earlier turn");
  const some = { kind: "rollback", summary: "Rollback of 2 hunks of turn_ab12" } as const;
  assert.equal(turnTitle(some, known), "Took back 2 changes of “Rename Tobias to Elias”");
  const undone = { kind: "rollback", summary: "Rollback to before turn_cd34" } as const;
  assert.equal(
    turnTitle(undone, () => "Rollback to before turn_ab12"),
    "Undid a rollback",
  );
});

test("a rejection that took the person's words with it is told as that, and so is the way back from it", () => {
  const rejection = { kind: "rollback", summary: "Rejection of 2 hunks with words of yours" } as const;
  assert.equal(turnTitle(rejection, none), "Rejected 2 changes with words of yours");
  const back = { kind: "rollback", summary: "Rollback to before turn_ab12" } as const;
  assert.equal(
    turnTitle(back, () => rejection.summary),
    "Brought back words of yours",
  );
});

test("times are near, of today, or of a day", () => {
  const now = new Date(2026, 4, 20, 15, 0).getTime();
  const at = (...parts: readonly [number, number, number, number, number]) =>
    new Date(...parts).toISOString();
  assert.equal(shownTime(at(2026, 4, 20, 15, 0), now), "just now");
  assert.equal(shownTime(at(2026, 4, 20, 14, 55), now), "5 min ago");
  assert.equal(shownTime(at(2026, 4, 20, 9, 5), now), "09:05");
  assert.equal(shownTime(at(2026, 4, 19, 9, 5), now), "19 May, 09:05");
  assert.equal(shownTime(at(2025, 4, 19, 9, 5), now), "19 May 2025, 09:05");
});

test("the filter looks at titles and files, in any order of words", () => {
  assert.ok(holdsWords("elias novel", "Rename Tobias to Elias", ["novel.md", null]));
  assert.ok(!holdsWords("elias poem", "Rename Tobias to Elias", ["novel.md"]));
  assert.ok(holdsWords("", "anything", []));
});

test("a rollback, which is kept as whole files, does not claim to have no changes", () => {
  const hunk: CheckpointFile["hunks"][number] = { hunk_id: "h", reverse_patch: "", verdict: null };
  const file = (hunks: (typeof hunk)[]) => {
    return { document: 1, file_path: "a.md", base_snapshot_hash: "", hunks };
  };
  assert.equal(sizeOf({ affected_files: [file([hunk, hunk])] }), "2 changes in 1 file");
  assert.equal(sizeOf({ affected_files: [file([]), file([])] }), "2 files");
  const rejected = { ...hunk, verdict: "rejected" as const };
  assert.equal(
    sizeOf({ affected_files: [file([hunk]), file([rejected])] }),
    "2 changes in 2 files, 1 rejected",
  );
  assert.equal(sizeOf({ affected_files: [file([rejected])] }), "1 change in 1 file, all rejected");
});
