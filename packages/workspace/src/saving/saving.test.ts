import assert from "node:assert/strict";
import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import type { Fault } from "@stet/protocol/fault";
import { testData } from "@stet/testkit/data";
import {
  agentEdits,
  baseOf,
  must,
  openTwins,
  personEdits,
  refused,
  TestWorkspace,
  textOf,
} from "@stet/testkit/workspace";

const song = "one\ntwo\nthree\nfour\nfive\nsix\n";

test("a change on disk is merged into a document that has open hunks elsewhere", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": song });
  const workspace = await place.open();
  const { id } = must(workspace.documents.open("a.txt"));
  agentEdits(workspace, [[id, { op: "replace", from: 2, to: 2, content: "TWO\nAND A HALF" }]]);
  writeFileSync(place.path("a.txt"), `zero\n${song.replace("five", "fünf")}`);
  assert.equal(must(workspace.saving.refresh(id)), true);
  assert.equal(textOf(workspace, id), "zero\none\nTWO\nAND A HALF\nthree\nfour\nfünf\nsix\n");
  assert.equal(baseOf(workspace, id), `zero\n${song.replace("five", "fünf")}`);
  assert.equal(must(workspace.saving.refresh(id)), false);
  assert.equal(must(workspace.documents.state(id)).history.changes.at(-1)?.origin, "disk");
});

test("a change on disk in the lines of an open hunk is a conflict, and nothing is written", async (t) => {
  const { place, workspace, a, b } = await openTwins(t, song);
  agentEdits(workspace, [[a, { op: "replace", from: 2, to: 2, content: "TWO" }]]);
  personEdits(workspace, b, { op: "append", content: "mine" });
  writeFileSync(place.path("a.txt"), song.replace("two", "zwei"));
  const fault = refused(await workspace.saving.save([b, a]));
  assert.equal(fault.error, "external_change");
  assert.deepEqual(
    fault.details.hunk_ids,
    workspace.review.file(a)?.hunks.map((hunk) => hunk.id),
  );
  assert.equal(readFileSync(place.path("a.txt"), "utf8"), song.replace("two", "zwei"));
  assert.equal(
    readFileSync(place.path("b.txt"), "utf8"),
    song,
    "the other file of the group was not written either",
  );
});

test("what a person has put together of text and file is never replaced by older lines, whatever is open", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": song });
  const workspace = await place.open();
  const { id } = must(workspace.documents.open("a.txt"));
  const twice = ["TWO", "FIVE"].map((content, index) => {
    return { op: "replace", from: 2 + 3 * index, to: 2 + 3 * index, content } as const;
  });
  agentEdits(workspace, [[id, ...twice]]);
  const disk = song.replace("two", "zwei").replace("five", "fünf");
  writeFileSync(place.path("a.txt"), disk);
  // The file's line at the first place, the agent's at the second.
  personEdits(workspace, id, { op: "replace", from: 2, to: 2, content: "zwei" });
  must(workspace.saving.resolve(id, "settled"));
  const check = (opened: typeof workspace) => {
    assert.equal(baseOf(opened, id), disk);
    assert.equal(textOf(opened, id), disk.replace("fünf", "FIVE"));
    assert.equal(opened.review.file(id)?.hunks.length, 1);
  };
  check(workspace);
  workspace.close();
  const again = await place.open();
  check(again);
  must(await again.saving.save([id]));
  assert.equal(readFileSync(place.path("a.txt"), "utf8"), disk);
  must(again.review.reject("everything"));
  assert.equal(textOf(again, id), disk);
});

test("a change on disk in lines that the person has not saved is a conflict that both choices settle", async (t) => {
  for (const choice of ["keep", "reload"] as const) {
    const place = new TestWorkspace(t, { "a.txt": song });
    const workspace = await place.open();
    const { id } = must(workspace.documents.open("a.txt"));
    personEdits(workspace, id, { op: "replace", from: 2, to: 2, content: "two, mine" });
    writeFileSync(place.path("a.txt"), song.replace("two", "zwei"));
    const fault = refused(await workspace.saving.save([id]));
    assert.equal(fault.error, "external_change");
    assert.deepEqual(fault.details.conflicts, [{ line: 2, ours: ["two, mine"], disk: ["zwei"] }]);
    must(workspace.saving.resolve(id, choice));
    must(await workspace.saving.save([id]));
    const expected = song.replace("two", choice === "keep" ? "two, mine" : "zwei");
    assert.equal(readFileSync(place.path("a.txt"), "utf8"), expected);
  }
});

