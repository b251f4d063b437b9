import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { startScriptedModel } from "@stet/testkit/scripted-model";
import { StetProject } from "@stet/testkit/stet-project";

test("a turn without review is accepted, and its session says so", async (t) => {
  const edit = { file_path: "n.txt", operation: "insert", start_line: 1, new_text: "zero" };
  const model = await startScriptedModel([
    { toolCalls: [{ name: "edit_file", arguments: edit }] },
    { text: "Done." },
  ]);
  t.after(() => model.close());
  const place = new StetProject(t, { "n.txt": "one\n" });
  const env = { OPENAI_COMPATIBLE_BASE_URL: `${model.url}/v1` };
  const ended = await place.stet(["--model", "openai-compatible/m", "--review", "none", "-p", "Edit."], {
    env,
  });
  assert.deepEqual([ended.code, place.read("n.txt")], [0, "zero\none\n"], ended.note);
  const [file = ""] = globSync(`${place.environment.STET_DATA_DIR}/**/*.jsonl`);
  const entries = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string; verdict?: string; turnId?: string; hunks?: string[] });
  const turn = entries.find(({ type }) => type === "turn");
  const decision = entries.find(({ type }) => type === "decision");
  assert.deepEqual([decision?.verdict, decision?.turnId], ["accepted", turn?.turnId]);
  assert.equal(decision?.hunks?.length, 1);
});
