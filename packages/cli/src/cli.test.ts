import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { smallDisk } from "@stet/testkit/small-disk";
import { StetProject } from "@stet/testkit/stet-project";

test("a turn with the practice model ends in hunks, and nothing is on disk before they are accepted", async (t) => {
  const place = new StetProject(t);
  const turn = await place.stet(["-p", "Rename Tobias to Elias in all files"]);
  assert.equal(turn.code, 0, turn.note);
  assert.match(turn.out, /replaced .Tobias. with .Elias. 25 times in 6 files/);
  assert.match(turn.note, /this is the practice model/);
  assert.match(place.read("novel.md"), /Tobias Hale/);
  const list = await place.stet(["review"]);
  assert.equal(list.out.trim().split("\n").length, 6);
  const [, hunk = ""] = /characters\.md.*?(h_\d+_\d+)/.exec(list.out) ?? [];
  assert.match((await place.stet(["review", "reject", hunk])).out, /Rejected 1 hunk/);
  assert.match((await place.stet(["review", "accept", "--all"])).out, /Accepted 23 hunks; saved/);
  assert.match(place.read("novel.md"), /Elias Hale/);
  assert.match(place.read("notes/characters.md"), /Tobias Hale/);
  assert.match((await place.stet(["review"])).out, /Nothing is waiting/);
});

test("a rollback takes the turn back on disk, and its own checkpoint undoes it", async (t) => {
  const place = new StetProject(t);
  const before = place.read("novel.md");
  await place.stet(["-p", "Rename Tobias to Elias in novel.md", "--review", "none"]);
  const after = place.read("novel.md");
  assert.notEqual(after, before);
  const [checkpoint = ""] = /ckpt_\w+/.exec((await place.stet(["checkpoints"])).out) ?? [];
  assert.match((await place.stet(["rollback", checkpoint, "--dry-run"])).note, /novel.md/);
  assert.equal(place.read("novel.md"), after);
  const rollback = await place.stet(["rollback", checkpoint, "--yes"]);
  assert.equal(place.read("novel.md"), before);
  const [undo = ""] = /ckpt_\w+/.exec(rollback.out) ?? [];
  await place.stet(["rollback", undo, "--yes"]);
  assert.equal(place.read("novel.md"), after);
});

test("a session goes on, is listed, shown, exported and removed", async (t) => {
  const place = new StetProject(t);
  await place.stet(["-p", "How many words are in novel.md?"]);
  await place.stet(["--continue", "-p", "List the files"]);
  const list = await place.stet(["sessions"]);
  assert.equal(list.out.trim().split("\n").length, 1);
  assert.equal(
    (await place.stet(["sessions", "prompts"])).out,
    "List the files\nHow many words are in novel.md?\n",
  );
  assert.equal((await place.stet(["sessions", "prompts", "words"])).out, "How many words are in novel.md?\n");
  const id = list.out.slice(0, 8);
  const shown = await place.stet(["sessions", "show", id]);
  assert.match(shown.out, /How many words.*List the files/s);
  const markdown = await place.stet(["sessions", "export", id]);
  assert.match(markdown.out, /How many words/);
  assert.equal((await place.stet(["sessions", "export", id, "talk.html"])).code, 0);
  assert.match(place.read("talk.html"), /<!doctype html>/i);
  assert.equal((await place.stet(["sessions", "remove", id])).code, 0);
  assert.match((await place.stet(["sessions"])).out, /no sessions/);
  await place.stet(["--no-session", "-p", "List the files"]);
  assert.match((await place.stet(["sessions"])).out, /no sessions/);
});

test("text from standard input and from @file is part of the request", async (t) => {
  const place = new StetProject(t);
  writeFileSync(join(place.folder, "request.txt"), "Rename Tobias to Elias in novel.md");
  assert.match((await place.stet(["-p", "@request.txt"])).out, /Elias/);
  assert.match((await place.stet(["-p"], { input: "Rename Mara to Nora in novel.md" })).out, /Nora/);
  const missing = await place.stet(["-p", "@nothing.txt"]);
  assert.deepEqual([missing.code, /no file/.test(missing.note)], [2, true]);
});