test("whichever side of a conflict with the disk is chosen, the other one can be brought back", async (t) => {
  const disk = song.replace("two", "zwei");
  const mine = song.replace("two", "two, mine").replace("five", "FIVE");
  for (const choice of ["keep", "reload", "settled"] as const) {
    const place = new TestWorkspace(t, { "a.txt": song });
    const workspace = await place.open();
    const { id } = must(workspace.documents.open("a.txt"));
    agentEdits(workspace, [[id, { op: "replace", from: 5, to: 5, content: "FIVE" }]]);
    personEdits(workspace, id, { op: "replace", from: 2, to: 2, content: "two, mine" });
    writeFileSync(place.path("a.txt"), disk);
    const { checkpoint } = must(workspace.saving.resolve(id, choice));
    must(await workspace.saving.save([id]));
    workspace.close();
    const again = await place.open();
    const [newest] = again.checkpoints.list({ document: id });
    assert.equal(newest?.id, checkpoint);
    assert.match(newest?.summary ?? "", /^You (kept|loaded|put)/);
    const back = must(await again.rollback(String(checkpoint), { mode: "hard_all" }));
    assert.equal(textOf(again, id), choice === "reload" ? mine : disk);
    assert.equal(again.review.file(id)?.hunks.length ?? 0, choice === "reload" ? 1 : 0);
    // And from there the choice can be made again.
    must(await again.rollback(String(back.checkpoint), { mode: "hard_all" }));
    assert.equal(textOf(again, id), choice === "reload" ? disk : mine);
  }
});

test("a choice that drops nothing leaves no checkpoint", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": song });
  const workspace = await place.open();
  const { id } = must(workspace.documents.open("a.txt"));
  for (const choice of ["keep", "reload", "settled"] as const)
    assert.equal(must(workspace.saving.resolve(id, choice)).checkpoint, null);
  assert.deepEqual(workspace.checkpoints.list(), []);
});

test("a file that was deleted comes back when it is saved, not before", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": song });
  const workspace = await place.open();
  const { id } = must(workspace.documents.open("a.txt"));
  personEdits(workspace, id, { op: "append", content: "mine" });
  rmSync(place.path("a.txt"));
  assert.equal(must(workspace.saving.refresh(id)), true);
  assert.equal(refused(workspace.saving.resolve(id, "reload")).error, "file_not_found");
  must(await workspace.saving.save([id]));
  assert.equal(readFileSync(place.path("a.txt"), "utf8"), `${song}mine\n`);
});

test("a file that became something else than text is left alone", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": song });
  const workspace = await place.open();
  const { id } = must(workspace.documents.open("a.txt"));
  personEdits(workspace, id, { op: "append", content: "mine" });
  writeFileSync(place.path("a.txt"), new Uint8Array([1, 0, 2]));
  assert.equal(refused(await workspace.saving.save([id])).error, "external_change");
  assert.deepEqual([...readFileSync(place.path("a.txt"))], [1, 0, 2]);
});

test("line ends that were converted on disk are taken over without touching the text", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": song });
  const workspace = await place.open();
  const { id } = must(workspace.documents.open("a.txt"));
  agentEdits(workspace, [[id, { op: "replace", from: 2, to: 2, content: "TWO" }]]);
  writeFileSync(place.path("a.txt"), song.replaceAll("\n", "\r\n"));
  must(workspace.saving.refresh(id));
  must(workspace.review.accept("everything"));
  must(await workspace.saving.save([id]));
  assert.equal(
    readFileSync(place.path("a.txt"), "utf8"),
    song.replace("two", "TWO").replaceAll("\n", "\r\n"),
  );
});

test("saving keeps the mode of a file and writes nothing when nothing changed", async (t) => {
  const place = new TestWorkspace(t, { "run.sh": "#!/bin/sh\necho one\n" });
  chmodSync(place.path("run.sh"), 0o750);
  const workspace = await place.open();
  const { id } = must(workspace.documents.open("run.sh"));
  assert.deepEqual(must(await workspace.saving.save([id])), []);
  personEdits(workspace, id, { op: "replace", from: 2, to: 2, content: "echo two" });
  must(await workspace.saving.save([id]));
  assert.equal(statSync(place.path("run.sh")).mode & 0o777, 0o750);
  const { mtimeMs } = statSync(place.path("run.sh"));
  assert.deepEqual(must(await workspace.saving.save([id])), []);
  assert.equal(statSync(place.path("run.sh")).mtimeMs, mtimeMs);
});

test("what the person types while a save is under way is not taken for saved", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": song });
  let isTyping = false;
  const workspace = await place.open({
    step: (name) => {
      if (name !== "ready" || isTyping) return;
      isTyping = true;
      personEdits(workspace, id, { op: "append", content: "typed meanwhile" });
    },
  });
  const { id } = must(workspace.documents.open("a.txt"));
  personEdits(workspace, id, { op: "append", content: "first" });
  must(await workspace.saving.save([id]));
  assert.ok(isTyping, "the test typed during the save");
  assert.equal(readFileSync(place.path("a.txt"), "utf8"), `${song}first\n`);
  assert.ok(workspace.saving.isDirty(must(workspace.documents.state(id))));
  must(await workspace.saving.save([id]));
  assert.equal(readFileSync(place.path("a.txt"), "utf8"), `${song}first\ntyped meanwhile\n`);
});

