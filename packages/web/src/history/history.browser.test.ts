// The turns of a document and the comparison of three sides, as a person uses them.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { BrowserFixture } from "@stet/testkit/browser";
import { noChromium } from "@stet/testkit/browser";
import { becomes, storyFiles as files, openRenamed, textOf } from "@stet/testkit/renamed-fixture";

const panelOf = ({ page }: BrowserFixture) => page.getByRole("complementary", { name: "History" });
const turnIn = (fixture: BrowserFixture) =>
  panelOf(fixture).getByRole("button", { name: /Rename Tobias to Elias in/ });

async function showHistory(
  fixture: BrowserFixture,
  part: "This document" | "All checkpoints",
): Promise<void> {
  if (!(await panelOf(fixture).isVisible()))
    await fixture.page
      .getByRole("navigation", { name: "Panels" })
      .getByRole("button", { name: "History" })
      .click();
  await fixture.page.getByRole("tab", { name: part }).click();
}

test("a turn of the document in front shows its words, is restored, and that is undone", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openRenamed(t);
  const { page } = fixture;
  await textOf(fixture, "novel.md");
  await page.reload();
  await showHistory(fixture, "This document");
  // The newest turn is shown without a click.
  const diff = page.getByRole("region", { name: "What turn 1 changed" }).first();
  await diff.locator("del", { hasText: "Tobias" }).first().waitFor();
  assert.equal(await diff.locator("ins", { hasText: "Elias" }).count(), 2);
  await diff
    .getByText("1 line as before")
    .or(diff.getByText(/lines as before/))
    .first()
    .waitFor();

  // Whoever comes by the keyboard is in the panel, also when what it shows has arrived.
  await page.keyboard.press("Alt+1");
  await page.keyboard.press("Alt+5");
  await diff.locator("del", { hasText: "Tobias" }).first().waitFor();
  await becomes(() => panelOf(fixture).locator(":focus").count(), 1);

  await page.getByRole("button", { name: "Restore" }).click();
  await becomes(() => textOf(fixture, "novel.md"), files["novel.md"]);
  await page.getByText("novel.md is as it was before turn 1.").waitFor();
  await page.getByRole("button", { name: /Went back to before/ }).waitFor();
  assert.match(await textOf(fixture, "notes/people.md"), /Elias/);

  await page.getByRole("button", { name: "Undo", exact: true }).last().click();
  await becomes(() => textOf(fixture, "novel.md"), files["novel.md"].replaceAll("Tobias", "Elias"));
  await page.getByRole("button", { name: /Undid a rollback/ }).waitFor();
  assert.deepEqual(fixture.complaints, []);
});

test("what was rejected of a turn is marked in its history, and what was accepted", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openRenamed(t);
  const { page } = fixture;
  await textOf(fixture, "novel.md");
  await page.reload();
  await page.getByRole("button", { name: "Reject the change at line 3" }).click();
  await page.getByRole("button", { name: "Accept the change at line 13" }).click();
  await showHistory(fixture, "This document");
  const diff = page.getByRole("region", { name: "What turn 1 changed" }).first();
  await diff.getByText("Rejected").waitFor();
  await diff.getByText("Accepted").waitFor();
  await showHistory(fixture, "All checkpoints");
  await turnIn(fixture).getByText("4 changes in 3 files, 1 rejected").waitFor();
  await turnIn(fixture).click();
  await panelOf(fixture).getByText("Not decided yet").first().waitFor();
  assert.equal(await panelOf(fixture).getByText("Rejected", { exact: true }).count(), 1);
  await page.keyboard.press("Alt+u");
  await panelOf(fixture).getByText("Accepted", { exact: true }).waitFor({ state: "detached" });
  assert.deepEqual(fixture.complaints, []);
});

test("three sides of a file stand side by side, follow what is decided, and are tabs where it is narrow", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openRenamed(t);
  const { page } = fixture;
  await textOf(fixture, "novel.md");
  await page.reload();
  await showHistory(fixture, "All checkpoints");
  await turnIn(fixture).click();
  await page.getByRole("button", { name: "Compare novel.md three ways" }).click();
  const view = page.locator(".threeway");
  await view.getByText("1 of 2 differences").waitFor();
  await view.getByRole("button", { name: "Next difference" }).click();
  await view.getByText("2 of 2 differences").waitFor();
  assert.equal(await view.locator(".threeway-cell.before mark", { hasText: "Tobias" }).count(), 2);
  assert.equal(await view.locator(".threeway-cell.proposed mark", { hasText: "Elias" }).count(), 2);
  await fixture.served.client.call("decide", { body: { verdict: "reject", everything: true } });
  await view.locator(".threeway-cell.now mark").first().waitFor({ state: "detached" });
  await page.keyboard.press("Alt+0");
  await page.setViewportSize({ width: 760, height: 700 });
  await view.getByRole("button", { name: "Before the turn" }).click();
  await view.locator(".threeway-cell.before").first().waitFor();
  assert.equal(await view.locator(".threeway-cell.proposed").first().isVisible(), false);
  assert.deepEqual(fixture.complaints, []);
});
