// A process that renames, deletes and restores files and is killed at the n-th step of it.
//
//   node file-crash-child.ts ROOT DATA N [deletions]    the last word leaves out the renames
//
// Prints "step NAME" before each step and "did NAME" after each thing it did; ends with "finished" when N is not reached.

import { writeSync } from "node:fs";
import { Workspace } from "@stet/workspace/workspace";
import { fatalSteps, mustDo as must } from "./telling-child.ts";

const [root = "", dataFolder = "", fatal = "0", part = "all"] = process.argv.slice(2);
const count = fatalSteps(Number(fatal));
let counts = false;
let isLocking = false;

function step(name: string): void {
  // Within a transaction of the ledger all moments are one. Taking and leaving the lock is not what is looked at here.
  if (/^ledger (?!commit)/.test(name)) isLocking = name.includes("holders");
  if (!counts || (name.startsWith("ledger ") && (isLocking || !name.startsWith("ledger commit")))) return;
  count(name);
}

const workspace = must(await Workspace.open(root, { dataFolder, step }), "open");
const tab = must(workspace.tabs.open("docs/a.md"), "open tab");
const { id, history } = must(workspace.tabs.document(tab.tab_id), "look");
const edits = [{ op: "insert", after: 0, content: "typed" } as const];
const request = { revision: history.revision, policy: { kind: "strict" }, edits, origin: "user" } as const;
must(workspace.documents.edit(id, request), "type");

// What comes before is the tests' own; what is killed is the moving of files.
counts = true;
const { files } = workspace;
if (part === "all") {
  must(await files.rename("docs/a.md", "docs/b.md"), "rename file");
  must(await files.rename("docs", "new/docs"), "rename folder");
}
const docs = part === "all" ? "new/docs" : "docs";
const file = must(await files.delete(part === "all" ? `${docs}/b.md` : `${docs}/a.md`), "delete file");
must(await files.restore(file.id), "restore file");
const folder = must(await files.delete(docs), "delete folder");
must(await files.restore(folder.id), "restore folder");
counts = false;
workspace.close();
writeSync(1, "finished\n");
