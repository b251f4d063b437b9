// What one turn in the terminal loads: not the server, and nothing that only HTTP needs.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startScriptedModel } from "@stet/testkit/scripted-model";
import { StetProject } from "@stet/testkit/stet-project";
import { temporaryFolder } from "@stet/testkit/temporary";

test("a turn in the terminal loads neither the server nor hono nor the schemas of routes", async (t) => {
  const edit = { file_path: "n.txt", operation: "insert", start_line: 1, new_text: "zero" };
  const model = await startScriptedModel([
    { toolCalls: [{ name: "edit_file", arguments: edit }] },
    { text: "Done." },
  ]);
  t.after(() => model.close());
  const place = new StetProject(t, { "n.txt": "one\n" });
  const coverage = temporaryFolder(t);
  const env = { OPENAI_COMPATIBLE_BASE_URL: `${model.url}/v1`, NODE_V8_COVERAGE: coverage };
  const ended = await place.stet(["--model", "openai-compatible/m", "--review", "none", "-p", "Edit."], {
    env,
    as: "process",
  });
  assert.deepEqual([ended.code, place.read("n.txt")], [0, "zero\none\n"], ended.note);
  const loaded = readdirSync(coverage).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(coverage, name), "utf8")) as {
      result: { url: string }[];
    };
    return result.map(({ url }) => url);
  });
  assert.ok(loaded.some((url) => url.includes("/packages/host/src/turn/prepare-turn.ts")));
  const unwanted = /\/packages\/(server|postgres)\/|\/node_modules\/(hono|@hono)\/|\/src\/api\/routes\.ts$/;
  assert.deepEqual(
    loaded.filter((url) => unwanted.test(url)),
    [],
  );
});
