// A process that does a fixed series of things to a workspace and is killed at the n-th step of its writes.
//
//   node crash-child.ts ROOT DATA N
//
// Prints "step NAME" before each step and "did NAME" after each thing it did; ends with "finished" when N is not reached.

import { writeSync } from "node:fs";
import { Workspace } from "@stet/workspace/workspace";
import { fatalSteps, mustDo as must } from "./telling-child.ts";

const [root = "", dataFolder = "", fatal = "0"] = process.argv.slice(2);
const step = fatalSteps(Number(fatal));

const workspace = must(await Workspace.open(root, { dataFolder, step }), "open");
const first = must(workspace.tabs.open("first.txt"), "open first");
const second = must(workspace.tabs.open("second.txt"), "open second");
const documents = [first, second].map((tab) => must(workspace.tabs.document(tab.tab_id), "look"));

const turn = workspace.beginTurn({ summary: "crash" });
for (const { id, history } of documents) {
  const edits = [
    { op: "replace", from: 2, to: 2, content: "changed by the agent" },
    { op: "append", content: "added by the agent" },
  ] as const;
  must(turn.edit(id, { revision: history.revision, policy: { kind: "rebase" }, edits }), "stage");
}
const committed = must(turn.commit(), "commit");
const typed = { op: "insert", after: 0, content: "typed by the person" } as const;
for (const { id } of documents) {
  const { history } = must(workspace.documents.state(id), "look");
  const request = {
    revision: history.revision,
    policy: { kind: "rebase" },
    edits: [typed],
    origin: "user",
  } as const;
  must(workspace.documents.edit(id, request), "type");
}
const hunks = workspace.review.list().flatMap((file) => file.hunks.map((hunk) => hunk.id));
must(workspace.review.reject({ hunks: hunks.slice(0, 1) }), "reject");
must(workspace.review.accept("everything"), "accept");
must(await workspace.saving.save(documents.map(({ id }) => id)), "save");
must(workspace.checkpoints.rollback(committed.id, { mode: "hard_all" }), "rollback");
must(await workspace.saving.save(documents.map(({ id }) => id)), "save rollback");
workspace.close();
writeSync(1, "finished\n");
