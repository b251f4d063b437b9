// Toolset code over whole turns: what commands do, what the person is asked, what is kept, what is taken back.

import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { isFault } from "@stet/protocol/fault";
import { noSandbox } from "@stet/testkit/commands-fixture";
import { lastAnswer, openTurnFixture } from "@stet/testkit/turn-fixture";
import { must } from "@stet/testkit/workspace";

const bash = (command: string, more: Record<string, unknown> = {}) => {
  return { calls: [{ name: "bash", arguments: { command, ...more } }] };
};

const full = { "permission.mode": "full" } as const;

test("what a command changed, made and removed is reviewed, and rejecting brings all of it back", async (t) => {
  const files = { "a.txt": "one\r\ntwo\r\n", "b.txt": "gone\n", "c.txt": "stays\n" };
  const fixture = await openTurnFixture(t, { files, settings: full });
  const { finished, answers } = await fixture.turn([
    bash("printf 'one\\r\\nTWO\\r\\n' > a.txt; rm b.txt; echo made > new.txt"),
    { text: "Done." },
  ]);
  assert.ok(!isFault(finished));
  assert.match(answers[0]?.text ?? "", /Changed on disk: .*a\.txt.*b\.txt.*new\.txt/);
  assert.deepEqual(
    fixture.workspace.review
      .list()
      .map(({ path }) => path)
      .sort(),
    ["a.txt", "b.txt", "new.txt"],
  );
  must(fixture.workspace.review.reject({ turn: finished.turn ?? "" }));
  must(await fixture.workspace.settle(finished.documents));
  assert.equal(readFileSync(fixture.place.path("a.txt"), "utf8"), files["a.txt"]);
  assert.equal(readFileSync(fixture.place.path("b.txt"), "utf8"), files["b.txt"]);
  assert.equal(existsSync(fixture.place.path("new.txt")), false);
});

test("a script that a command removed can be run again when that is rejected", async (t) => {
  const fixture = await openTurnFixture(t, { files: { "run.sh": "#!/bin/sh\necho run\n" }, settings: full });
  chmodSync(fixture.place.path("run.sh"), 0o755);
  const { finished } = await fixture.turn([bash("rm run.sh"), { text: "Done." }]);
  assert.ok(!isFault(finished));
  assert.equal(existsSync(fixture.place.path("run.sh")), false);
  must(fixture.workspace.review.reject({ turn: finished.turn ?? "" }));
  must(await fixture.workspace.settle(finished.documents));
  assert.equal(statSync(fixture.place.path("run.sh")).mode & 0o777, 0o755);
});

test("an edit and then a command on the same file are one review, and both are undone", async (t) => {
  const fixture = await openTurnFixture(t, { files: { "a.txt": "one\ntwo\nthree\n" }, settings: full });
  const { finished } = await fixture.turn([
    { calls: [{ name: "edit", arguments: { input: "§a.txt\n»EOF\nfour" } }] },
    bash("sed -i s/one/ONE/ a.txt"),
    { text: "Done." },
  ]);
  assert.ok(!isFault(finished));
  assert.equal(readFileSync(fixture.place.path("a.txt"), "utf8"), "ONE\ntwo\nthree\nfour\n");
  assert.equal(fixture.workspace.review.list()[0]?.hunks.length, 2);
  const [first] = fixture.workspace.review.list()[0]?.hunks ?? [];
  must(fixture.workspace.review.reject({ hunks: [first?.id ?? ""] }));
  must(await fixture.workspace.settle(finished.documents));
  assert.equal(readFileSync(fixture.place.path("a.txt"), "utf8"), "one\ntwo\nthree\nfour\n");
});

test("a command that forks away and a job end with the turn", async (t) => {
  const fixture = await openTurnFixture(t, { files: { "a.txt": "" }, settings: full });
  const beat = "while true; do date +%s%N > beat.txt; sleep 0.05; done";
  await fixture.turn([
    bash(`(setsid bash -c '${beat}' >/dev/null 2>&1 &) ; sleep 0.2`),
    bash(beat.replace("beat.txt", "job.txt"), { async: true }),
    bash("sleep 0.3"),
    { text: "Done." },
    { text: "Done." },
  ]);
  const last = () => ["beat.txt", "job.txt"].map((name) => readFileSync(fixture.place.path(name), "utf8"));
  const before = last();
  await pause(300);
  assert.deepEqual(last(), before);
});

