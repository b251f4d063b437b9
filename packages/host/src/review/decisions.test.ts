import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault, isFault } from "@stet/protocol/fault";
import { modelOf } from "@stet/testkit/model-of";
import { TestService } from "@stet/testkit/test-service";
import { must, refused, TestWorkspace } from "@stet/testkit/workspace";

async function proposed(t: Parameters<typeof TestService.open>[0]) {
  const edit = { file_path: "a.md", operation: "insert", start_line: 1, new_text: "zero" };
  const replies = [{ calls: [{ name: "edit_file", arguments: edit }] }, { text: "Done." }];
  const api = await TestService.open(t, new TestWorkspace(t, { "a.md": "one\n" }), modelOf(replies));
  const session = await api.session();
  const { job } = await api.until(await api.run(session, "Insert."), "awaiting_review");
  const hunks: string[] = [job.diff_bundle.files[0].hunks[0].hunk_id];
  const host = api.service;
  const { turn = "" } = must(host.workspace.checkpoints.list({ limit: 1 })[0]);
  const document = must(host.workspace.documents.rowAt("a.md")).id;
  const apply = () => host.decisions.apply({ turn, accept: hunks, reject: [], also: [] }, () => [document]);
  const verdicts = async () => {
    const found = must(await host.sessions.find(session));
    return found.path().flatMap((entry) => {
      return !isFault(entry) && entry.type === "decision" ? [entry.verdict] : [];
    });
  };
  return { workspace: host.workspace, apply, verdicts };
}

const full = new Fault("disk_full", "No space is left.", "Make room.");

test("a turn that is applied is part of its conversation once its files are written, and not before", async (t) => {
  const { workspace, apply, verdicts } = await proposed(t);
  const { saving } = workspace;
  const save = saving.save.bind(saving);
  saving.save = async () => full;
  assert.equal(refused(await apply()).error, "disk_full");
  assert.deepEqual(await verdicts(), []);
  saving.save = save;
  must(await apply());
  assert.deepEqual(await verdicts(), ["accepted"]);
});

test("a decision that can neither be saved nor taken back says both", async (t) => {
  const { workspace, apply } = await proposed(t);
  workspace.saving.save = async () => full;
  workspace.review.undo = () => new Fault("io_failed", "The ledger cannot be written.", "Try again.");
  const { error, message, suggestion } = refused(await apply());
  assert.equal(error, "disk_full");
  assert.match(message, /No space is left\..*could not be taken back.*The ledger cannot be written\./);
  assert.equal(suggestion, "Try again.");
});
