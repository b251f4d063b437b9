import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { SessionStore } from "@stet/session/session-store";
import { openPanelApp, type PanelAppOptions } from "@stet/testkit/panel-app";
import { keyOf, rowsOf, until } from "@stet/testkit/panel-fixture";
import { answered, said } from "@stet/testkit/sample-session";
import { must } from "@stet/testkit/workspace";
import { branchOff, forkSession } from "./branch-off.ts";
import { resume } from "./resume.ts";
import { type PickerParts, SessionPicker } from "./session-picker.ts";

async function opened(t: TestContext, options: PanelAppOptions = {}) {
  const one = await openPanelApp(t, { "a.md": "one\n" }, options);
  const { root, folder, dataFolder } = one.fixture.place;
  const store = new SessionStore({ dataFolder });
  const make = (cwd: string, ...words: string[]) => {
    const session = store.create(cwd);
    for (const [index, text] of words.entries())
      must(session.append({ type: "message", message: index % 2 === 0 ? said(text) : answered(text) }));
    return session.header.id;
  };
  const other = join(folder, "other");
  mkdirSync(other);
  return { ...one, state: one, root, other, make };
}

test("an empty list says so, and Esc closes it", async (t) => {
  const { app, press, said: told } = await opened(t);
  const picking = resume(app);
  assert.match(await press("enter"), /Sessions of this folder 0[\s\S]*No sessions found/);
  await press("escape");
  await picking;
  assert.deepEqual(told, ["info: No session selected"]);
});

test("a session is found by its first message and by what was said in it", async (t) => {
  const { app, press, sees, make, root, opened: sessions } = await opened(t);
  const harbour = make(root, "Rename the harbour", "It is called Port Elias now.");
  make(root, "Write a poem", "Roses are red.");
  const picking = resume(app);
  await press("up");
  await sees(/Sessions of this folder 2/);
  await press(..."poem");
  await sees(/❯ Write a poem/);
  await press("escape", ..."port elias");
  await sees(/❯ Rename the harbour/);
  await press("enter");
  await picking;
  assert.deepEqual(sessions, [{ id: harbour, prefill: undefined }]);
});

test("where it was said comes before letters that stand in a long title by chance", async (t) => {
  const { app, press, sees, make, root } = await opened(t);
  make(root, "Repair the old arrow at the port: evening light, a stair", "Done.");
  make(root, "Rename the harbour", "It is called Elxrdis now.");
  make(root, "Every lonely expert rides slowly downhill in summer", "Yes.");
  const picking = resume(app);
  await press("up");
  await sees(/Sessions of this folder 3/);
  await press(..."elxrdis");
  await sees(/❯ Rename the harbour/);
  await press("ctrl+c");
  await picking;
});

test("a list that comes after the search is shown, and a session that was chosen stays chosen", async (t) => {
  const { app, make, root } = await opened(t);
  // Letters that no random name of a folder has: paths are searched, too.
  make(root, "Über große, über große", "Yes.");
  make(root, "Übrig heiß, übrig heiß", "Yes.");
  make(root, "Rename the harbour", "It is called Üßüß now.");
  const release: (() => void)[] = [];
  const api: PickerParts["api"] = {
    async call(name, given, signal) {
      await new Promise<void>((resolve) => release.push(resolve));
      return await app.api.call(name, given, signal);
    },
  };
  const picker = new SessionPicker({ ...app, api }, { current: "", done: () => undefined });
  const type = (...keys: string[]) => keys.forEach((key) => void picker.handleInput(keyOf(key)));
  const shows = (pattern: RegExp) => until(() => pattern.test(rowsOf(picker, app).join("\n")), `${pattern}`);
  type(..."üßüß");
  await until(() => release.length === 2, "the search");
  release[1]?.();
  await shows(/folder 1 .*\n❯ Rename the harbour/);
  release[0]?.();
  await shows(/folder 3 .*\n❯ Rename the harbour/);
  type("escape", ..."üßüß", "down");
  await shows(/folder 2 .*\n.*\n❯ Ü/);
  const chosen = /❯ (\S+)/.exec(rowsOf(picker, app).join("\n"))?.[1];
  await until(() => release.length === 3, "the second search");
  release[2]?.();
  await shows(new RegExp(`folder 3 .*\\n  Rename.*\\n.*\\n❯ ${chosen}`));
});

test("a session of another folder is forked here, after a question", async (t) => {
  const {
    app,
    press,
    sees,
    make,
    other,
    opened: sessions,
    shown,
  } = await opened(t, { answers: ["no", "yes"] });
  const there = make(other, "Elsewhere", "Yes.");
  for (const _ of ["no", "yes"]) {
    const picking = resume(app);
    await press("tab");
    await sees(/Sessions of all folders 1[\s\S]*❯ Elsewhere/);
    await press("enter");
    await picking;
  }
  assert.match(shown[0] ?? "", /This session belongs to .*other\. Fork it into this folder\?/);
  assert.equal(sessions.length, 1);
  assert.notEqual(sessions[0]?.id, there);
});

test("a branch begins before a message, with its words in the prompt; a fork is the whole session", async (t) => {
  const { app, state, make, root, opened: sessions } = await opened(t, { answers: ["Second"] });
  state.session = make(root, "First", "One.", "Second", "Two.");
  const before = state.session;
  await branchOff(app);
  assert.equal(sessions[0]?.prefill, "Second");
  assert.notEqual(sessions[0]?.id, before);
  const words = async () => {
    const { messages } = must(
      await app.api.call("sessionMessages", { params: { session_id: state.session }, query: { limit: 50 } }),
    );
    return messages.map(({ text }) => text);
  };
  assert.deepEqual(await words(), ["First", "One."]);
  state.session = before;
  await forkSession(app);
  assert.notEqual(state.session, before);
  assert.deepEqual(await words(), ["First", "One.", "Second", "Two."]);
});
