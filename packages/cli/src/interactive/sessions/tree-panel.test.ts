import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { SessionStore } from "@stet/session/session-store";
import { modelOf } from "@stet/testkit/model-of";
import { openPanelApp, type PanelAppOptions } from "@stet/testkit/panel-app";
import { until } from "@stet/testkit/panel-fixture";
import { answered, resulted, said } from "@stet/testkit/sample-session";
import { must } from "@stet/testkit/workspace";
import { cellWidth } from "@stet/tui/text/width";
import { openTree } from "./go-on.ts";

/** Two ways from one question, the second one taken, with a tool on it. */
async function opened(t: TestContext, options: PanelAppOptions = {}) {
  const one = await openPanelApp(t, { "a.md": "one\n" }, options);
  const { api } = one.fixture;
  const made = must(await api.call("createSession", { body: {} }));
  one.session = made.session_id;
  const { sessions } = one.fixture.service.service;
  const session = must(await sessions.find(made.session_id));
  const add = (message: ReturnType<typeof said | typeof answered | typeof resulted>) =>
    must(session.append({ type: "message", message })).id;
  const start = add(said("Start the task"));
  const plan = add(answered("Here is a plan"));
  const first = add(said("Try approach A"));
  add(answered("A result"));
  assert.equal(session.branch(plan), undefined);
  const second = add(said("Try approach B"));
  const calls = answered("");
  add({
    ...calls,
    content: [{ type: "toolCall", id: "c1", name: "read", arguments: { path: "a.md" } }],
    stopReason: "toolUse",
  });
  add(resulted("c1", "one"));
  const leaf = add(answered("B result"));
  return { ...one, state: one, ids: { start, plan, first, second, leaf }, session };
}

test("the tree shows every way, the active one marked, branches by lines, and begins at the leaf", async (t) => {
  const { app, press, screen } = await opened(t);
  void openTree(app);
  await press();
  await until(() => /B result/.test(screen()), "the tree");
  assert.deepEqual(screen().split("\n").slice(0, 8), [
    "── Session tree default 7 of 7 ─────────────────────────────────────────────────",
    "  • user: Start the task",
    "  • assistant: Here is a plan",
    "  ├─ user: Try approach A",
    "  │  assistant: A result",
    "  └─ • user: Try approach B",
    "     • tool: one",
    "❯    • assistant: B result ◀ here",
  ]);
  assert.match(await press("down"), /❯ • user: Start the task/);
  assert.match(await press("up"), /❯ {4}• assistant: B result/);
  assert.match(await press("left"), /❯ • user: Start the task/);
  await press("escape");
  assert.equal(screen(), "");
});

test("filters go round and are chosen directly; typing searches with all words, Esc clears it first", async (t) => {
  const { app, press } = await opened(t);
  void openTree(app);
  assert.match(await press("ctrl+o"), /no-tools 6 of 6/);
  assert.match(await press("ctrl+o"), /user-only 3 of 3/);
  assert.match(await press("shift+ctrl+o", "shift+ctrl+o", "shift+ctrl+o"), /Session tree all/);
  assert.match(await press("alt+l"), /labeled-only[\s\S]*Nothing has a name yet/);
  assert.match(await press("alt+d", ..."USER appr"), /2 of 2|1 of 2/);
  assert.match(await press(..." b"), /1 of 1[\s\S]*Try approach B[\s\S]*Search: USER appr b/);
  assert.match(await press(..."zz"), /No entry holds these words/);
  assert.match(await press("escape"), /7 of 7|of 7/);
  await press("ctrl+c");
});

test("an entry is named with Shift+L, found by its name, and the name is taken away again", async (t) => {
  const { app, press, sees } = await opened(t);
  void openTree(app);
  await press("home", "left", "L", ..."mile stone");
  await press("enter");
  await sees(/\[mile stone\] user: Start the task/);
  assert.match(await press("alt+l"), /labeled-only 1 of 1/);
  await press("L", "ctrl+u", "enter");
  await sees(/Nothing has a name yet/);
  await press("ctrl+c");
});

test("choosing where one is says so; a message of one's own goes before it, with its words in the prompt", async (t) => {
  const { app, press, said: told, opened: sessions, state } = await opened(t);
  const tree = openTree(app);
  await press("enter");
  await tree;
  assert.deepEqual(told, ["info: Already at this point"]);
  const again = openTree(app);
  await press(..."approach", "up", "enter");
  await again;
  assert.deepEqual(sessions, [{ id: state.session, prefill: "Try approach A" }]);
  const params = { session_id: state.session };
  const path = must(await app.api.call("sessionMessages", { params, query: { limit: 10 } }));
  assert.deepEqual(
    path.messages.map(({ text }) => text),
    ["Start the task", "Here is a plan"],
  );
  const root = openTree(app);
  await press(..."Start", "enter");
  await root;
  assert.equal(sessions.at(-1)?.prefill, "Start the task");
});