test("what is wrong is said in a sentence, with the right exit code", async (t) => {
  const place = new StetProject(t);
  const cases: [string[], number, RegExp][] = [
    [[], 2, /^$/],
    [["-p"], 2, /Say what to do/],
    [["--nonsense"], 2, /nonsense.*See stet --help/s],
    [["-p", "x", "--mode", "xml"], 2, /--mode takes text or json, not xml/],
    [["-p", "x", "--review", "never"], 2, /hunk, turn or none/],
    [["-p", "x", "--max-cost", "lots"], 2, /amount in US dollars/],
    [["-p", "x", "--model", "nonsense"], 2, /PROVIDER\/MODEL/],
    [["-p", "x", "--model", "nowhere/model"], 2, /no provider called nowhere/],
    [["-p", "x", "--model", "openai/gpt-5"], 1, /OPENAI_API_KEY/],
    [["-C", "missing", "review"], 2, /no folder/],
    [["review", "accept"], 2, /hunk ids, --file/],
    [["review", "accept", "h_1_99"], 4, /not open/],
    [["review", "dance"], 2, /not known/],
    [["rollback", "ckpt_nothing"], 4, /no checkpoint/],
    [["sessions", "show", "zzzz"], 4, /zzzz/],
    [["completions", "tcsh"], 2, /bash, zsh or fish/],
  ];
  for (const [args, code, message] of cases) {
    const ended = await place.stet(args);
    assert.equal(ended.code, code, `${args.join(" ")}: ${ended.note}`);
    assert.match(ended.note, message, args.join(" "));
    assert.doesNotMatch(ended.note, /\n\s+at /, `${args.join(" ")} shows a stack`);
  }
});

test("help fits a screen, and the version is told", async (t) => {
  const place = new StetProject(t);
  const { out } = await place.stet(["--help"]);
  assert.ok(out.split("\n").length <= 40 && out.split("\n").every((line) => line.length <= 100));
  assert.match((await place.stet(["--version"])).out, /^\d+\.\d+\.\d+\n$/);
});

test("a folder's own configuration counts only when it is trusted, and never chooses a model", async (t) => {
  const place = new StetProject(t);
  mkdirSync(join(place.folder, ".stet"));
  writeFileSync(
    join(place.folder, ".stet/config.json"),
    JSON.stringify({ model: "evil/model", maxToolCalls: 3 }),
  );
  const settings = async () => {
    const list: { name: string; value: unknown; source: string }[] = JSON.parse(
      (await place.stet(["config", "--json"])).out,
    );
    return Object.fromEntries(list.map(({ name, value, source }) => [name, [value, source]]));
  };
  assert.deepEqual((await settings()).maxToolCalls, [200, "default"]);
  assert.match((await place.stet(["trust"])).out, /never lets it choose a model/);
  assert.deepEqual((await settings()).maxToolCalls, [3, "project"]);
  assert.deepEqual((await settings()).model, ["", "default"]);
  const stopped = await place.stet(["-p", "Rename Tobias to Elias in all files"]);
  assert.match(stopped.note, /Search all files for/);
  await place.stet(["trust", "--off"]);
  assert.deepEqual((await settings()).maxToolCalls, [200, "default"]);
  writeFileSync(join(place.folder, ".stet/config.json"), "{ nonsense");
  await place.stet(["trust"]);
  const broken = await place.stet(["config"]);
  assert.deepEqual([broken.code, /not valid JSON/.test(broken.note)], [4, true]);
});

test("a turn can be decided as a whole, and its session remembers the decision", async (t) => {
  const place = new StetProject(t);
  const turn = await place.stet(["-p", "Rename Tobias to Elias in novel.md", "--review", "turn"]);
  const [, id = ""] = /review reject --turn (turn_\w+)/.exec(turn.note) ?? [];
  assert.match((await place.stet(["review", "reject", "--turn", id])).out, /Rejected 13 hunks/);
  const session = (await place.stet(["sessions"])).out.slice(0, 8);
  assert.match((await place.stet(["sessions", "show", session])).out, /turn\n.*decision/s);
});

