import assert from "node:assert/strict";
import { test } from "node:test";
import { ProposedEdits } from "./proposed-edits.ts";

let count = 0;

function edit(edits: ProposedEdits, line: number, removed: number, added: number, file_path = "a.md"): void {
  count += 1;
  const id = String(count);
  const call = { file_path, operation: "replace", start_line: line, new_text: "x" };
  edits.observe({ type: "tool_start", id, name: "edit_file", arguments: call, traits: ["edits"] });
  const details = { report: { affected: [{ line, removed, added }] } };
  const end = {
    type: "tool_end",
    id,
    name: "edit_file",
    isError: false,
    content: "",
    details,
    durationMs: 1,
  } as const;
  edits.observe(end);
}

const hunk = (newStart: number, lines: number) => ({
  newStart,
  added: Array.from({ length: lines }, () => ""),
});

test("each hunk knows the edits that it came from, also after later edits moved it", () => {
  const edits = new ProposedEdits();
  edit(edits, 10, 1, 1);
  edit(edits, 20, 2, 0);
  edit(edits, 5, 1, 4);
  edit(edits, 5, 1, 1, "./b.md");
  assert.deepEqual(edits.inHunk("a.md", hunk(13, 1)), ["e_1"]);
  assert.deepEqual(edits.inHunk("a.md", hunk(23, 0)), ["e_2"], "a deletion has no lines of its own");
  assert.deepEqual(edits.inHunk("a.md", hunk(5, 4)), ["e_3"]);
  assert.deepEqual(edits.inHunk("b.md", hunk(5, 1)), ["e_4"]);
  assert.deepEqual(edits.inHunk("a.md", hunk(14, 1)), [], "the line after is not part of it");
});

test("what was placed before a turn was suspended is there when it goes on", () => {
  const before = new ProposedEdits();
  edit(before, 10, 1, 1);
  const edits = new ProposedEdits(JSON.parse(JSON.stringify(before.placed)));
  edit(edits, 1, 0, 5);
  assert.deepEqual(
    edits.edits.map(({ edit_id }) => edit_id),
    ["e_1", "e_2"],
  );
  assert.deepEqual(edits.inHunk("a.md", hunk(15, 1)), ["e_1"]);
});

test("an edit that was refused is not proposed", () => {
  const edits = new ProposedEdits();
  edits.observe({ type: "tool_start", id: "x", name: "edit_file", arguments: { file_path: "a.md" } });
  const refused = {
    type: "tool_end",
    id: "x",
    name: "edit_file",
    isError: true,
    content: "",
    details: {},
    durationMs: 1,
  };
  edits.observe(refused as Parameters<ProposedEdits["observe"]>[0]);
  assert.deepEqual(edits.edits, []);
});
