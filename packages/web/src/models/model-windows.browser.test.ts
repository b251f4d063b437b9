// What other windows and servers do meanwhile: choices made elsewhere, servers that go away, and a Stet that does not answer.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type BrowserFixture, noChromium, openBrowserFixture } from "@stet/testkit/browser";
import { startScriptedModel } from "@stet/testkit/scripted-model";

const alone = {
  STET_MODEL: "",
  OPENAI_COMPATIBLE_BASE_URL: "",
};

async function startLocal(t: TestContext, models: readonly string[]) {
  const local = await startScriptedModel(({ model }) => ({ text: `I am ${model}.` }), { models });
  t.after(() => local.close());
  return local;
}

async function openPicker(page: BrowserFixture["page"]) {
  await page.getByRole("button", { name: "Switch model" }).click();
  const picker = page.getByRole("dialog", { name: "Switch model" });
  await picker.getByRole("combobox", { name: "Find a model" }).waitFor();
  return picker;
}

async function ask({ page }: BrowserFixture, text: string): Promise<void> {
  const composer = page.getByRole("textbox", { name: "Message to the agent" });
  await composer.fill(text);
  await composer.press("Enter");
}

test("a favourite is one request, and another window shows it without asking all providers again", {
  skip: noChromium,
}, async (t) => {
  const local = await startLocal(t, ["first", "second"]);
  const fixture = await openBrowserFixture(t, { environment: { ...alone, OLLAMA_HOST: local.url } });
  const { page, served } = fixture;
  // One that no provider lists now stays a favourite.
  await served.client.call("changeSetting", { body: { name: "favouriteModels", value: ["groq/gone"] } });
  const other = await fixture.newWindow();
  const pickers = [await openPicker(page), await openPicker(other)] as const;
  for (const picker of pickers) await picker.getByRole("option", { name: /^second/ }).waitFor();
  const asked: string[] = [];
  for (const one of [page, other])
    one.on("request", (request) => {
      const path = new URL(request.url()).pathname;
      if (/models|config/.test(path)) asked.push(`${request.method()} ${path}`);
    });
  const star = (index: 0 | 1) => pickers[index].getByRole("option", { name: /^second.*favourite/ });
  await pickers[0]
    .getByRole("option", { name: /^second/ })
    .locator(".models-star")
    .click();
  await star(0).waitFor();
  await star(1).waitFor();
  const config = await served.client.call("getConfig");
  const value = () =>
    "settings" in config && config.settings.find(({ name }) => name === "favouriteModels")?.value;
  assert.deepEqual(value(), ["groq/gone", "ollama/second"]);
  // Each window hears of it, and reads the setting.
  assert.deepEqual(asked.sort(), ["GET /api/config", "GET /api/config", "PUT /api/config"]);
  // Taken back there.
  await pickers[1]
    .getByRole("option", { name: /^second/ })
    .locator(".models-star")
    .click();
  for (const index of [0, 1] as const) await star(index).waitFor({ state: "detached" });
  assert.deepEqual(fixture.complaints, []);
});

test("what one window chooses from now on, the other shows; what it chooses for its conversation, it does not", {
  skip: noChromium,
}, async (t) => {
  const local = await startLocal(t, ["first", "second"]);
  const fixture = await openBrowserFixture(t, { environment: { ...alone, OLLAMA_HOST: local.url } });
  const { page } = fixture;
  const other = await fixture.newWindow();
  const footOf = (one: typeof page) => one.locator(".composer-foot");
  const choose = async (one: typeof page, model: string) => {
    const picker = await openPicker(one);
    await picker.getByRole("radio", { name: "From now on" }).check();
    await picker.getByRole("option", { name: new RegExp(`^${model}`) }).click();
  };
  await choose(page, "first");
  await footOf(other).getByText("first").waitFor();
  await Promise.all([choose(page, "second"), choose(other, "second")]);
  for (const one of [page, other]) await footOf(one).getByText("second").waitFor();
  // Both at once: whoever was last is right, and both windows agree.
  await Promise.all([choose(page, "first"), choose(other, "second")]);
  const models = await fixture.served.client.call("listModels");
  const last = "current" in models ? models.current.replace("ollama/", "") : "";
  for (const one of [page, other]) await footOf(one).getByText(last).waitFor();
  assert.deepEqual(fixture.complaints, []);
});