test("a turn that is stopped keeps what it did, for review", async (t) => {
  const fixture = await openTurnFixture(t, { files: { "a.txt": "one\n" }, settings: full });
  const controller = new AbortController();
  const { finished } = await fixture.turn((_, index) => {
    if (index === 0) return { calls: [{ name: "edit", arguments: { input: "§a.txt\n»EOF\ntwo" } }] };
    setTimeout(() => controller.abort(), 200);
    return bash("sleep 30");
  }, controller.signal);
  assert.ok(!isFault(finished));
  assert.equal(finished.outcome, "aborted");
  assert.equal(readFileSync(fixture.place.path("a.txt"), "utf8"), "one\ntwo\n");
  assert.equal(fixture.workspace.review.list()[0]?.path, "a.txt");
});

test("in mode ask the person sees exactly what would run, and their no is told to the model", async (t) => {
  const fixture = await openTurnFixture(t, {
    files: { "a.txt": "one\n" },
    answer: (question) => (question.includes("rm -rf") ? "Deny" : "Allow once"),
  });
  const { answers } = await fixture.turn([
    bash("cat a.txt"),
    bash("git status && rm -rf a.txt"),
    { calls: [{ name: "edit", arguments: { input: "§a.txt\n»EOF\ntwo" } }] },
    { text: "Done." },
  ]);
  assert.equal(fixture.questions.length, 2, "reading needs no question");
  assert.match(fixture.questions[0] ?? "", /git status && rm -rf a\.txt/);
  assert.match(fixture.questions[1] ?? "", /a\.txt/);
  assert.match(answers[1]?.text ?? "", /not_allowed/);
  assert.equal(readFileSync(fixture.place.path("a.txt"), "utf8"), "one\ntwo\n");
});

test("what is allowed for the session is not asked again, in later turns either", async (t) => {
  const session = (_: string, options: readonly string[]) =>
    options.find((option) => /session/.test(option)) ?? "";
  const fixture = await openTurnFixture(t, { files: { "a.txt": "one\n" }, answer: session });
  await fixture.turn([bash("touch b.txt"), { text: "Done." }]);
  await fixture.turn([bash("touch b.txt"), { text: "Done." }]);
  assert.equal(fixture.questions.length, 1);
});

test("in mode plan nothing is changed", async (t) => {
  const fixture = await openTurnFixture(t, {
    files: { "a.txt": "one\n" },
    settings: { "permission.mode": "plan" },
  });
  const { answers } = await fixture.turn([
    { calls: [{ name: "edit", arguments: { input: "§a.txt\n»EOF\ntwo" } }] },
    bash("echo x > a.txt"),
    bash("cat a.txt"),
    { text: "Done." },
  ]);
  assert.deepEqual(
    answers.map(({ isError }) => isError),
    [true, true, false],
  );
  assert.equal(readFileSync(fixture.place.path("a.txt"), "utf8"), "one\n");
});

test("tools beyond the first few are found by what they do, and can be called from then on", async (t) => {
  const fixture = await openTurnFixture(t, { files: {} });
  const { model, answers } = await fixture.turn([
    { calls: [{ name: "search_tool_bm25", arguments: { query: "arithmetic" } }] },
    {
      calls: [{ name: "calc", arguments: { calculations: [{ expression: "6*7", prefix: "", suffix: "" }] } }],
    },
    { text: "42" },
  ]);
  assert.ok(!model.requests[0]?.tools.some(({ name }) => name === "calc"));
  assert.ok(model.requests[1]?.tools.some(({ name }) => name === "calc"));
  assert.equal(answers[1]?.text, "42");
});

