// Going back from the list of checkpoints, as a person does it: always after a preview, and with a way to undo it.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { BrowserFixture } from "@stet/testkit/browser";
import { noChromium } from "@stet/testkit/browser";
import { becomes, storyFiles as files, openRenamed, textOf } from "@stet/testkit/renamed-fixture";

const panelOf = ({ page }: BrowserFixture) => page.getByRole("complementary", { name: "History" });
const turnIn = (fixture: BrowserFixture) =>
  panelOf(fixture).getByRole("button", { name: /Rename Tobias to Elias in/ });

async function showHistory(fixture: BrowserFixture, part: "All checkpoints"): Promise<void> {
  if (!(await panelOf(fixture).isVisible()))
    await fixture.page
      .getByRole("navigation", { name: "Panels" })
      .getByRole("button", { name: "History" })
      .click();
  await fixture.page.getByRole("tab", { name: part }).click();
}

test("ticked changes go back after a preview that is exact, and come again by Undo", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openRenamed(t, { theme: "dark" });
  const { page } = fixture;
  await page.reload();
  await showHistory(fixture, "All checkpoints");
  await turnIn(fixture).click();
  await page.getByRole("checkbox", { name: "The change at line 3 of novel.md" }).click();
  await page.getByRole("checkbox", { name: "tools/names.js", exact: true }).click();
  await page.getByRole("button", { name: /Roll back 2 ticked/ }).click();

  const dialog = page.getByRole("dialog");
  await dialog.getByText(/Exactly this changes in 2 files/).waitFor();
  await dialog.locator("ins", { hasText: "Tobias" }).first().waitFor();
  assert.match(await textOf(fixture, "novel.md"), /^Elias came late\.$/m);
  await dialog.getByRole("button", { name: "Roll back" }).click();

  const partly = files["novel.md"].replace("Then Tobias", "Then Elias");
  await becomes(() => textOf(fixture, "novel.md"), partly);
  await becomes(() => textOf(fixture, "tools/names.js"), files["tools/names.js"]);
  assert.match(await textOf(fixture, "notes/people.md"), /Elias/);
  await page.getByRole("button", { name: /Took back 2 changes of/ }).waitFor();
  await page.getByRole("button", { name: "Undo", exact: true }).last().click();
  await becomes(() => textOf(fixture, "novel.md"), files["novel.md"].replaceAll("Tobias", "Elias"));
  assert.deepEqual(fixture.complaints, []);
});

test("what was changed again since stays, and the preview says which", { skip: noChromium }, async (t) => {
  const fixture = await openRenamed(t);
  const { page } = fixture;
  await fixture.served.client.call("decide", { body: { verdict: "accept", everything: true } });
  await fixture.served.client.call("saveDecided", { body: {} });
  await page.reload();
  await textOf(fixture, "novel.md");
  await page.getByRole("tab", { name: /novel\.md/ }).waitFor();
  await page.locator(".cm-content").getByText("Elias came late.").click();
  await page.keyboard.press("Home");
  await page.keyboard.press("Shift+End");
  await page.keyboard.type("Nobody came.");
  await becomes(async () => String((await textOf(fixture, "novel.md")).includes("Nobody came.")), "true");
  await showHistory(fixture, "All checkpoints");
  await turnIn(fixture).click();
  await page.getByRole("checkbox", { name: "novel.md", exact: true }).click();
  await page.getByRole("button", { name: /Roll back 2 ticked/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog
    .getByText("The change at line 3 of novel.md was changed again since, so it stays as it is.")
    .waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  assert.match(await textOf(fixture, "novel.md"), /Nobody came\.[\s\S]*Then Elias/);
  assert.deepEqual(fixture.complaints, []);
});

test("everything goes back after a preview, and the filter finds it by a file's name", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openRenamed(t);
  const { page } = fixture;
  await page.reload();
  await showHistory(fixture, "All checkpoints");
  const filter = page.getByRole("searchbox", { name: "Filter the checkpoints" });
  await filter.fill("nothing like this");
  await page.getByText("No checkpoint fits the filter.").waitFor();
  await filter.fill("people");
  await turnIn(fixture).click();
  await page.getByRole("button", { name: "Roll back everything …" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText(/Exactly this changes in 3 files/).waitFor();
  await dialog.getByRole("button", { name: "Roll back" }).click();
  for (const [path, text] of Object.entries(files)) await becomes(() => textOf(fixture, path), text);
  assert.deepEqual(fixture.complaints, []);
});
