import assert from "node:assert/strict";
import { test } from "node:test";
import { startScriptedModel } from "@stet/testkit/scripted-model";
import { serve } from "@stet/testkit/served";
import { temporaryFolder } from "@stet/testkit/temporary";
import { must, personEdits, refused, TestWorkspace, textOf } from "@stet/testkit/workspace";
import { LiveDocuments } from "./live-documents.ts";

test("what was typed right before the server was killed is not there twice when it is sent again", async (t) => {
  const root = temporaryFolder(t, { "a.md": "one\n" });
  const dataFolder = temporaryFolder(t);
  const model = await startScriptedModel([]);
  t.after(() => model.close());
  const first = await serve({ root, dataFolder, modelUrl: model.url });
  t.after(() => first.kill());
  const { document } = must(await first.client.call("openTab", { body: { path: "a.md" } }));
  const { revision } = must(await first.client.call("getDocument", { params: { document } }));
  const sent = {
    params: { document },
    body: { revision, change: [[0, "x"], 4] as [[number, string], number], client: "w", change_id: "w:1" },
  };
  must(await first.client.call("changeDocument", sent));
  await first.kill();

  const second = await serve({ root, dataFolder, modelUrl: model.url });
  t.after(() => second.kill());
  const again = must(await second.client.call("changeDocument", sent));
  assert.deepEqual(
    again.changes.map(({ revision: made, client }) => [made, client]),
    [[revision + 1, "w"]],
    "the window recognises its own change",
  );
  assert.equal(must(await second.client.call("getDocument", { params: { document } })).text, "xone\n");
  const next: [[number, string], number] = [[0, "y"], 5];
  const body = { ...sent.body, revision: revision + 1, change: next, change_id: "w:2" };
  must(await second.client.call("changeDocument", { params: { document }, body }));
  assert.equal(must(await second.client.call("getDocument", { params: { document } })).text, "yxone\n");
});

test("a window whose revision is too old hears whether its change was made", async (t) => {
  const place = new TestWorkspace(t, { "a.md": "one\n" });
  const workspace = await place.open();
  const { id, history } = must(workspace.documents.open("a.md"));
  const live = new LiveDocuments(workspace);
  const sent = { revision: history.revision, change: [[0, "x"], 4], client: "w", change_id: "w:1" };
  must(live.change(id, sent));
  // After so many entries a process that starts later begins with a snapshot.
  for (let count = 0; count < 500; count += 1) personEdits(workspace, id, { op: "append", content: "more" });
  workspace.close();

  const later = await place.open();
  const restarted = new LiveDocuments(later);
  const before = textOf(later, id);
  const made = refused(restarted.change(id, sent));
  assert.equal(made.error, "unknown_revision");
  assert.equal(made.details.was_made, true);
  const other = refused(restarted.change(id, { ...sent, change_id: "w:2" }));
  assert.equal(other.details.was_made, false);
  assert.equal(textOf(later, id), before);
});
