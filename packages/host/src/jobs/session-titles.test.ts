import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { modelOf } from "@stet/testkit/model-of";
import { TestService } from "@stet/testkit/test-service";
import { TestWorkspace } from "@stet/testkit/workspace";

async function serve(t: TestContext, titles: string) {
  const workspace = new TestWorkspace(t, {});
  mkdirSync(join(workspace.folder, "stet"));
  writeFileSync(join(workspace.folder, "stet", "config.json"), JSON.stringify({ "titles.model": titles }));
  const model = modelOf(({ messages }) => {
    const isTitle = JSON.stringify(messages.at(-1)?.content).includes("Name the conversation");
    return { text: isTitle ? '"A walk by the sea."\nand more' : "It was cold." };
  });
  const api = await TestService.open(t, workspace, model);
  const session = await api.session();
  const ask = async (text: string) => api.until(await api.run(session, text), "completed");
  const title = async () => (await api.ok("GET", `/api/agent/sessions/${session}`)).title;
  const titled = async (wanted: string) => {
    while ((await title()) !== wanted) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  return { api, model, ask, title, titled, at: `/api/agent/sessions/${session}` };
}

test("after its first turn a session is named by the model, once", async (t) => {
  const { api, model, ask, titled, at } = await serve(t, "same");
  await ask("Tell me of the walk that we took yesterday, with everything that we saw there.");
  await titled("A walk by the sea");
  const lines = (await api.ok("GET", `${at}/export?format=jsonl`)).text;
  assert.deepEqual(JSON.parse(lines.split("\n")[0]).titleSource, "auto");
  await ask("And then?");
  await api.service.close();
  assert.equal(model.requests.length, 3, "two answers and one title");
});

test("a title of the person stays; without a model the first words are the title", async (t) => {
  const named = await serve(t, "same");
  await named.api.ok("POST", `${named.at}/rename`, { title: "Mine" });
  await named.ask("Hello.");
  await named.api.service.titles.close();
  assert.equal(await named.title(), "Mine");
  assert.equal(named.model.requests.length, 1);
  const plain = await serve(t, "");
  await plain.ask("Hello there.");
  await plain.api.service.titles.close();
  assert.deepEqual([await plain.title(), plain.model.requests.length], ["Hello there.", 1]);
  const renamed = { title: "Greeting", source: "auto" };
  assert.equal((await plain.api.ok("POST", `${plain.at}/rename`, renamed)).title, "Greeting");
  assert.equal((await named.api.ok("POST", `${named.at}/rename`, renamed)).title, "Mine");
});
