import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { isFault } from "@stet/protocol/fault";
import { smallDisk } from "@stet/testkit/small-disk";
import { temporaryFolder } from "@stet/testkit/temporary";
import {
  agentEdits,
  ledgerRows,
  must,
  openTwins,
  personEdits,
  refused,
  TestWorkspace,
  textOf,
} from "@stet/testkit/workspace";
import { Workspace } from "../workspace.ts";
import { Database } from "./database.ts";
import { repairLedger } from "./ledger-repair.ts";
import { ledgerTables } from "./ledger-schema.ts";

const song = "one\ntwo\nthree\n";

function ledgerFile(place: TestWorkspace): string {
  const [project = ""] = readdirSync(join(place.dataFolder, "projects"));
  return join(place.dataFolder, "projects", project, "ledger.sqlite");
}

test("nothing of Stet's is in the folder itself", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": song });
  const workspace = await place.open();
  const { id } = must(workspace.documents.open("a.txt"));
  agentEdits(workspace, [[id, { op: "append", content: "x" }]]);
  must(workspace.review.accept("everything"));
  must(await workspace.saving.save([id]));
  assert.deepEqual(readdirSync(place.root).sort(), [".keep", "a.txt"]);
});

test("a state that was folded from thousands of entries is the one that was left", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": song });
  const workspace = await place.open();
  const { id } = must(workspace.documents.open("a.txt"));
  for (let round = 0; round < 1000; round += 1) {
    if (round % 3 === 0) agentEdits(workspace, [[id, { op: "append", content: `agent ${round}` }]]);
    else personEdits(workspace, id, { op: "insert", after: round % 4, content: `person ${round}` });
    if (round % 50 === 49) must(workspace.review.accept("everything"));
  }
  const before = [textOf(workspace, id), JSON.stringify(workspace.review.list())];
  const snapshots = ledgerRows(workspace, "SELECT entry FROM snapshots").length;
  assert.ok(snapshots >= 3, `snapshots are taken as entries come: ${snapshots}`);
  workspace.close();
  const again = await place.open();
  assert.deepEqual([textOf(again, id), JSON.stringify(again.review.list())], before);
});

test("a folder that was moved finds its ledger again", async (t) => {
  const folder = temporaryFolder(t, { "old/a.txt": song });
  const dataFolder = join(folder, "data");
  const workspace = must(await Workspace.open(join(folder, "old"), { dataFolder }));
  const { id } = must(workspace.documents.open("a.txt"));
  personEdits(workspace, id, { op: "append", content: "unsaved" });
  workspace.close();
  renameSync(join(folder, "old"), join(folder, "new"));
  const moved = must(await Workspace.open(join(folder, "new"), { dataFolder }));
  t.after(() => moved.close());
  assert.match(textOf(moved, must(moved.documents.open("a.txt")).id), /unsaved/);
});

test("an edit made on what one process read never meets what another process read", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": song });
  const [one, two] = [await place.open(), await place.open()];
  const seen = must(one.documents.open("a.txt"));
  writeFileSync(place.path("a.txt"), `zero\n${song}`);
  const { id } = must(two.documents.open("a.txt"));
  personEdits(two, id, { op: "append", content: "from two" });
  const edits = [{ op: "delete", from: 1, to: 1 }] as const;
  const late = one.documents.edit(id, {
    revision: seen.history.revision,
    policy: { kind: "rebase" },
    edits,
    origin: "agent",
  });
  assert.equal(refused(late).error, "unknown_revision");
  assert.equal(textOf(one, id), `zero\n${song}from two\n`);
});

