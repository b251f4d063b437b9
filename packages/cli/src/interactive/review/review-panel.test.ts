import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { isFault } from "@stet/protocol/fault";
import { assertLaw } from "@stet/testkit/law";
import {
  keyOf,
  openPanelFixture,
  type PanelFixture,
  type PanelOptions,
  rowsOf,
  until,
} from "@stet/testkit/panel-fixture";
import { agentEdits, must, personEdits } from "@stet/testkit/workspace";
import { cellWidth } from "@stet/tui/text/width";
import { type ReviewOutcome, ReviewPanel } from "./review-panel.ts";

const lines = Array.from({ length: 12 }, (_, index) => `Line ${index + 1}.`);
const files = { "a.md": `${lines.join("\n")}\n`, "b.md": "one\ntwo\nthree\n" };

/** A turn over both files, in three hunks, and the panel on it. */
async function opened(t: TestContext, options: PanelOptions = {}) {
  const fixture = await openPanelFixture(t, files, options);
  const { workspace } = fixture.service.service;
  const [a, b] = [must(workspace.documents.open("a.md")).id, must(workspace.documents.open("b.md")).id];
  agentEdits(
    workspace,
    [
      [
        a,
        { op: "replace", from: 3, to: 3, content: "Line three." },
        { op: "replace", from: 9, to: 9, content: "Line nine,\nand more." },
      ],
      [b, { op: "insert", after: 1, content: "one and a half" }],
    ],
    "Write numbers as words",
  );
  return { ...(await panelOn(fixture)), fixture, workspace, a, b };
}

async function panelOn(fixture: PanelFixture) {
  let outcome: ReviewOutcome | undefined;
  const panel = new ReviewPanel(fixture, (left) => {
    outcome = left;
  });
  panel.isFocused = true;
  const settled = () => until(() => !panel.isBusy, "the panel to be done");
  await settled();
  const screen = () => rowsOf(panel, fixture).join("\n");
  return {
    panel,
    screen,
    outcome: () => outcome,
    async press(...keys: string[]) {
      for (const key of keys) {
        panel.handleInput(keyOf(key));
        await settled();
        screen();
      }
      return screen();
    },
    sees: (pattern: RegExp) => until(() => pattern.test(screen()), `${pattern} in\n${screen()}`),
  };
}

const disk = ({ place }: PanelFixture, name: string) => readFileSync(place.path(name), "utf8");

test("a hunk is shown with its place, its file among the others, its turn, numbers and context", async (t) => {
  const { screen, press } = await opened(t);
  assert.match(screen(), /^Review 1 of 3 {2}a\.md:3\n/);
  assert.match(screen(), /a\.md +\+3 −2 {2}2 hunks\n +b\.md +\+1 −0 {2}1 hunk\n/);
  assert.match(screen(), /Write numbers as words \(3 hunks\)/);
  assert.match(screen(), /\n2 {3}Line 2\.\n3 - Line 3\.\n3 \+ Line three\.\n4 {3}Line 4\.\n/);
  assert.match(await press("s"), /^Review 2 of 3 {2}a\.md:9\n/);
  assert.match(await press("]"), /^Review 3 of 3 {2}b\.md:2\n/);
  assert.match(await press("s"), /This is the last open hunk/);
  assert.match(await press("["), /^Review 1 of 3/);
  assert.match(await press("x"), /"x" does nothing here/);
  assert.match(await press("?"), /Reject the whole file/);
});

test("one key accepts, rejects and undoes; leaving saves what was decided", async (t) => {
  const { press, outcome, fixture } = await opened(t);
  assert.match(await press("a"), /^Review 1 of 2 {2}a\.md:9 +1 decided\n[\s\S]*Accepted 1 hunk\./);
  assert.match(await press("r"), /^Review 1 of 1 {2}b\.md:2 +2 decided/);
  assert.match(await press("u"), /^Review 1 of 2 {2}a\.md:9 +1 decided\n[\s\S]*Open again: 1 hunk/);
  assert.match(await press("r", "a"), /Nothing is waiting for review\.\n3 hunks were decided here/);
  await press("q");
  assert.deepEqual(outcome(), { saved: ["a.md", "b.md"], notes: [], decided: 3, left: 0 });
  assert.equal(disk(fixture, "a.md"), files["a.md"].replace("Line 3.", "Line three."));
  assert.equal(disk(fixture, "b.md"), "one\none and a half\ntwo\nthree\n");
});