test("secrets of the environment and well-known keys are in no answer, no event and no file that is kept", async (t) => {
  const key = ["sk", "ant", "api03", "a".repeat(40)].join("-");
  const fixture = await openTurnFixture(t, {
    files: { "config.txt": `key = ${key}\ntoken = correct-horse-battery\n` },
    settings: full,
    environment: { MY_API_TOKEN: "correct-horse-battery" },
  });
  const { messages, events, answers } = await fixture.turn([
    { calls: [{ name: "read", arguments: { path: "config.txt" } }] },
    bash("cat config.txt; echo $MY_API_TOKEN"),
    bash("cat config.txt; seq 20000"),
    { calls: [{ name: "edit", arguments: { input: "§config.txt\n»BOF\n# Keys" } }] },
    { text: "Done." },
  ]);
  const secret = new RegExp(`${key}|correct-horse-battery`);
  assert.doesNotMatch(JSON.stringify([messages, events]), secret);
  assert.match(JSON.stringify(messages), /redacted/);
  assert.match(answers[2]?.text ?? "", /artifact:\/\//, "the long output was kept");
  const sessions = join(fixture.place.dataFolder, "sessions");
  const kept = readdirSync(sessions, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  assert.ok(
    kept.some(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8").includes("\n19999\n")),
  );
  for (const { parentPath, name } of kept)
    assert.doesNotMatch(readFileSync(join(parentPath, name), "utf8"), secret);
});

test("what a rule denies reading cannot be read by code in the sandbox, and git sees no change", {
  skip: noSandbox(),
}, async (t) => {
  const fixture = await openTurnFixture(t, {
    files: { "private/tracked.txt": "tracked words", ".gitignore": "*.local\nnotes/\n", "a.txt": "a" },
    settings: {
      "permission.mode": "auto-edit",
      "permission.rules": [
        { tool: "read", target: "notes/**", effect: "deny" },
        { tool: "read", target: "**/*.local", effect: "deny" },
        { tool: "read", target: "private/**", effect: "deny" },
      ],
    },
  });
  for (const name of ["notes/a.txt", "sub/x.local"]) {
    mkdirSync(join(fixture.place.root, name, ".."), { recursive: true });
    writeFileSync(fixture.place.path(name), "denied words");
  }
  const { answers } = await fixture.turn([
    bash(
      `sh -c 'cat "$1"/a.txt' x notes; x=sub/x; cat "$x.local"; python3 -c 'print(open("sub/x.local").read())'; git status --short; echo over`,
    ),
    { text: "Done." },
  ]);
  assert.match(answers[0]?.text ?? "", /over/);
  assert.doesNotMatch(answers[0]?.text ?? "", /denied words| D /);
  assert.equal(readFileSync(fixture.place.path("notes/a.txt"), "utf8"), "denied words");
});

test("a rewind replaces what was looked at by the report, and the model is reminded to make one", async (t) => {
  const fixture = await openTurnFixture(t, { files: { "a.txt": "needle in line one\n" } });
  const report = "The needle is in a.txt, line 1.";
  const { model, messages } = await fixture.turn((request, index) => {
    if (index === 0) return { calls: [{ name: "search_tool_bm25", arguments: { query: "checkpoint" } }] };
    if (index === 1) return { calls: [{ name: "checkpoint", arguments: { goal: "find the needle" } }] };
    if (index === 2) return { calls: [{ name: "read", arguments: { path: "a.txt" } }] };
    if (index === 3) return { text: "I am done." };
    if (index === 4) {
      const reminder = request.messages.at(-1);
      assert.match(JSON.stringify(reminder), /checkpoint is active/);
      return { calls: [{ name: "rewind", arguments: { report } }] };
    }
    return { text: "It is in a.txt." };
  });
  const last = JSON.stringify(model.requests.at(-1)?.messages);
  assert.match(last, /The needle is in a\.txt, line 1/);
  assert.doesNotMatch(last, /needle in line one/);
  assert.doesNotMatch(JSON.stringify(messages), /needle in line one/);
});

test("what the person changed on disk between reading and editing is kept", async (t) => {
  const fixture = await openTurnFixture(t, { files: { "a.txt": "one\ntwo\nthree\n" }, settings: full });
  await fixture.turn((request, index) => {
    if (index === 0) return { calls: [{ name: "read", arguments: { path: "a.txt" } }] };
    if (index > 1) return { text: "Done." };
    writeFileSync(fixture.place.path("a.txt"), "zero\none\ntwo\nthree\n");
    const anchor = /(\d+[a-z]{2})\|two/.exec(lastAnswer(request))?.[1];
    return { calls: [{ name: "edit", arguments: { input: `§a.txt\n≔${anchor}\nTWO` } }] };
  });
  assert.equal(readFileSync(fixture.place.path("a.txt"), "utf8"), "zero\none\nTWO\nthree\n");
});
