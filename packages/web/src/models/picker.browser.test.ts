import assert from "node:assert/strict";
import { test } from "node:test";
import { seriousViolations } from "@stet/testkit/accessibility";
import { type BrowserFixture, noChromium, openBrowserFixture } from "@stet/testkit/browser";
import { startScriptedModel } from "@stet/testkit/scripted-model";

const fresh = { STET_MODEL: "", OPENAI_COMPATIBLE_BASE_URL: "" };

const foot = ({ page }: BrowserFixture) => page.locator(".composer-foot");

async function openPicker({ page }: BrowserFixture) {
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

test("a model is switched in the middle of a conversation, for it alone or from now on, and each turn says who answered", {
  skip: noChromium,
}, async (t) => {
  const local = await startScriptedModel(({ model }) => ({ text: `I am ${model}.` }), {
    models: ["first", "second"],
  });
  t.after(() => local.close());
  const fixture = await openBrowserFixture(t, { environment: { ...fresh, OLLAMA_HOST: local.url } });
  const { page } = fixture;
  const log = page.getByRole("log");
  // Before anything was said it is remembered for what is said first.
  let picker = await openPicker(fixture);
  assert.deepEqual(await seriousViolations(page), []);
  await picker.getByRole("option", { name: /^first/ }).click();
  await page.reload();
  await foot(fixture).getByText("first").waitFor();
  await ask(fixture, "Who are you?");
  await log.getByText("I am first.").waitFor();
  picker = await openPicker(fixture);
  await picker.getByRole("combobox").fill("second");
  await page.keyboard.press("Enter");
  await page.getByText("From the next turn on, second answers in this conversation.").waitFor();
  await ask(fixture, "And now?");
  await log.getByText("I am second.").waitFor();
  await log.getByText("Answered by second").waitFor();
  await page.reload();
  await log.getByText("Answered by first").waitFor();
  await log.getByText("Answered by second").waitFor();
  await foot(fixture).getByText("second").waitFor();
  // A new conversation begins with the default.
  await page.keyboard.press("Alt+Shift+M");
  await foot(fixture).getByText("Practice model").waitFor();
  picker = await openPicker(fixture);
  await picker.getByRole("radio", { name: "From now on" }).check();
  await picker.getByRole("option", { name: /^second/ }).click();
  await page.getByText("second answers from now on.").waitFor();
  await foot(fixture).getByText("second").waitFor();
  const other = await fixture.newWindow();
  await other.keyboard.press("Alt+Shift+M");
  await other.locator(".composer-foot").getByText("second").waitFor();
  assert.deepEqual(fixture.complaints, []);
});

test("where a variable decides which model is the default, a choice says so and holds in the conversation", {
  skip: noChromium,
}, async (t) => {
  const local = await startScriptedModel([], { models: ["first"] });
  t.after(() => local.close());
  const environment = { OLLAMA_HOST: local.url, STET_MODEL: "practice" };
  const fixture = await openBrowserFixture(t, { environment });
  const { page } = fixture;
  const picker = await openPicker(fixture);
  await picker.getByRole("radio", { name: "From now on" }).check();
  await picker.getByRole("option", { name: /^first/ }).click();
  await page.getByText(/New ones begin as the variable STET_MODEL says/).waitFor();
  await foot(fixture).getByText("first").waitFor();
});

test("a name that is typed is checked, can be used all the same, and stays in the list", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openBrowserFixture(t, { script: [] });
  const { page } = fixture;
  const picker = await openPicker(fixture);
  const field = picker.getByRole("combobox", { name: "Find a model" });
  for (const [name, problem] of [
    ["olama/small", /There is no provider called olama\. There is practice, openai,/],
    ["lmstudio/small", /Nothing answers at/],
  ] as const) {
    await field.fill(name);
    await picker.getByRole("alert").getByText(problem).waitFor();
    assert.equal(await field.getAttribute("aria-invalid"), "true");
  }
  await field.fill("openai-compatible/one");
  await picker.getByText(/does not list it\./).waitFor();
  await field.press("Enter");
  await foot(fixture)
    .getByTitle(/openai-compatible\/one/)
    .waitFor();
  await page.reload();
  const again = await openPicker(fixture);
  await again.getByRole("option", { name: /one answers now/ }).waitFor();
  // What is missing leads to where it is mended.
  await again.getByRole("combobox").fill("lmstudio");
  await again.getByRole("button", { name: "Look for LM Studio" }).click();
  const dialog = page.getByRole("dialog", { name: "Connect LM Studio" });
  await dialog.getByLabel(/^Address/).waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute("name") === "address");
  assert.deepEqual(fixture.complaints, []);
});