test("while another process saves, a save waits for it", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": song, "b.txt": song });
  const other = await place.open();
  const b = must(other.documents.open("b.txt")).id;
  personEdits(other, b, { op: "append", content: "x" });
  let waiting: ReturnType<typeof other.saving.save> | undefined;
  let isDone = false;
  const workspace = await place.open({
    step: (name) => {
      if (name !== "ready") return;
      waiting = other.saving.save([b]);
      void waiting.then(() => {
        isDone = true;
      });
    },
  });
  const { id } = must(workspace.documents.open("a.txt"));
  personEdits(workspace, id, { op: "append", content: "x" });
  must(await workspace.saving.save([id]));
  assert.equal(isDone, false, "not while the first one was at work");
  assert.equal(must(await waiting).length, 1);
});

test("a process that holds the ledger for too long is named as busy, not waited for without end", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": song });
  const holder = await place.open();
  const workspace = await place.open({ busyTimeout: 50 });
  const { id } = must(workspace.documents.open("a.txt"));
  const result = holder.ledger.write(() => {
    const edits = [{ op: "append", content: "x" }] as const;
    const edited = workspace.documents.edit(id, {
      revision: 1,
      policy: { kind: "rebase" },
      edits,
      origin: "user",
    });
    assert.equal(refused(edited).error, "workspace_busy");
    return true;
  });
  assert.ok(!isFault(result));
  personEdits(workspace, id, { op: "append", content: "x" });
});

test("a damaged ledger is reported with its path and left where it is", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": song });
  (await place.open()).close();
  const path = ledgerFile(place);
  const garbage = Buffer.from("this is not a database, it only has its name\n".repeat(200));
  writeFileSync(path, garbage);
  const fault = refused(await Workspace.open(place.root, { dataFolder: place.dataFolder }));
  assert.equal(fault.error, "ledger_damaged");
  assert.equal(fault.details.path, path);
  assert.deepEqual(readFileSync(path), garbage);
});

test("a full disk refuses an edit, keeps what was there, and nothing needs repair afterwards", async (t) => {
  const folder = temporaryFolder(t, { "root/a.txt": song });
  const dataFolder = join(folder, "small");
  mkdirSync(dataFolder);
  const small = smallDisk(dataFolder, "600k");
  if (small === undefined) return t.skip("a small file system cannot be mounted here");
  try {
    const workspace = must(await Workspace.open(join(folder, "root"), { dataFolder }));
    const { id } = must(workspace.documents.open("a.txt"));
    const last = fillUp(workspace, id);
    assert.equal(textOf(workspace, id), last, "memory holds what the ledger holds");
    workspace.close();
    small.resize("8m");
    const again = must(await Workspace.open(join(folder, "root"), { dataFolder }));
    assert.equal(textOf(again, id), last);
    personEdits(again, id, { op: "append", content: "and on it goes" });
    again.close();
  } finally {
    small.remove();
  }
});

/** Types until the disk is full; returns the text before that. */
function fillUp(workspace: Workspace, id: number): string {
  let last = textOf(workspace, id);
  for (let round = 0; round < 1000; round += 1) {
    const content = Array.from({ length: 40 }, () => Math.random().toString(36)).join(" ");
    const { revision } = must(workspace.documents.state(id)).history;
    const edits = [{ op: "append", content }] as const;
    const edited = workspace.documents.edit(id, {
      revision,
      policy: { kind: "strict" },
      edits,
      origin: "user",
    });
    if (isFault(edited)) {
      assert.equal(edited.error, "disk_full");
      return last;
    }
    last = edited.pending.current.toString();
  }
  assert.fail("the disk was never full");
}

test("two processes that write at once lose nothing of each other", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": "" });
  const workspace = await place.open();
  const { id } = must(
    workspace.tabs.document(must(workspace.tabs.create({ title: "shared", content: "start\n" })).tab_id),
  );
  const script = join(import.meta.dirname, "../../../testkit/src/append-child.ts");
  const children = ["A", "B"].map((name) => {
    const args = [
      "--disable-warning=ExperimentalWarning",
      script,
      place.root,
      place.dataFolder,
      String(id),
      name,
      "60",
    ];
    return spawn(process.execPath, args, { stdio: ["ignore", "inherit", "inherit"] });
  });
  const ends = await Promise.all(children.map((child) => once(child, "exit")));
  assert.deepEqual(ends, [
    [0, null],
    [0, null],
  ]);
  const lines = textOf(workspace, id).split("\n");
  for (const name of ["A", "B"]) {
    const own = lines.filter((line) => line.startsWith(`${name} `));
    assert.deepEqual(
      own,
      Array.from({ length: 60 }, (_, index) => `${name} ${index}`),
    );
  }
});