test("undo takes the last decision back in all files, on disk, too, and the session remembers it", async (t) => {
  const place = new StetProject(t);
  const before = [place.read("novel.md"), place.read("notes/characters.md")];
  await place.stet(["-p", "Rename Tobias to Elias in all files"]);
  await place.stet(["review", "accept", "--all"]);
  assert.notEqual(place.read("novel.md"), before[0]);
  const undone = await place.stet(["review", "undo"]);
  assert.equal(undone.out.split(",").length, 24, undone.note);
  assert.deepEqual([place.read("novel.md"), place.read("notes/characters.md")], before);
  assert.equal((await place.stet(["review"])).out.trim().split("\n").length, 6);
  const session = (await place.stet(["sessions"])).out.slice(0, 8);
  const shown = (await place.stet(["sessions", "export", session])).out;
  assert.match(shown, /Accepted 24 hunks[\s\S]*Reopened 24 hunks/);
});

test("what was rejected is told to the model with the next message", async (t) => {
  const place = new StetProject(t);
  await place.stet(["-p", "Rename Tobias to Elias in novel.md"]);
  await place.stet(["review", "reject", "--all"]);
  await place.stet(["--continue", "-p", "List the files"]);
  const id = (await place.stet(["sessions"])).out.slice(0, 8);
  assert.match((await place.stet(["sessions", "export", id])).out, /The person rejected 13 of your changes/);
});

test("Ctrl-C stops the turn, keeps the documents as they were and the session readable", async (t) => {
  const place = new StetProject(t);
  const ended = await place.stet(["-p", "Rename Mara to Nora in all files"], {
    as: "process",
    person: async ({ sees, interrupts }) => {
      await sees(/→ Edit/);
      interrupts();
    },
  });
  assert.equal(ended.code, 130, ended.note);
  assert.match((await place.stet(["review"])).out, /Nothing is waiting/);
  assert.match((await place.stet(["sessions"])).out, /Rename Mara/);
});

test("output that cannot be written ends the command with a sentence, and one that nobody reads with none", async (t) => {
  const project = new StetProject(t);
  await project.stet(["-p", "Rename Tobias to Elias in all files"]);
  const main = join(import.meta.dirname, "main.ts");
  const sh = (script: string) =>
    spawnSync("sh", ["-c", script, process.execPath, "--disable-warning=ExperimentalWarning", main], {
      cwd: project.folder,
      env: project.environment,
      encoding: "utf8",
    });
  if (existsSync("/dev/full")) {
    const full = sh('"$0" "$@" review show > /dev/full');
    assert.deepEqual([full.status, full.stderr.split("\n").length], [1, 2], full.stderr);
    assert.match(full.stderr, /^stet: The output could not be written: ENOSPC/);
  }
  const closed = sh('"$0" "$@" review show | head -c 10 > /dev/null');
  assert.equal(closed.stderr, "");
});

test("a full disk ends the turn with a sentence, and loses nothing that was there", async (t) => {
  const place = new StetProject(t);
  const data = place.environment.STET_DATA_DIR ?? "";
  mkdirSync(data, { recursive: true });
  const small = smallDisk(data, "480k");
  if (small === undefined) return t.skip("a small file system cannot be mounted here");
  try {
    let ended = await place.stet(["-p", "Rename Tobias to Elias in all files"]);
    for (let turn = 0; turn < 5 && ended.code === 0; turn += 1)
      ended = await place.stet(["-p", "List the files"]);
    assert.equal(ended.code, 1, ended.note);
    assert.match(ended.note, /the disk is full. Free some space/);
    assert.doesNotMatch(ended.note, /\n\s+at /);
    small.resize("8m");
    assert.match((await place.stet(["review", "accept", "--all"])).out, /Accepted 24 hunks/);
  } finally {
    small.remove();
  }
});
