import assert from "node:assert/strict";
import { test } from "node:test";
import { noChromium, openBrowserFixture } from "@stet/testkit/browser";
import { becomes } from "@stet/testkit/renamed-fixture";

test("a document without a file is not closed over what was typed a moment ago, and its closing can be taken back", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openBrowserFixture(t, { files: { "notes.md": "one\n" } });
  const { page } = fixture;
  await page.getByRole("treeitem", { name: "notes.md" }).waitFor();
  await page.getByRole("button", { name: "New document" }).first().click();
  await page.locator(".cm-content").click();
  await page.keyboard.type("A story.");
  await page.keyboard.press("Alt+w");
  const asked = page.getByRole("dialog", { name: "Save Untitled before closing?" });
  await asked.getByText("It has no file yet.").waitFor();
  await asked.getByRole("button", { name: "Close without saving" }).click();
  await page.getByText("Untitled is closed, and was not saved.").waitFor();
  assert.equal(await page.getByRole("tab").count(), 0);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.locator(".cm-line", { hasText: "A story." }).waitFor();

  await page.keyboard.press("Alt+w");
  await asked.getByRole("button", { name: "Save and close" }).click();
  await page.getByRole("dialog", { name: "Save as" }).getByRole("textbox").fill("story.md");
  await page.keyboard.press("Enter");
  await page.getByRole("tab").waitFor({ state: "detached" });
  assert.equal(fixture.read("story.md"), "A story.");
  assert.deepEqual(fixture.complaints, []);
});

test("what was typed into a file right before its tab is closed is asked about, and stays when it is not saved", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openBrowserFixture(t, { files: { "notes.md": "one\n" } });
  const { page } = fixture;
  const open = async () => {
    await page.getByRole("treeitem", { name: "notes.md" }).click();
    await page.getByRole("textbox", { name: "Text of notes.md" }).waitFor();
  };
  await open();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("mine ");
  await page.keyboard.press("Alt+w");
  await page.getByRole("button", { name: "Close without saving" }).click();
  await page.getByRole("tab").waitFor({ state: "detached" });
  await open();
  await becomes(() => page.locator(".cm-line").first().innerText(), "mine one");
  assert.deepEqual(fixture.complaints, []);
});