test("summaries are asked about where they are enabled: Esc shows the tree again, and stopping moves nothing", async (t) => {
  const model = modelOf([{ text: "It was about B.", delayMs: 60_000 }, { text: "It was about B." }]);
  const {
    app,
    press,
    sees,
    shown,

    session,
    ids,
    opened: sessions,
  } = await opened(t, {
    model,
    settings: { "branchSummary.enabled": true },
    answers: [undefined, "Summarize", "Summarize with", undefined, "Summarize with", "Only files"],
  });
  const tree = openTree(app);
  await press(..."plan", "enter");
  await sees(/Session tree/);
  assert.match(shown[0] ?? "", /No summary\nSummarize\nSummarize with custom prompt/);
  await press("enter");
  await sees(/Summarizing what is left behind … \(esc to cancel\)/);
  await press("escape");
  await sees(/Session tree/);
  assert.ok(
    session.pathSlots().some(({ head }) => head.id === ids.leaf),
    "nothing was moved",
  );
  assert.equal(sessions.length, 0);
  await press("enter");
  await tree;
  assert.equal(shown.filter((one) => one.startsWith("What shall the summary tell")).length, 2);
  const { messages } = must(
    await app.api.call("sessionMessages", {
      params: { session_id: app.conversation.id },
      query: { limit: 10 },
    }),
  );
  assert.deepEqual(
    messages.map(({ kind }) => kind),
    ["user", "assistant", "summary"],
  );
});

test("going back offers to take the files back, and shows what would change in them", async (t) => {
  const { app, press, sees, fixture, state, said: told, session, ids } = await opened(t);
  const { workspace } = fixture.service.service;
  const document = must(workspace.documents.open("a.md")).id;
  const turn = workspace.beginTurn({ session: state.session, summary: "Shout" });
  const { revision } = must(turn.read(document));
  must(
    turn.edit(document, {
      revision,
      policy: { kind: "rebase" },
      edits: [{ op: "replace", from: 1, to: 1, content: "ONE" }],
    }),
  );
  const { id } = must(turn.commit());
  must(session.append({ type: "turn", turnId: id, summary: "Shout", files: ["a.md"] }));
  for (const [key, text] of [
    ["n", "ONE\n"],
    ["y", "one\n"],
  ] as const) {
    const tree = openTree(app);
    await press(..."approach B", "enter");
    await sees(
      /The way that you left changed files in a turn[\s\S]*1 - ONE\n1 \+ one\n[\s\S]*Take the files back, too\?/,
    );
    await press(key);
    await tree;
    assert.equal(must(workspace.documents.state(document)).pending.current.toString(), text);
    // Back to where the turn is.
    assert.equal(session.branch(must(session.append({ type: "custom", customType: "there" })).id), undefined);
    assert.equal(session.branch(ids.leaf), undefined);
    must(session.append({ type: "turn", turnId: id, summary: "Shout", files: ["a.md"] }));
  }
  assert.deepEqual(told, ["info: Took back: a.md."]);
});

test("ten thousand entries are drawn without quadratic work, on every screen", async (t) => {
  const one = await openPanelApp(t, {});
  const { app, press, fixture, screen } = one;
  const { dataFolder, root } = fixture.place;
  const session = new SessionStore({ dataFolder }).create(root);
  must(session.append({ type: "message", message: said("Begin") }));
  let parentId = must(session.append({ type: "message", message: answered("Yes.") })).id;
  const lines = Array.from({ length: 10_000 }, (_, index) => {
    const message = index % 2 === 0 ? said(`Question ${index}`) : answered(`Answer ${index}`);
    const id = index.toString(16).padStart(8, "0");
    const entry = { type: "message", id, parentId, timestamp: new Date().toISOString(), message };
    // Every tenth one is a way that was left.
    if (index % 10 !== 9) parentId = id;
    return `${JSON.stringify(entry)}\n`;
  });
  appendFileSync(session.log.path ?? "", lines.join(""));
  one.session = session.header.id;
  void openTree(app);
  await press();
  await until(() => /of 10002/.test(screen()), "the tree");
  for (const [columns, rows] of [
    [20, 5],
    [80, 24],
    [240, 80],
  ] as const) {
    fixture.screen.columns = columns;
    fixture.screen.rows = rows;
    const drawn = (await press("up")).split("\n");
    assert.equal(drawn.length, Math.min(Math.max(5, Math.floor(rows / 2)), rows - 3) + 3);
    for (const row of drawn) assert.ok(cellWidth(row) <= columns, row);
  }
  await press("ctrl+c");
});