/** Waits until no list of models is on its way any more: a list from after the server went would change what is there. */
function pendingLists(page: BrowserFixture["page"]): () => Promise<void> {
  let pending = 0;
  const count = (request: { url(): string }, by: number) => {
    if (new URL(request.url()).pathname === "/api/models") pending += by;
  };
  page.on("request", (request) => count(request, 1));
  page.on("requestfinished", (request) => count(request, -1));
  page.on("requestfailed", (request) => count(request, -1));
  return async () => {
    for (let quiet = 0; quiet < 10; quiet = pending === 0 ? quiet + 1 : 0) await page.waitForTimeout(50);
  };
}

test("a server that goes away between the list and the choice is told at the turn, with a way to it, and nothing is lost", {
  skip: noChromium,
}, async (t) => {
  const local = await startScriptedModel([], { models: ["qwen3:8b", "small"] });
  const fixture = await openBrowserFixture(t, { environment: { ...alone, OLLAMA_HOST: local.url } });
  const { page, served } = fixture;
  const listsAreRead = pendingLists(page);
  await served.client.call("changeSetting", { body: { name: "retry.enabled", value: false } });
  const picker = await openPicker(page);
  await picker.getByRole("option", { name: /^small/ }).waitFor();
  await listsAreRead();
  await local.close();
  await picker.getByRole("option", { name: /^small/ }).click();
  await ask(fixture, "Which files are there?");
  const log = page.getByRole("log");
  await log.getByRole("button", { name: "Look for Ollama" }).waitFor();
  await log.getByText("Which files are there?").waitFor();
  // The list says of the model that is chosen that it is not ready, and not that it answers.
  const again = await openPicker(page);
  await again.getByRole("option", { name: /^small.*not ready/ }).waitFor();
  await listsAreRead();
  await again.getByRole("option", { name: /^Practice model/ }).click();
  await again.waitFor({ state: "detached" });
  await page.locator(".composer-foot").getByText("Practice model").waitFor();
  await log.getByRole("button", { name: "Try again" }).click();
  await log
    .getByText(/notes\.md/)
    .first()
    .waitFor();
  assert.deepEqual(fixture.complaints, []);
});

test("where Stet does not answer, the dialog says so instead of looking forever, and what was typed stays", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openBrowserFixture(t, { environment: alone, as: "process" });
  const { page } = fixture;
  await page.getByRole("button", { name: "Connect a model" }).click();
  await page.getByRole("button", { name: /^Groq/ }).click();
  const dialog = page.getByRole("dialog", { name: "Connect Groq" });
  await dialog.getByLabel("Key", { exact: true }).fill("sk-typed");
  await fixture.served.kill();
  await page.keyboard.press("Enter");
  await dialog
    .getByRole("alert")
    .getByText(/Stet cannot be reached/)
    .first()
    .waitFor();
  assert.equal(await dialog.getByLabel("Key", { exact: true }).inputValue(), "sk-typed");
  await page.getByRole("button", { name: "Back to all providers" }).click();
  await page.getByRole("button", { name: "Look again" }).click();
  await page
    .getByRole("dialog")
    .getByRole("alert")
    .getByText(/Stet cannot be reached/)
    .first()
    .waitFor();
});

test("where Stet has gone away before the dialog or the picker was ever opened, both open and say so", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openBrowserFixture(t, { environment: alone, as: "process" });
  const { page } = fixture;
  await page.getByRole("button", { name: "Connect a model" }).waitFor();
  for (const part of ["model-dialog", "model-picker-panel"])
    for (const kind of ["js", "css"])
      await page.waitForFunction(
        ([name = "", end = ""]) =>
          performance
            .getEntriesByType("resource")
            .some((entry) => entry.name.includes(name) && entry.name.endsWith(end)),
        [part, kind],
      );
  await fixture.served.kill();
  await page.getByRole("button", { name: "Connect a model" }).click();
  const dialog = page.getByRole("dialog", { name: "Connect a model" });
  await dialog
    .getByRole("alert")
    .getByText(/Stet cannot be reached/)
    .waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Switch model" }).click();
  await page.getByRole("option", { name: /^Practice model/ }).waitFor();
});
