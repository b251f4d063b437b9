// What a browser remembers about models, and the ways out of a conversation that has become too long.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type BrowserFixture, noChromium, openBrowserFixture } from "@stet/testkit/browser";
import { startScriptedModel } from "@stet/testkit/scripted-model";

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

test("the toolset is chosen in place and remembered, and the practice note that was put away stays away", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openBrowserFixture(t);
  const { page } = fixture;
  await page.getByText("This is the practice model.").waitFor();
  await page.getByRole("button", { name: "Hide this note" }).click();
  await page.getByRole("button", { name: "Switch toolset" }).click();
  await page.getByRole("button", { name: /^Paper/ }).click();
  await page.reload();
  const foot = page.locator(".composer-foot");
  await foot.getByText("Paper").waitFor();
  await foot.getByText("Practice model").waitFor();
  assert.equal(await page.getByText("This is the practice model.").count(), 0);
  assert.deepEqual(fixture.complaints, []);
});

test("the last five names that were typed stay in the list, the newest first", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openBrowserFixture(t, { script: [] });
  const { page } = fixture;
  for (const name of ["one", "two", "three", "four", "five", "six"]) {
    const picker = await openPicker(fixture);
    const field = picker.getByRole("combobox");
    await field.fill(`openai-compatible/${name}`);
    await picker.getByText(/does not list it/).waitFor();
    await field.press("Enter");
    await page
      .locator(".composer-foot")
      .getByTitle(new RegExp(`openai-compatible/${name}`))
      .waitFor();
  }
  await page.reload();
  // Which model answers stands first in the list: until it is known, the rows move.
  await page
    .locator(".composer-foot")
    .getByTitle(/openai-compatible\/six/)
    .waitFor();
  const picker = await openPicker(fixture);
  const typed = picker.getByRole("option", { name: /Not in its provider's list/ });
  await typed.nth(4).waitFor();
  assert.deepEqual(await typed.locator(".models-name").allInnerTexts(), [
    "six",
    "five",
    "four",
    "three",
    "two",
  ]);
  // One of them can be a favourite like any other.
  await typed.nth(4).locator(".models-star").click();
  await picker.getByRole("option", { name: /^two.*favourite/ }).waitFor();
  assert.deepEqual(fixture.complaints, []);
});

test("a favourite that is chosen while the list is read anew stays one, and a click is not lost meanwhile", {
  skip: noChromium,
}, async (t) => {
  const gateway = await startScriptedModel([], { models: ["one", "two"] });
  t.after(() => gateway.close());
  const environment = { OPENAI_COMPATIBLE_BASE_URL: `${gateway.url}/v1` };
  const fixture = await openBrowserFixture(t, { script: [], environment });
  const { page } = fixture;
  const picker = await openPicker(fixture);
  const star = (name: string) =>
    picker.getByRole("option", { name: new RegExp(`^${name}`) }).locator(".models-star");
  await star("two").waitFor();
  // The list is asked for, and its answer, from before the favourite, is late.
  const late = Promise.withResolvers<void>();
  const isAsked = Promise.withResolvers<void>();
  await page.route("**/api/models", async (route) => {
    const response = await route.fetch();
    isAsked.resolve();
    await late.promise;
    await route.fulfill({ response });
  });
  const answered = page.waitForResponse("**/api/models");
  await fixture.served.client.call("changeSetting", { body: { name: "thinking", value: "low" } });
  await isAsked.promise;
  await star("one").click();
  await picker.getByRole("option", { name: /^one.*favourite/ }).waitFor();
  await star("two").hover();
  await page.mouse.down();
  late.resolve();
  await answered;
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
  await page.mouse.up();
  await picker.getByRole("option", { name: /^two.*favourite/ }).waitFor();
  await picker.getByRole("option", { name: /^one.*favourite/ }).waitFor();
  assert.deepEqual(fixture.complaints, []);
});

test("a conversation that has become too long is summed up, or left for a new one, by a button at the refusal", {
  skip: noChromium,
}, async (t) => {
  const message = "This model's maximum context length is 8192 tokens.";
  const body = JSON.stringify({ error: { message, code: "context_length_exceeded" } });
  let isFull = false;
  const fixture = await openBrowserFixture(t, {
    script: ({ toolNames }, index) =>
      isFull && toolNames.length > 0
        ? { fault: { status: 400, body } }
        : { text: `${"word ".repeat(1500)}End ${index}.` },
  });
  const { page } = fixture;
  const log = page.getByRole("log");
  for (const index of [0, 1, 2]) {
    await ask(fixture, `Question ${index}`);
    await log.getByText(`End ${index}.`).waitFor();
    await page.getByRole("button", { name: "Send" }).waitFor();
  }
  isFull = true;
  await ask(fixture, "And now?");
  const sumUp = log.getByRole("button", { name: "Sum up the older part" });
  await sumUp.waitFor();
  await sumUp.click();
  await page
    .getByText(/was summed up|nothing|too short/i)
    .first()
    .waitFor();
  await log.getByRole("button", { name: "Start a new conversation" }).last().click();
  await page.getByRole("heading", { name: "Ask the agent" }).waitFor();
});

test("names of models with markup, marks of direction and 200 characters stay inside their places at 320 pixels", {
  skip: noChromium,
}, async (t) => {
  const long = "n".repeat(200);
  const odd = [long, "<img src=x onerror=alert(1)>", "rtl\u202Egnp.exe", "a  b"];
  const local = await startScriptedModel(() => ({ text: "Hello." }), { models: odd });
  t.after(() => local.close());
  const environment = { STET_MODEL: "", OPENAI_COMPATIBLE_BASE_URL: "", OLLAMA_HOST: local.url };
  const fixture = await openBrowserFixture(t, { environment, width: 320, height: 640 });
  const { page } = fixture;
  await page
    .getByRole("navigation", { name: "What is shown" })
    .getByRole("button", { name: "Agent" })
    .click();
  await page.getByRole("button", { name: "Connect a model" }).click();
  const dialog = page.getByRole("dialog", { name: "Connect a model" });
  await dialog.getByText("Ollama answers on this machine").waitFor();
  const isInside = () =>
    page.evaluate(() =>
      [...document.querySelectorAll(".model-dialog button, .composer-foot button")].every(
        (button) => button.getBoundingClientRect().right <= innerWidth,
      ),
    );
  assert.equal(await isInside(), true);
  await dialog.getByRole("button", { name: "Others of Ollama" }).click();
  const models = page.getByRole("dialog", { name: "Models of Ollama" });
  await models.getByRole("option", { name: /<img src=x onerror=alert\(1\)>/ }).waitFor();
  await models.getByRole("option", { name: /rtl⟨U\+202E⟩gnp\.exe|rtl\(U\+202E\)gnp\.exe/ }).waitFor();
  assert.equal(await isInside(), true);
  await models.getByRole("button", { name: `Use ${long}` }).click();
  await models.waitFor({ state: "detached" });
  await page.getByText("n… answers from now on.").waitFor();
  await page.locator(".composer-foot").getByText("Project").waitFor();
  assert.equal(await isInside(), true);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
  assert.deepEqual(fixture.complaints, []);
});
