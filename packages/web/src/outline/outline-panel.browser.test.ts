import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { noChromium, openBrowserFixture } from "@stet/testkit/browser";
import { testData } from "@stet/testkit/data";

test("the outline follows what is typed, shows where the cursor is, and jumps by click and by keys", {
  skip: noChromium,
}, async (t) => {
  const filler = "Some words.\n\n".repeat(60);
  const text = `# One\n\n${filler}## Inside\n\n${filler}# Two\n\n${filler}`;
  const fixture = await openBrowserFixture(t, { files: { "notes.md": text, "plain.txt": "just words\n" } });
  const { page } = fixture;
  await page.getByRole("treeitem", { name: "notes.md" }).first().click();
  await page.getByRole("textbox", { name: "Text of notes.md" }).waitFor();
  await page.getByRole("button", { name: "Outline", exact: true }).click();
  const tree = page.getByRole("tree", { name: "Outline" });
  const row = (name: string) => tree.getByRole("treeitem", { name, exact: true });
  await row("Two").click();
  await page.locator(".cm-line", { hasText: "# Two" }).waitFor();
  await page.locator('[role=treeitem][aria-current="location"]', { hasText: "Two" }).waitFor();
  await page.keyboard.press("End");
  await page.keyboard.type(" Towns");
  await row("Two Towns").waitFor();

  await tree.focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowLeft");
  await row("Inside").waitFor({ state: "detached" });
  await page.keyboard.press("ArrowRight");
  await row("Inside").waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.locator(".cm-line", { hasText: "## Inside" }).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.classList.contains("cm-content")), true);

  await page.getByRole("searchbox", { name: "Filter the outline" }).fill("towns");
  await row("One").waitFor({ state: "detached" });
  await page.keyboard.press("Enter");
  await page.locator(".cm-activeLine", { hasText: "# Two Towns" }).waitFor();

  await fixture.served.client.call("openTab", { body: { path: "plain.txt" } });
  await page.getByRole("tab", { name: /plain.txt/ }).click();
  await page.getByText("This text has no chapters, headings or keys.").waitFor();
  assert.deepEqual(fixture.complaints, []);
});

test("the chapters of a whole book are there quickly, and the last one is a jump away", {
  skip: noChromium,
}, async (t) => {
  const book = testData(t, "books/moby-dick.txt");
  if (book === undefined) return;
  const fixture = await openBrowserFixture(t, { files: { "moby.txt": readFileSync(book) } });
  const { page } = fixture;
  await page.getByRole("treeitem", { name: "moby.txt" }).first().click();
  await page.getByRole("textbox", { name: "Text of moby.txt" }).waitFor();
  await page.getByRole("button", { name: "Outline", exact: true }).click();
  await page.getByRole("tree", { name: "Outline" }).focus();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await page
    .locator(".cm-line", { hasText: /epilogue/i })
    .first()
    .waitFor();
  assert.deepEqual(fixture.complaints, []);
});
