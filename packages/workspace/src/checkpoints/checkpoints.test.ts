import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { agentEdits, baseOf, must, openTwins, personEdits, refused, textOf } from "@stet/testkit/workspace";

const song = "one\ntwo\nthree\nfour\nfive\nsix\n";

async function setUp(t: TestContext) {
  const { place, workspace, a, b } = await openTwins(t, song);
  const first = agentEdits(
    workspace,
    [
      [
        a,
        { op: "replace", from: 1, to: 1, content: "ONE" },
        { op: "replace", from: 5, to: 5, content: "FIVE" },
      ],
    ],
    "first",
  );
  return { place, workspace, a, b, first };
}

test("a checkpoint lists only the files that the turn touched, with the way back", async (t) => {
  const { workspace, a, first } = await setUp(t);
  const [checkpoint] = workspace.checkpoints.list();
  assert.equal(checkpoint?.turn, first);
  assert.deepEqual(
    checkpoint?.files.map((file) => [file.document, file.path]),
    [[a, "a.txt"]],
  );
  assert.deepEqual(
    checkpoint?.files[0]?.hunks.map(({ removed, added }) => [removed, added]),
    [
      [["one"], ["ONE"]],
      [["five"], ["FIVE"]],
    ],
  );
  assert.match(checkpoint?.files[0]?.baseHash ?? "", /^sha256:[0-9a-f]{64}$/);
  assert.equal(refused(workspace.checkpoints.read("ckpt_nonsense")).error, "unknown_checkpoint");
});

test("diff3 shows the file as it is, as it was, and as proposed", async (t) => {
  const { workspace, a, first } = await setUp(t);
  must(workspace.review.reject("everything"));
  personEdits(workspace, a, { op: "append", content: "mine" });
  assert.deepEqual(must(workspace.checkpoints.diff3(first, a)), {
    current: `${song}mine\n`,
    checkpointBase: song,
    agentProposed: song.replace("one", "ONE").replace("five", "FIVE"),
  });
});

test("a hard rollback takes back everything later, and can itself be undone", async (t) => {
  const { workspace, a, first } = await setUp(t);
  personEdits(workspace, a, { op: "append", content: "mine" });
  agentEdits(workspace, [[a, { op: "delete", from: 2, to: 2 }]], "second");
  const before = [textOf(workspace, a), baseOf(workspace, a), JSON.stringify(workspace.review.list())];
  const report = must(workspace.checkpoints.rollback(first, { mode: "hard_all" }));
  assert.equal(textOf(workspace, a), song);
  assert.deepEqual(workspace.review.list(), []);
  must(workspace.checkpoints.rollback(report.checkpoint ?? "", { mode: "hard_all" }));
  assert.deepEqual(
    [textOf(workspace, a), baseOf(workspace, a), JSON.stringify(workspace.review.list())],
    before,
  );
});

test("a rollback changes the document; the file follows when it is saved", async (t) => {
  const { place, workspace, a, first } = await setUp(t);
  must(workspace.review.accept("everything"));
  must(await workspace.saving.save([a]));
  must(workspace.checkpoints.rollback(first, { mode: "hard_all" }));
  assert.match(readFileSync(place.path("a.txt"), "utf8"), /ONE/);
  must(await workspace.saving.save([a]));
  assert.equal(readFileSync(place.path("a.txt"), "utf8"), song);
});

test("rolling back one hunk that was accepted and saved keeps everything that came later", async (t) => {
  const { workspace, a, first } = await setUp(t);
  const [one] = workspace.checkpoints.list()[0]?.files[0]?.hunks.map((hunk) => hunk.id) ?? [];
  must(workspace.review.accept("everything"));
  must(await workspace.saving.save([a]));
  personEdits(workspace, a, { op: "insert", after: 3, content: "mine" });
  const report = must(workspace.checkpoints.rollback(first, { mode: "scoped_selected", hunks: [one ?? ""] }));
  assert.deepEqual([report.rolledBack, report.conflicts], [[one], []]);
  assert.equal(textOf(workspace, a), "one\ntwo\nthree\nmine\nfour\nFIVE\nsix\n");
  assert.equal(baseOf(workspace, a), textOf(workspace, a));
});

test("a hunk whose lines were changed since is a conflict of that hunk only", async (t) => {
  const { workspace, a, first } = await setUp(t);
  const hunks = workspace.checkpoints.list()[0]?.files[0]?.hunks.map((hunk) => hunk.id) ?? [];
  must(workspace.review.accept("everything"));
  personEdits(workspace, a, { op: "replace", from: 1, to: 1, content: "ONE, mine" });
  const report = must(workspace.checkpoints.rollback(first, { mode: "scoped_selected", hunks }));
  assert.deepEqual([report.rolledBack, report.conflicts], [[hunks[1]], [hunks[0]]]);
  assert.equal(textOf(workspace, a), "ONE, mine\ntwo\nthree\nfour\nfive\nsix\n");
});

test("a dry run tells what would happen and changes nothing", async (t) => {
  const { workspace, a, first } = await setUp(t);
  const before = textOf(workspace, a);
  const report = must(workspace.checkpoints.rollback(first, { mode: "hard_all" }, { dryRun: true }));
  assert.deepEqual(report.documents, [a]);
  assert.equal(textOf(workspace, a), before);
  assert.equal(workspace.checkpoints.list().length, 1);
});

test("a dry run shows the very lines that the rollback then changes, also of single hunks", async (t) => {
  const { workspace, a, first } = await setUp(t);
  const [, five = ""] = workspace.checkpoints.list()[0]?.files[0]?.hunks.map((hunk) => hunk.id) ?? [];
  must(workspace.review.accept("everything"));
  personEdits(workspace, a, { op: "insert", after: 3, content: "mine" });
  for (const request of [{ mode: "scoped_selected", hunks: [five] }, { mode: "hard_all" }] as const) {
    const dry = must(workspace.checkpoints.rollback(first, request, { dryRun: true }));
    const real = must(workspace.checkpoints.rollback(first, request));
    assert.deepEqual(real.patches, dry.patches);
    assert.deepEqual([real.patches[0]?.document, real.patches[0]?.path], [a, "a.txt"]);
    const changed = real.patches[0]?.patch.split("\n").filter((line) => /^[-+](?![-+])/.test(line));
    const expected = request.mode === "hard_all" ? ["-ONE", "+one", "-mine"] : ["-FIVE", "+five"];
    assert.deepEqual(changed, expected);
  }
  const nothing = must(workspace.checkpoints.rollback(first, { mode: "hard_all" }));
  assert.deepEqual(nothing.patches, []);
});

test("hunks of another turn cannot be rolled back through this checkpoint", async (t) => {
  const { workspace, b, first } = await setUp(t);
  agentEdits(workspace, [[b, { op: "append", content: "x" }]]);
  const foreign = workspace.review.file(b)?.hunks[0]?.id ?? "";
  assert.equal(
    refused(workspace.checkpoints.rollback(first, { mode: "scoped_selected", hunks: [foreign] })).error,
    "unknown_hunk",
  );
});