test("what a save has just written is no conflict with what is typed on while it is put on record", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": song });
  const found: (boolean | Fault)[] = [];
  const workspace = await place.open({
    // The file is written by then, and the ledger does not know of that yet.
    step: (name) => {
      if (name === "done") found.push(workspace.saving.refresh(id));
    },
  });
  const { id } = must(workspace.documents.open("a.txt"));
  personEdits(workspace, id, { op: "replace", from: 2, to: 2, content: "two, and" });
  const saving = workspace.saving.save([id]);
  personEdits(workspace, id, { op: "replace", from: 2, to: 2, content: "two, and more" });
  must(await saving);
  assert.deepEqual(found, [false]);
  assert.equal(textOf(workspace, id), song.replace("two", "two, and more"));
  must(await workspace.saving.save([id]));
  assert.equal(readFileSync(place.path("a.txt"), "utf8"), song.replace("two", "two, and more"));
});

test("a watched change on disk arrives by itself, and a conflict is told", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": song });
  const workspace = await place.open();
  const { tab_id } = must(workspace.tabs.open("a.txt"));
  const { id } = must(workspace.tabs.document(tab_id));
  agentEdits(workspace, [[id, { op: "replace", from: 2, to: 2, content: "TWO" }]]);
  const faults: Fault[] = [];
  const watch = must(await workspace.watch((fault) => faults.push(fault)));
  t.after(() => watch.close());
  writeFileSync(place.path("a.txt"), `${song}more\n`);
  await until(() => textOf(workspace, id).endsWith("more\n"));
  writeFileSync(place.path("a.txt"), song.replace("two", "zwei"));
  await until(() => faults.length > 0);
  assert.equal(faults[0]?.error, "external_change");
  assert.match(textOf(workspace, id), /TWO/);
});

async function until(condition: () => boolean): Promise<void> {
  for (let waited = 0; waited < 10_000; waited += 25) {
    if (condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  assert.fail("it did not happen within 10 seconds");
}

test("both books can be edited in the middle and saved with all other bytes identical", async (t) => {
  for (const name of ["alice-in-wonderland.txt", "moby-dick.txt"]) {
    const path = testData(t, `books/${name}`);
    if (path === undefined) return;
    const bytes = readFileSync(path);
    const place = new TestWorkspace(t, { [name]: bytes });
    const workspace = await place.open();
    const { id, history } = must(workspace.documents.open(name));
    const line = Math.floor(history.text.lines / 2);
    const old = history.text.line(line);
    personEdits(workspace, id, { op: "replace", from: line, to: line, content: "Nothing else changes." });
    must(await workspace.saving.save([id]));
    const saved = readFileSync(place.path(name));
    const text = bytes.toString("utf8");
    const at =
      text
        .split("\r\n")
        .slice(0, line - 1)
        .join("\r\n").length + 2;
    assert.equal(text.slice(at, at + old.length), old.text);
    const expected = `${text.slice(0, at)}Nothing else changes.${text.slice(at + old.length)}`;
    assert.ok(saved.equals(Buffer.from(expected)), `${name} differs elsewhere`);
  }
});

test("saves that are asked for at the same time wait for each other, also across processes", async (t) => {
  const files = Object.fromEntries(Array.from({ length: 8 }, (_, file) => [`${file}.txt`, "old\n"]));
  const place = new TestWorkspace(t, files);
  const [one, other] = [await place.open(), await place.open()];
  const ids = Object.keys(files).map((name) => must(one.documents.open(name)).id);
  for (const id of ids) personEdits(one, id, { op: "append", content: "new" });
  const saved = await Promise.all(ids.map((id, index) => (index % 2 === 0 ? one : other).saving.save([id])));
  assert.deepEqual(
    saved.map((report) => must(report).length),
    ids.map(() => 1),
  );
});

test("a document that is kept despite its file keeps its line ends, and saving writes them", async (t) => {
  const files = new TestWorkspace(t, { "a.md": "one\ntwo\n" });
  const workspace = await files.open();
  const { id } = must(workspace.documents.open("a.md"));
  writeFileSync(files.path("a.md"), "one\r\ntwo\r\n");
  must(workspace.saving.resolve(id, "keep"));
  assert.deepEqual(
    must(await workspace.saving.save([id])).map(({ path }) => path),
    ["a.md"],
  );
  assert.equal(readFileSync(files.path("a.md"), "utf8"), "one\ntwo\n");
});
