import assert from "node:assert/strict";
import { test } from "node:test";
import type { ReviewHunk } from "@stet/protocol/api/review";
import { allDecided, panelRows, previewOf, rowsInSight, rowTops, whyOf } from "./panel-rows.ts";

const hunk = (id: string, turns: string[], removed = ["one two"], added = ["one three"]): ReviewHunk => ({
  hunk_id: id,
  old_start: 1,
  new_start: 1,
  removed,
  added,
  origins: ["agent"],
  turns,
  rationales: [],
  reasons: [],
});

const turnOf = (turn: string) => ({
  turn,
  job_id: null,
  session_id: null,
  summary: turn,
  is_whole: false,
  is_on_disk: false,
  hunks: 1,
});

test("hunks stand under each turn that made them and their file, and a folded file hides only its own", () => {
  const files = [
    { document: 1, title: "a.md", file_path: "a.md", hunks: [hunk("h1", ["t1"]), hunk("h2", ["t1", "t2"])] },
    { document: 2, title: "b.md", file_path: "b.md", hunks: [hunk("h3", ["t1"])] },
  ];
  const turns = [turnOf("t1"), turnOf("t2")];
  const names = (folded: string[]) => panelRows(files, turns, [], new Set(folded)).map(({ key }) => key);
  const second = ["t1:2", "t1:h3", "t2", "t2:1", "t2:h2:why", "t2:h2"];
  assert.deepEqual(names([]), ["t1", "t1:1", "t1:h1", "t1:h2:why", "t1:h2", ...second]);
  assert.deepEqual(names(["t1:1"]), ["t1", "t1:1", ...second]);
});

test("a reason is said once for the changes that it is for, and they can be decided together", () => {
  const because = (id: string, why: string) => {
    return { ...hunk(id, ["t1"]), reasons: [{ turn: "t1", rationales: [why] }] };
  };
  const rowsOf = (...hunks: ReviewHunk[]) => {
    const file = { document: 1, title: "a.md", file_path: "a.md", hunks };
    return panelRows([file], [turnOf("t1")], [], new Set()).slice(2);
  };
  const rename = ["h1", "h3"].map((id) => because(id, "A new name"));
  const mixed = rowsOf(...rename.slice(0, 1), because("h2", "A typing error"), ...rename.slice(1));
  assert.deepEqual(
    mixed.map((row) => (row.kind === "why" ? [row.why, row.ids, row.isGroup] : row.key)),
    [["A new name", ["h1", "h3"], true], "t1:h1", "t1:h3", ["A typing error", ["h2"], false], "t1:h2"],
  );
  // Where all of a file is one group, the file's row decides it.
  assert.deepEqual(
    rowsOf(...rename).map((row) => row.kind === "why" && row.isGroup),
    [false, false, false],
  );
});

test("a large change says so, also where the agent gave a reason", () => {
  const large = { ...hunk("h", ["t"], [], Array(140).fill("x")), oversized_hunk: true };
  const reasons = [{ turn: "t", rationales: ["It was asked for"] }];
  assert.equal(whyOf(large, "t"), "Large: 140 lines");
  assert.equal(whyOf({ ...large, reasons }, "t"), "Large: 140 lines · It was asked for");
  assert.equal(whyOf(hunk("h", ["t"]), "t"), "");
});

test("a change that two requests made is explained by each request's own reason", () => {
  const reasons = ["t1", "t2"].map((turn) => ({ turn, rationales: [`the reason of ${turn}`] }));
  const shared = { ...hunk("h", ["t1", "t2"]), reasons };
  assert.equal(whyOf(shared, "t1"), "the reason of t1 · Another request changed this, too");
  assert.equal(whyOf(shared, "t2"), "the reason of t2 · Another request changed this, too");
});

test("of an open document, decisions are listed as it knows them, once", () => {
  const decided = [{ hunk_id: "h", verdict: "accepted" as const, new_start: 1, lines: 1 }];
  const open = { document: 1, file_path: null, title: "a.md", decided: [] };
  const told = [1, 2].map((document) => ({ document, file_path: "x.md", title: "x.md", decided }));
  assert.deepEqual(
    allDecided([open], told).map(({ document, decided: { length } }) => [document, length]),
    [
      [1, 0],
      [2, 1],
    ],
  );
});

test("a thousand rows draw only those in sight", () => {
  const hunks = Array.from({ length: 1000 }, (_, index) => hunk(`h${index}`, ["t1"]));
  const rows = panelRows([{ document: 1, title: "a", file_path: "a", hunks }], [turnOf("t1")], [], new Set());
  const tops = rowTops(rows);
  const { first, last, top, height } = rowsInSight(tops, 20_000, 600);
  assert.ok(last - first < 50);
  assert.ok(top <= 20_000 - 200 && (tops[last] ?? 0) >= 20_600);
  assert.equal(height, 56 + 36 + 28_000);
  assert.deepEqual(rowsInSight(rowTops([]), 0, 600), { first: 0, last: 0, top: 0, height: 0 });
});

test("a preview begins shortly before the first word that differs", () => {
  const long = "These are quite a few words that stay, then ";
  const shown = previewOf(hunk("h", ["t"], [`${long}Tobias laughed.`], [`${long}Elias laughed.`]));
  assert.deepEqual(
    shown.map(({ kind }) => kind),
    ["same", "removed", "added", "same"],
  );
  assert.equal(shown[0]?.text, "…stay, then ");
});

test("a preview shows the word that differs, also at the end of a very long line", () => {
  const long = "word ".repeat(2000);
  const shown = previewOf(hunk("h", ["t"], [`${long}Tobias`], [`${long}Elias`]));
  assert.deepEqual(shown.slice(1), [
    { kind: "removed", text: "Tobias" },
    { kind: "added", text: "Elias" },
  ]);
});