test("a file, a turn and everything are decided by one key; rejecting everything asks", async (t) => {
  const { press, fixture } = await opened(t);
  assert.match(await press("f"), /Accepted 2 hunks/);
  assert.match(await press("u", "T"), /Rejected 3 hunks/);
  assert.match(await press("u"), /^Review 1 of 3/);
  assert.match(await press("R"), /Reject all 3\?\ny yes {2}n no$/);
  assert.match(await press("a", "n"), /^Review 1 of 3/);
  assert.match(await press("R", "y"), /Nothing is waiting/);
  assert.equal(disk(fixture, "a.md"), files["a.md"]);
});

test("what belongs to one turn is decided as a whole, and what is in doubt is asked about on its own", async (t) => {
  const fixture = await openPanelFixture(t, files);
  const { workspace } = fixture.service.service;
  const edited = (options: { isWhole?: boolean; isInDoubt?: boolean }, name: string, ...lines: number[]) => {
    const turn = workspace.beginTurn({ summary: "A turn", ...options });
    const document = must(workspace.documents.open(name)).id;
    const { revision } = must(turn.read(document));
    const edits = lines.map((line) => ({ op: "replace" as const, from: line, to: line, content: "new" }));
    must(turn.edit(document, { revision, policy: { kind: "rebase" }, edits }));
    must(turn.commit());
  };
  edited({ isWhole: true }, "a.md", 2, 9);
  const { press } = await panelOn(fixture);
  assert.match(await press("a"), /Accept the whole turn\?\ny yes {2}n no$/);
  assert.match(await press("n"), /^Review 1 of 2[\s\S]*decided with its whole turn/);
  assert.match(await press("a", "y"), /Accepted 2 hunks\./);
  edited({}, "a.md", 4);
  edited({ isInDoubt: true }, "b.md", 2);
  const again = await panelOn(fixture);
  assert.match(await again.press("R"), /Reject all 1\?/);
  assert.match(await again.press("y"), /1 more hunk was changed during a turn[\s\S]*Reject it, too\?/);
  assert.match(await again.press("n"), /^Review 1 of 1 {2}b\.md:2[\s\S]*in doubt/);
});

test("keys that are typed faster than the answers come are all obeyed, in their order", async (t) => {
  const { panel, workspace, a } = await opened(t);
  for (const key of "ara") panel.handleInput(keyOf(key));
  await until(() => !panel.isBusy, "all three");
  assert.equal(panel.session.decided, 3);
  const { base } = must(workspace.documents.state(a)).pending;
  assert.match(base.toString(), /Line three\.[\s\S]*Line 9\./);
});

test("keys from before a question do not answer it", async (t) => {
  const { panel, screen } = await opened(t);
  for (const key of "Ry") panel.handleInput(keyOf(key));
  await until(() => /Reject all 3/.test(screen()), "the question");
  await until(() => !panel.isBusy, "the question");
  assert.match(screen(), /Reject all 3\?/);
});

test("what others decide and change is seen at once, and the place is kept by its hunk", async (t) => {
  const { press, sees, fixture, workspace, b, panel } = await opened(t);
  await press("s", "s");
  const [first] = panel.session.open;
  const body = { hunk_ids: [first?.hunk.hunk_id ?? ""], verdict: "accept" as const };
  assert.ok(!isFault(await fixture.api.call("decide", { body })));
  await sees(/^Review 2 of 2 {2}b\.md:2\n/);
  personEdits(workspace, b, { op: "insert", after: 0, content: "zero" });
  fixture.service.service.events.look();
  await sees(/^Review 2 of 2 {2}b\.md:3\n/);
});

test("a hunk that was changed after it was shown is not decided on unseen", async (t) => {
  const { press, workspace, a } = await opened(t);
  personEdits(workspace, a, { op: "replace", from: 3, to: 3, content: "Line three, says the person." });
  assert.match(await press("r"), /It was changed just now, so nothing was decided/);
  assert.match(await press(), /you changed it, too[\s\S]*Line three, says the person\./);
});