test("a thousand models are narrowed down as one types, and a favourite stands first from then on", {
  skip: noChromium,
}, async (t) => {
  const names = Array.from({ length: 1000 }, (_, index) => `vendor${index % 20}/model-${index}`);
  const gateway = await startScriptedModel([], { models: names });
  t.after(() => gateway.close());
  const environment = { ...fresh, OPENAI_COMPATIBLE_BASE_URL: `${gateway.url}/v1` };
  const fixture = await openBrowserFixture(t, { environment });
  const { page } = fixture;
  const picker = await openPicker(fixture);
  await picker.getByText("1001 models").waitFor({ state: "attached" });
  assert.ok((await picker.getByRole("option").count()) < 60, "only what is in sight is in the page");
  const begun = Date.now();
  await picker.getByRole("combobox").fill("model-777");
  await picker.getByText("One model").waitFor({ state: "attached" });
  t.diagnostic(`narrowed down after ${Date.now() - begun} ms`);
  await picker.getByRole("button", { name: "Favourite" }).click();
  await picker.getByRole("button", { name: "Favourite", pressed: true }).waitFor();
  await picker.getByRole("combobox").fill("");
  await picker.getByRole("option").nth(1).getByText("model-777").waitFor();
  assert.deepEqual(fixture.complaints, []);
  assert.deepEqual(await seriousViolations(page), []);
});

test("where a model may run is a choice, and takes the local model that is there", {
  skip: noChromium,
}, async (t) => {
  const local = await startScriptedModel(() => ({ text: "From here." }), { models: ["here"] });
  t.after(() => local.close());
  const fixture = await openBrowserFixture(t, { environment: { ...fresh, OLLAMA_HOST: local.url } });
  const { page } = fixture;
  await page.getByRole("button", { name: "Connect a model" }).click();
  const dialog = page.getByRole("dialog", { name: "Connect a model" });
  await dialog.getByRole("radio", { name: /^Only on this machine/ }).check();
  await dialog.getByLabel("Local model").waitFor();
  assert.equal(await dialog.getByLabel("Local model").inputValue(), "ollama/here");
  await page.keyboard.press("Escape");
  await foot(fixture).getByText("here").waitFor();
  const models = await fixture.served.client.call("listModels");
  assert.deepEqual("mode" in models && [models.mode, models.local_model], ["local", "ollama/here"]);
  await ask(fixture, "Hello");
  await page.getByRole("log").getByText("From here.").waitFor();
  assert.deepEqual(fixture.complaints, []);
});

test("a turn that fails at its model leads to the field, and the same request can be tried again", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openBrowserFixture(t, {
    script: (_request, index) => (index === 0 ? { fault: { status: 401 } } : { text: "Now I can." }),
  });
  const { page } = fixture;
  await ask(fixture, "Hello");
  const log = page.getByRole("log");
  await log.getByRole("button", { name: /^Enter a key for/ }).click();
  const dialog = page.getByRole("dialog", { name: /^Connect / });
  await page.waitForFunction(() => document.activeElement?.getAttribute("name") === "key");
  await dialog.getByRole("button", { name: "Close" }).click();
  // The same after a reload.
  await page.reload();
  await log.getByRole("button", { name: /^Enter a key for/ }).waitFor();
  await log.getByRole("button", { name: "Try again" }).click();
  await log.getByText("Now I can.").waitFor();
});

test("in a window of 320 pixels, the dialog and the picker fit, and nothing has to be scrolled sideways", {
  skip: noChromium,
}, async (t) => {
  const local = await startScriptedModel([], { models: ["qwen3:8b", "small"] });
  t.after(() => local.close());
  const environment = { ...fresh, OLLAMA_HOST: local.url };
  const fixture = await openBrowserFixture(t, { environment, width: 320, height: 640 });
  const { page } = fixture;
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  await page
    .getByRole("navigation", { name: "What is shown" })
    .getByRole("button", { name: "Agent" })
    .click();
  const picker = await openPicker(fixture);
  await picker.getByRole("option", { name: /^small/ }).waitFor();
  assert.equal(await width(), 320);
  await picker.getByRole("button", { name: "Connect a model" }).click();
  const dialog = page.getByRole("dialog", { name: "Connect a model" });
  await dialog.getByRole("button", { name: "Use qwen3:8b" }).waitFor();
  const inside = await dialog.evaluate((element) => [
    element.getBoundingClientRect().right <= innerWidth,
    [...element.querySelectorAll("*")].every((part) => part.scrollWidth <= innerWidth),
  ]);
  assert.deepEqual(inside, [true, true]);
  assert.deepEqual(await seriousViolations(page), []);
});
