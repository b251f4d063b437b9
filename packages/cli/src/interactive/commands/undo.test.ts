import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { openPanelApp, type PanelAppOptions } from "@stet/testkit/panel-app";
import { must, personEdits } from "@stet/testkit/workspace";
import type { LineEdit } from "@stet/text/edits";
import { checkpoints } from "./checkpoints.ts";
import { diff } from "./diff.ts";
import { redo, undo } from "./undo.ts";

const files = { "a.md": "one\ntwo\nthree\n", "b.md": "first\nsecond\n" };

async function opened(t: TestContext, options: PanelAppOptions = {}) {
  const one = await openPanelApp(t, files, options);
  const { session_id: session } = must(await one.app.api.call("createSession", { body: {} }));
  one.session = session;
  const { workspace } = one.fixture.service.service;
  const open = (name: string) => must(workspace.documents.open(name)).id;
  const [a, b] = [open("a.md"), open("b.md")];
  const turn = (summary: string, document: number, ...edits: LineEdit[]) => {
    const made = workspace.beginTurn({ session, summary });
    const { revision } = must(made.read(document));
    must(made.edit(document, { revision, policy: { kind: "rebase" }, edits }));
    must(made.commit());
  };
  const text = (document: number) => must(workspace.documents.state(document)).pending.current.toString();
  const accept = async () =>
    must(await one.app.api.call("decide", { body: { verdict: "accept", everything: true } }));
  const answer = async (command: Promise<void>, ...keys: string[]) => {
    const screen = await one.press(...keys.slice(0, -1));
    await one.press(...keys.slice(-1));
    await command;
    return screen;
  };
  return { ...one, workspace, a, b, turn, text, accept, answer };
}

const replace = (line: number, content: string): LineEdit => ({
  op: "replace",
  from: line,
  to: line,
  content,
});

test("turns are undone one after the other, and brought back in the other order", async (t) => {
  const { app, a, b, turn, text, accept, answer, said, screen } = await opened(t);
  turn("Shout", a, replace(1, "ONE"));
  turn("Count", b, replace(1, "1st"));
  await accept();
  const shown = await answer(undo(app), "up", "y");
  assert.match(shown, /Count[\s\S]*b\.md\n1 - 1st\n1 \+ first\n[\s\S]*Undo this turn\?/);
  assert.deepEqual([text(a), text(b)], ["ONE\ntwo\nthree\n", "first\nsecond\n"]);
  await answer(undo(app), "n");
  assert.equal(text(a), "ONE\ntwo\nthree\n");
  await answer(undo(app), "y");
  assert.equal(text(a), "one\ntwo\nthree\n");
  await undo(app);
  assert.equal(said.at(-1), "info: There is no turn in this session that could be undone.");
  await answer(redo(app), "y");
  assert.deepEqual([text(a), text(b)], ["ONE\ntwo\nthree\n", "first\nsecond\n"]);
  await answer(redo(app), "y");
  assert.equal(text(b), "1st\nsecond\n");
  await redo(app);
  assert.equal(said.at(-1), "info: There is no undo that could be taken back.");
  await answer(undo(app), "y");
  assert.equal(text(b), "first\nsecond\n");
  assert.equal(screen(), "");
});

test("an undo leaves what the person wrote elsewhere, and a new turn ends what could be redone", async (t) => {
  const { app, a, turn, text, accept, answer, said, workspace, fixture } = await opened(t);
  turn("Shout", a, replace(1, "ONE"));
  await accept();
  personEdits(workspace, a, replace(3, "mine"));
  await answer(undo(app), "y");
  assert.equal(text(a), "one\ntwo\nmine\n");
  assert.equal(readFileSync(fixture.place.path("a.md"), "utf8"), "one\ntwo\nmine\n");
  turn("Whisper", a, replace(2, "2"));
  await redo(app);
  assert.equal(said.at(-1), "info: There is no undo that could be taken back.");
});

test("what was changed since the turn is told, and everything since then is the other way", async (t) => {
  const { app, a, turn, text, answer, workspace } = await opened(t);
  turn("Shout", a, replace(1, "ONE"), replace(3, "THREE"));
  must(await app.api.call("decide", { body: { verdict: "accept", everything: true } }));
  personEdits(workspace, a, replace(1, "mine"));
  const first = await answer(undo(app), "up", "n");
  assert.match(first, /The change at line 1 of a\.md was changed again since, so it stays as it is\./);
  assert.match(first, /3 - THREE\n3 \+ three/);
  const other = await answer(undo(app), "tab", "up", "y");
  assert.match(other, /everything since then/);
  assert.equal(text(a), "one\ntwo\nthree\n");
  await answer(redo(app), "y");
  assert.equal(text(a), "mine\ntwo\nTHREE\n");
});

test("checkpoints are listed with what they were; one that is chosen shows what would change, then asks", async (t) => {
  const { app, a, turn, text, press, shown, sees } = await opened(t, {
    answers: ["Shout", "Shout", undefined],
  });
  turn("Shout", a, replace(1, "ONE"));
  const going = checkpoints(app);
  await sees(/Back to before: Shout[\s\S]*1 - ONE\n1 \+ one/);
  assert.match(shown[0] ?? "", /Go back to before\nShout {2}just now {2}a\.md$/);
  await press("n");
  await sees(/Back to before: Shout/);
  await press("y");
  await going;
  assert.equal(text(a), "one\ntwo\nthree\n");
  await checkpoints(app);
  assert.match(shown.at(-1) ?? "", /\nWent back to before “Shout” {2}just now {2}a\.md\nShout /);
});

test("the diff shows what is open, in all files or one, and what the latest turn did", async (t) => {
  const { app, a, b, turn, accept, shown, said } = await opened(t);
  await diff("", app);
  assert.equal(said.at(-1), "info: Nothing is open. No turn of this session has changed anything yet.");
  turn("Shout", a, replace(1, "ONE"), { op: "insert", after: 3, content: "four" });
  turn("Count", b, replace(1, "1st"));
  await diff("", app);
  assert.match(
    shown.at(-1) ?? "",
    /^Open changes\n\na\.md\n1 - one\n1 \+ ONE\n2 {3}two\n3 {3}three\n4 \+ four\n\nb\.md\n/,
  );
  await diff("b.md", app);
  assert.match(shown.at(-1) ?? "", /^Open changes in b\.md\n\nb\.md\n1 - first\n1 \+ 1st\n2 {3}second$/);
  await diff("c.md", app);
  assert.equal(said.at(-1), "info: Nothing is open in c.md.");
  await accept();
  await diff("", app);
  assert.match(shown.at(-1) ?? "", /^Nothing is open\. The latest turn: Count\n\nb\.md\n1 - first\n1 \+ 1st/);
});
