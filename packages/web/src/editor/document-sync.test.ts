import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { ChangeSet, Text } from "@codemirror/state";
import { Client } from "@stet/client/client";
import type { Fault } from "@stet/protocol/fault";
import { startScriptedModel } from "@stet/testkit/scripted-model";
import { type Served, serve } from "@stet/testkit/served";
import { temporaryFolder } from "@stet/testkit/temporary";
import { must } from "@stet/testkit/workspace";
import { DocumentSync } from "./document-sync.ts";

/** A served folder with one document, whose server can be killed and started again. */
class ServerFixture {
  readonly root: string;
  readonly dataFolder: string;
  readonly modelUrl: string;
  served: Served;
  document = 0;
  /** Loses answers while it is set; the server has the request. */
  losesAnswers = false;

  private constructor(root: string, dataFolder: string, modelUrl: string, served: Served) {
    this.root = root;
    this.dataFolder = dataFolder;
    this.modelUrl = modelUrl;
    this.served = served;
  }

  static async open(t: TestContext, text: string): Promise<ServerFixture> {
    const root = temporaryFolder(t, { "a.md": text });
    const dataFolder = temporaryFolder(t);
    const model = await startScriptedModel([]);
    t.after(() => model.close());
    const served = await serve({ root, dataFolder, modelUrl: model.url });
    const place = new ServerFixture(root, dataFolder, model.url, served);
    t.after(() => place.served.kill());
    place.document = must(await served.client.call("openTab", { body: { path: "a.md" } })).document;
    return place;
  }

  async startAgain(): Promise<void> {
    this.served = await serve(this);
  }

  async text(): Promise<string> {
    const { document } = this;
    return must(await this.served.client.call("getDocument", { params: { document } })).text;
  }

  /** Many changes of someone else, so that what was before them is no longer known after a restart. */
  async forget(): Promise<void> {
    const { document } = this;
    let { revision, text } = must(await this.served.client.call("getDocument", { params: { document } }));
    for (let count = 0; count < 420; count += 1) {
      const change: [number, [number, string]] = [text.length, [0, "."]];
      const body = { revision, change, client: "someone" };
      ({ revision } = must(await this.served.client.call("changeDocument", { params: { document }, body })));
      text += ".";
    }
  }
}

class Window {
  shown: Text;
  readonly told: Fault[] = [];
  readonly sync: DocumentSync;

  private constructor(place: ServerFixture, start: { text: string; revision: number }) {
    this.shown = Text.of(start.text.split("\n"));
    const send: typeof fetch = async (address, init) => {
      const path = new URL(String(address)).pathname;
      const response = await fetch(`${place.served.url}${path}${new URL(String(address)).search}`, {
        ...init,
        headers: { ...init?.headers, authorization: `Bearer ${place.served.token}` },
      });
      if (place.losesAnswers && init?.method === "POST") throw new TypeError("the connection broke");
      return response;
    };
    const client = new Client({ url: place.served.url, fetch: send });
    this.sync = new DocumentSync(
      client,
      { id: place.document, ...start, windowId: "w" },
      {
        takeOver: (change) => {
          this.shown = change.apply(this.shown);
        },
        onSettled: () => {},
        tell: (fault) => this.told.push(fault),
        onSilence: () => {},
      },
    );
  }

  static async open(t: TestContext, place: ServerFixture): Promise<Window> {
    const params = { document: place.document };
    const { text, revision } = must(await place.served.client.call("getDocument", { params }));
    const window = new Window(place, { text, revision });
    t.after(() => window.sync.close());
    return window;
  }

  type(at: number, insert: string): void {
    const change = ChangeSet.of({ from: at, insert }, this.shown.length);
    this.shown = change.apply(this.shown);
    this.sync.edit(change);
  }
}

async function settled(window: Window): Promise<void> {
  for (let tries = 0; tries < 300 && !window.sync.live.isSettled; tries += 1) await pause(50);
  assert.ok(window.sync.live.isSettled, "everything typed has arrived");
}

test("what is typed while the server is down arrives once it is back, each letter once", async (t) => {
  const place = await ServerFixture.open(t, "one\n");
  const window = await Window.open(t, place);
  // It is made, and the window does not hear of it.
  place.losesAnswers = true;
  window.type(0, "A");
  await window.sync.settle();
  assert.equal(await place.text(), "Aone\n");
  await place.served.kill();
  place.losesAnswers = false;
  window.type(1, "B");
  await pause(100);
  window.type(2, "C");
  await place.startAgain();
  await settled(window);
  assert.equal(await place.text(), "ABCone\n");
  assert.equal(window.shown.toString(), "ABCone\n");
  assert.deepEqual(window.told, [], "a lost connection is shown by the window, not told again and again");
});

for (const isMade of [true, false]) {
  test(`nothing typed is lost or doubled when the server has forgotten the revision (${isMade ? "made" : "not made"})`, async (t) => {
    const place = await ServerFixture.open(t, "one\ntwo\n");
    const window = await Window.open(t, place);
    if (isMade) {
      place.losesAnswers = true;
      window.type(0, "A");
      await window.sync.settle();
    }
    await place.forget();
    await place.served.kill();
    if (!isMade) window.type(0, "A");
    window.type(4, "Z");
    await pause(100);
    place.losesAnswers = false;
    await place.startAgain();
    await settled(window);
    const expected = `AoneZ\ntwo\n${".".repeat(420)}`;
    assert.equal(await place.text(), expected);
    assert.equal(window.shown.toString(), expected);
    assert.deepEqual(window.told, []);
  });
}

test("an event that was missed is read, and a long one is read, too", async (t) => {
  const place = await ServerFixture.open(t, "one\n");
  const window = await Window.open(t, place);
  const { document } = place;
  const { revision } = window.sync.live;
  for (const [index, length] of [4, 5].entries()) {
    const change: [[number, string], number] = [[0, "x"], length];
    const body = { revision: revision + index, change, client: "someone" };
    must(await place.served.client.call("changeDocument", { params: { document }, body }));
  }
  window.sync.hear({ revision: revision + 2, client: "someone", change: null });
  await window.sync.catchUp();
  assert.equal(window.shown.toString(), "xxone\n");
});

test("a refusal that does not pass is told once, however often it is tried", async (t) => {
  const place = await ServerFixture.open(t, "one\n");
  const window = await Window.open(t, place);
  window.type(0, "\u0000");
  assert.equal((await window.sync.settle())?.error, "invalid_arguments");
  await pause(700);
  await window.sync.settle();
  assert.equal(window.told.length, 1);
});
