// A process whose turn changes, removes and makes files on disk at once, which are then rejected; killed at the n-th step
// of its writes.
//
//   node immediate-crash-child.ts ROOT DATA N
//
// Prints "step NAME" before each step and "did NAME" after each thing it did; ends with "finished" when N is not reached.

import { writeSync } from "node:fs";
import { Workspace } from "@stet/workspace/workspace";
import { fatalSteps, mustDo as must } from "./telling-child.ts";

const [root = "", dataFolder = "", fatal = "0"] = process.argv.slice(2);
const step = fatalSteps(Number(fatal));

const workspace = must(await Workspace.open(root, { dataFolder, step }), "open");
const changed = must(workspace.documents.open("changed.txt"), "open changed");
const gone = must(workspace.documents.open("gone.sh"), "open gone");
const turn = workspace.beginTurn({ summary: "crash", isImmediate: true });
const edits = [{ op: "replace", from: 2, to: 2, content: "changed by the agent" }] as const;
const { revision } = changed.history;
must(turn.edit(changed.id, { revision, policy: { kind: "rebase" }, edits }), "stage");
must(turn.remove(gone.id), "stage removal");
must(turn.create("folder/made.txt", "made by the agent\n"), "stage file");
must(await workspace.writeTurn(turn), "write");
must(turn.commit(), "commit");
must(await workspace.decide(() => workspace.review.reject("everything")), "reject");
workspace.close();
writeSync(1, "finished\n");