test("what is unsaved is known without looking at every document, also after a restart and a save", async (t) => {
  const { place, workspace, a, b } = await openTwins(t, song);
  personEdits(workspace, a, { op: "append", content: "mine" });
  agentEdits(workspace, [[b, { op: "append", content: "proposed" }]]);
  assert.deepEqual(workspace.documents.unsavedIds(), [a, b]);
  must(await workspace.saving.save([a]));
  assert.deepEqual(workspace.documents.unsavedIds(), [b]);
  workspace.close();
  const again = await place.open();
  assert.deepEqual(again.documents.unsavedIds(), [b]);
  personEdits(again, a, { op: "append", content: "more" });
  assert.deepEqual(again.documents.unsavedIds(), [a, b]);
  const turn = again.beginTurn();
  const created = must(turn.create("new.txt", "new\n"));
  must(turn.commit());
  assert.deepEqual(again.documents.unsavedIds(), [a, b, created]);
  must(again.review.accept("everything"));
  must(await again.saving.save([a, b, created]));
  assert.deepEqual(again.documents.unsavedIds(), []);
});

test("a process beside a ledger that a newer Stet has brought further reads and writes nothing more of it", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": song });
  const workspace = await place.open();
  const { id } = must(workspace.documents.open("a.txt"));
  agentEdits(workspace, [[id, { op: "append", content: "four" }]]);
  const { revision } = must(workspace.documents.state(id)).history;
  ledgerRows(workspace, "PRAGMA user_version = 999");
  const edit = { revision, policy: { kind: "strict" }, edits: [{ op: "clear" }], origin: "user" } as const;
  assert.match(refused(workspace.documents.edit(id, edit)).message, /ledger .* has version 999/);
  for (let round = 0; round < 2; round += 1)
    assert.throws(() => workspace.documents.state(id), /ledger .* has version 999/);
  assert.equal(ledgerRows(workspace, "SELECT id FROM entries WHERE kind = 'change'").length, 1);
});

test("a ledger from before agents had names is brought to this version, with a copy of what it was", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": song });
  const workspace = await place.open();
  const { id } = must(workspace.documents.open("a.txt"));
  const turn = agentEdits(workspace, [[id, { op: "append", content: "four" }]]);
  ledgerRows(workspace, "ALTER TABLE turns DROP COLUMN agent");
  ledgerRows(workspace, "PRAGMA user_version = 5");
  const { stateFolder } = workspace;
  workspace.close();
  const again = await place.open();
  assert.equal(again.review.turn(turn)?.agent, undefined);
  const named = again.beginTurn({ agent: "0-Look" });
  must(named.create("new.txt", "new\n"));
  assert.equal(again.review.turn(must(named.commit()).id)?.agent, "0-Look");
  assert.ok(existsSync(join(stateFolder, "ledger.sqlite.version-5")));
});

/** As Stet left it before agents had names: with its copies, marks and all. */
async function ledgerOfVersion5(t: TestContext) {
  const place = new TestWorkspace(t, { "a.txt": song });
  const workspace = await place.open();
  const { id } = must(workspace.documents.open("a.txt"));
  agentEdits(workspace, [[id, { op: "append", content: "four" }]]);
  personEdits(workspace, id, { op: "insert", after: 0, content: "zero" });
  must(workspace.review.accept("everything"));
  agentEdits(workspace, [[id, { op: "append", content: "five" }]]);
  ledgerRows(workspace, "ALTER TABLE turns DROP COLUMN agent");
  ledgerRows(workspace, "PRAGMA user_version = 5");
  workspace.close();
  return { place, id, file: ledgerFile(place) };
}

