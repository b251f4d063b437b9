import assert from "node:assert/strict";
import { test } from "node:test";
import { seriousViolations } from "@stet/testkit/accessibility";
import { noChromium, openBrowserFixture } from "@stet/testkit/browser";
import type { Page } from "playwright-core";

const files = {
  "readme.md": "# Read me\n\nHello.\n",
  "book/ch1.md": "# One\n",
  "src/main.ts": "let a = 1;\n",
};

/** The agent's sidebar and the text have tests of their own. */
const violations = (page: Page) => seriousViolations(page, [".agent-place", ".stage .document-view"]);

test("the window at 390 pixels: one thing at a time", { skip: noChromium }, async (t) => {
  const fixture = await openBrowserFixture(t, { files, width: 390, height: 780 });
  const { page } = fixture;
  const bar = page.getByRole("navigation", { name: "What is shown" });
  await page.getByRole("main").waitFor();
  await bar.getByRole("button", { name: "Files" }).click();
  await page.getByRole("main", { name: "Files" }).waitFor();
  await page.getByRole("treeitem", { name: "ch1.md" }).click();
  await page.locator(".cm-content", { hasText: "One" }).click();
  await page.keyboard.type("More ");
  await bar.getByRole("button", { name: "Review" }).click();
  await page.getByRole("main", { name: "Review" }).waitFor();
  await bar.getByRole("button", { name: "Agent" }).click();
  await page.getByRole("main", { name: "Agent" }).getByRole("textbox").first().waitFor();
  assert.equal(await page.getByRole("main").count(), 1);
  assert.deepEqual(await violations(page), [], "agent");
  await bar.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Search" }).click();
  await page.getByRole("textbox", { name: "Search for exact text" }).fill("One");
  await page.getByRole("button", { name: /Line 1 of book\/ch1.md/ }).click();
  await page.locator(".cm-content").waitFor();
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.equal(overflow, 0);
  assert.deepEqual(fixture.complaints, []);
});

test("the window at 800 pixels: the text and one thing beside it, and nothing lies over the text", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openBrowserFixture(t, { files, width: 800 });
  const { page } = fixture;
  const agent = page.getByRole("complementary", { name: "Agent" });
  await page.getByRole("treeitem", { name: "readme.md" }).click();
  const panel = page.getByRole("complementary", { name: "Files" });
  assert.equal(await agent.count(), 0);
  await page.keyboard.press("Alt+0");
  await agent.waitFor();
  await panel.waitFor({ state: "detached" });
  const [text, beside] = [await page.getByRole("main").boundingBox(), await agent.boundingBox()];
  assert.ok(text && beside && text.width >= 300 && text.x + text.width <= beside.x + 1);
  await page.keyboard.press("Alt+1");
  await panel.waitFor();
  await agent.waitFor({ state: "detached" });
  assert.deepEqual(fixture.complaints, []);
});
