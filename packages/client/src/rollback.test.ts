import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { isFault } from "@stet/protocol/fault";
import { lineHash } from "@stet/testkit/line-hash";
import { modelOf, type PlayedReply } from "@stet/testkit/model-of";
import { TestService } from "@stet/testkit/test-service";
import { must, TestWorkspace } from "@stet/testkit/workspace";
import { Client } from "./client.ts";
import { conflictWords, makeRollback, planRollback, undoRollback } from "./rollback.ts";

const files = { "a.md": "one\ntwo\nthree\n", "b.md": "first\nsecond\n" };

const line = (file_path: string, start_line: number, new_text: string) => ({
  name: "edit_file",
  arguments: {
    file_path,
    operation: "replace",
    start_line,
    end_line: start_line,
    new_text,
    expected_hash: lineHash(files, file_path, start_line),
  },
});

/** Two turns: the first over both files, the second over one of them. */
const turns: readonly PlayedReply[] = [
  { calls: [line("a.md", 1, "A1"), line("b.md", 1, "B1")] },
  { text: "Done." },
  { calls: [line("a.md", 2, "A2")] },
  { text: "Done." },
];

async function twoTurns(t: TestContext) {
  const place = new TestWorkspace(t, files);
  const api = await TestService.open(t, place, modelOf(turns));
  const session = await api.session();
  for (const asked of ["First", "Second"]) await api.until(await api.run(session, asked), "awaiting_review");
  const client = new Client({
    url: "http://stet.local",
    fetch: async (address, init) => {
      const { pathname, search } = new URL(String(address));
      const body: unknown = typeof init?.body === "string" ? JSON.parse(init.body) : undefined;
      return api.fetch(init?.method ?? "GET", pathname + search, body);
    },
  });
  const { checkpoints } = must(await client.call("listCheckpoints", { query: {} }));
  const newestFirst = checkpoints.map(({ checkpoint_id }) => ({ checkpoint: checkpoint_id }));
  const read = async (path: string) => {
    const { document } = must(await client.call("openTab", { body: { path } }));
    return must(await client.call("getDocument", { params: { document } })).text;
  };
  return { client, newestFirst, read };
}

test("the preview of two turns is what both together take back, and nothing is changed by it", async (t) => {
  const { client, newestFirst, read } = await twoTurns(t);
  assert.equal(newestFirst.length, 2);
  const plan = must(await planRollback(client, newestFirst));
  assert.deepEqual(
    plan.patches.map(({ name, patch }) => [name, patch.match(/^[-+](?![-+]).*$/gm)]),
    [
      ["a.md", ["-A1", "-A2", "+one", "+two"]],
      ["b.md", ["-B1", "+first"]],
    ],
  );
  assert.equal(await read("a.md"), "A1\nA2\nthree\n");
});

test("two turns go back together, and undoing that brings both again", async (t) => {
  const { client, newestFirst, read } = await twoTurns(t);
  const undo = must(await makeRollback(client, newestFirst));
  assert.equal(undo.length, 2);
  assert.equal(await read("a.md"), "one\ntwo\nthree\n");
  assert.equal(await read("b.md"), "first\nsecond\n");
  assert.equal(await undoRollback(client, undo), undefined);
  assert.equal(await read("a.md"), "A1\nA2\nthree\n");
  assert.equal(await read("b.md"), "B1\nsecond\n");
});

test("where one part cannot go back, the others are not left halfway", async (t) => {
  const { client, newestFirst, read } = await twoTurns(t);
  const refusal = await makeRollback(client, [...newestFirst, { checkpoint: "ckpt_unknown" }]);
  assert.ok(isFault(refusal));
  assert.equal(refusal.error, "unknown_checkpoint");
  assert.equal(await read("a.md"), "A1\nA2\nthree\n");
  assert.equal(await read("b.md"), "B1\nsecond\n");
});

test("a change that stays is named by its line and file, also where its checkpoint is gone", () => {
  assert.deepEqual(conflictWords(["h_9_9"], undefined), [
    "One change was changed again since, so it stays as it is.",
  ]);
});