/** Everything in it, by table. */
function rowsOf(file: string): Readonly<Record<string, unknown>> {
  const database = new DatabaseSync(file);
  try {
    const read = (table: string) => database.prepare(`SELECT * FROM ${table}`).all();
    return Object.fromEntries(ledgerTables.map((table) => [table, read(table).map((row) => ({ ...row }))]));
  } finally {
    database.close();
  }
}

test("a ledger that becomes one of this version loses no row, and its copy is what it was", async (t) => {
  const { place, id, file } = await ledgerOfVersion5(t);
  const before = rowsOf(file);
  const database = must(Database.open(file));
  database.close();
  const { turns, ...others } = rowsOf(file);
  assert.deepEqual(others, Object.fromEntries(Object.entries(before).filter(([table]) => table !== "turns")));
  assert.ok(Array.isArray(before.turns) && before.turns.length === 2);
  assert.deepEqual(
    turns,
    before.turns.map((row: object) => ({ ...row, agent: null })),
  );
  assert.deepEqual(rowsOf(`${file}.version-5`), before);
  const workspace = await place.open();
  assert.equal(textOf(workspace, id), "zero\none\ntwo\nthree\nfour\nfive\n");
  must(workspace.review.reject("everything"));
  assert.equal(textOf(workspace, id), "zero\none\ntwo\nthree\nfour\n");
});

test("two processes that find an old ledger at once both open it", async (t) => {
  const { place, id } = await ledgerOfVersion5(t);
  const script = `
    import { Workspace } from ${JSON.stringify(new URL("../workspace.ts", import.meta.url).href)};
    const opened = await Workspace.open(${JSON.stringify(place.root)}, { dataFolder: ${JSON.stringify(place.dataFolder)} });
    if ("error" in opened) throw new Error(opened.message);
    console.log(opened.review.list().length, opened.documents.state(${id}).history.text.lines);
  `;
  const children = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", script], {
      stdio: ["ignore", "pipe", "pipe"],
    }),
  );
  const ended = children.map(async (child) => {
    const output: string[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => output.push(String(data)));
    const [code] = await once(child, "close");
    return [code, output.join("")];
  });
  assert.deepEqual(await Promise.all(ended), Array(4).fill([0, "1 7\n"]));
});

test("a process that is killed while it migrates leaves a ledger that the next one migrates", async (t) => {
  const { place, id, file } = await ledgerOfVersion5(t);
  const before = rowsOf(file);
  // The step in a transaction of its own that never ends, as where the process dies in the middle of it.
  const script = `
    import { DatabaseSync } from "node:sqlite";
    import { schemaSteps } from ${JSON.stringify(new URL("./ledger-schema.ts", import.meta.url).href)};
    const database = new DatabaseSync(${JSON.stringify(file)});
    database.exec("PRAGMA cache_size = 1; BEGIN IMMEDIATE; " + schemaSteps[5] + "; PRAGMA user_version = 6");
    database.exec("UPDATE turns SET summary = hex(randomblob(100000))");
    process.kill(process.pid, "SIGKILL");
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: "ignore" });
  const [, signal] = await once(child, "exit");
  assert.equal(signal, "SIGKILL");
  assert.deepEqual(rowsOf(file), before);
  const workspace = await place.open();
  assert.equal(textOf(workspace, id), "zero\none\ntwo\nthree\nfour\nfive\n");
});

test("a damaged ledger of an earlier version is repaired into one of this version", async (t) => {
  const { place, id, file } = await ledgerOfVersion5(t);
  const repaired = must(repairLedger(file));
  assert.deepEqual([repaired.forgotten, repaired.hasGaps], [[], false]);
  const workspace = await place.open();
  assert.equal(textOf(workspace, id), "zero\none\ntwo\nthree\nfour\nfive\n");
  assert.equal(ledgerRows(workspace, "SELECT id FROM turns WHERE agent IS NULL").length, 2);
});