test("lines that are edited in place are the person's: accepting keeps them, and so does rejecting, in a checkpoint", async (t) => {
  const { press, workspace, a, fixture } = await opened(t);
  assert.match(await press("e"), /Line three\.[\s\S]*ctrl\+s keep {2}esc drop$/);
  await press(..." Mine.");
  assert.match(await press("enter", ..."And this.", "ctrl+s"), /Your lines are in the hunk now/);
  assert.match(await press(), /you changed it, too[\s\S]*3 \+ Line three\. Mine\.\n *4 \+ And this\.\n/);
  assertLaw(must(workspace.documents.state(a)).pending);
  assert.match(await press("r"), /Rejected 1 hunk/);
  const { checkpoints } = workspace;
  const kept = checkpoints.list().find(({ kind }) => kind === "rollback");
  assert.match(
    must(checkpoints.diff3(kept?.id ?? "", a)).checkpointBase,
    /Line three\. Mine\.\nAnd this\.\n/,
  );
  await press("u", "a", "q");
  assert.match(disk(fixture, "a.md"), /Line 2\.\nLine three\. Mine\.\nAnd this\.\nLine 4\./);
});

test("an edit is dropped only after a question, and a deletion can be edited into lines", async (t) => {
  const { press, workspace, b } = await opened(t);
  await press("]", "e", "x");
  assert.match(await press("escape"), /Drop what you typed\?/);
  assert.match(await press("n"), /one and a halfx/);
  assert.match(await press("escape", "y"), /2 \+ one and a half\n/);
  await press("e", "ctrl+a", "ctrl+k", "ctrl+s");
  assert.equal(must(workspace.documents.state(b)).pending.current.toString(), "one\ntwo\nthree\n");
});

test("lines are edited in the person's own editor", async (t) => {
  const { press, workspace, a } = await opened(t, { edits: (text) => text.toUpperCase() });
  assert.match(await press("E"), /3 \+ LINE THREE\.\n/);
  assert.match(must(workspace.documents.state(a)).pending.current.toString(), /\nLINE THREE\.\nLine 4\./);
});

test("a change on disk during the review is there, and nothing of it is lost", async (t) => {
  const { press, outcome, fixture } = await opened(t);
  writeFileSync(fixture.place.path("b.md"), "one\ntwo\nthree\nfour\n");
  await press("]", "a", "q");
  assert.equal(isFault(outcome()?.saved), false, JSON.stringify(outcome()));
  assert.equal(disk(fixture, "b.md"), "one\none and a half\ntwo\nthree\nfour\n");
});

test("it is usable on every screen from 20 by 5 up, and no row is wider than it", async (t) => {
  const { fixture, panel, press } = await opened(t);
  for (const [columns, rows] of [
    [20, 5],
    [20, 40],
    [37, 9],
    [80, 14],
    [240, 80],
  ] as const) {
    fixture.screen.columns = columns;
    fixture.screen.rows = rows;
    for (const keys of [[], ["?"], ["escape"], ["e"], ["escape"], ["R"], ["n"]]) {
      await press(...keys);
      const drawn = panel.render(columns);
      assert.equal(drawn.length, rows, `${columns} by ${rows} after ${keys}`);
      for (const row of drawn) assert.ok(cellWidth(row) <= columns, JSON.stringify(row));
    }
    assert.match(
      rowsOf(panel, fixture).join("\n"),
      /3 - Line 3\.\n *3 \+ Line three\./,
      `${columns} by ${rows}`,
    );
  }
});

test("control bytes of a file's text and name are shown and never obeyed", async (t) => {
  const fixture = await openPanelFixture(t, { "x\u202e.md": "one\n" });
  const { workspace } = fixture.service.service;
  const document = must(workspace.documents.open("x\u202e.md")).id;
  agentEdits(workspace, [
    [document, { op: "replace", from: 1, to: 1, content: "\u001b]0;title\u0007 \u202e two" }],
  ]);
  const { panel, screen } = await panelOn(fixture);
  assert.match(screen(), /x⟨U\+202E⟩\.md:1[\s\S]*␛\]0;title␇ ⟨U\+202E⟩ two/);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
  for (const row of panel.render(80)) assert.doesNotMatch(row, /[\u0000-\u001a\u202e]/);
});

test("where nothing is open, that is said", async (t) => {
  const fixture = await openPanelFixture(t, files);
  const { screen, press, outcome } = await panelOn(fixture);
  assert.match(screen(), /^Review\n[\s\S]*Nothing is waiting for review\./);
  await press("a", "e", "u", "q");
  assert.deepEqual(outcome(), { saved: [], notes: [], decided: 0, left: 0 });
});
