import assert from "node:assert/strict";
import { test } from "node:test";
import { seriousViolations } from "@stet/testkit/accessibility";
import { openRoom } from "@stet/testkit/browser";
import type { Page } from "playwright-core";

const files = {
  "readme.md": "# Read me\n\nHello.\n",
  "book/ch1.md": "# One\n",
  "src/main.ts": "let a = 1;\n",
};

/** The agent's sidebar and the text have tests of their own. */
const violations = (page: Page) => seriousViolations(page, [".agent-place", ".stage .document-view"]);

test("the window at 390 pixels: one thing at a time", async (t) => {
  const room = await openRoom(t, { files, width: 390, height: 780 });
  if (room === undefined) return;
  const { page } = room;
  const bar = page.getByRole("navigation", { name: "What is shown" });
  await page.getByRole("main").waitFor();
  await bar.getByRole("button", { name: "Files" }).click();
  await page.getByRole("main").waitFor({ state: "hidden" });
  await page.getByRole("treeitem", { name: "ch1.md" }).click();
  await page.locator(".cm-content", { hasText: "One" }).click();
  await page.keyboard.type("More ");
  await bar.getByRole("button", { name: "Review" }).click();
  await page.getByRole("complementary", { name: "Review" }).waitFor();
  await bar.getByRole("button", { name: "Agent" }).click();
  await page.getByRole("complementary", { name: "Agent" }).getByRole("textbox").first().waitFor();
  assert.deepEqual(await violations(page), [], "agent");
  await bar.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Search" }).click();
  await page.getByRole("textbox", { name: "Search for exact text" }).fill("One");
  await page.getByRole("button", { name: /Line 1 of book\/ch1.md/ }).click();
  await page.locator(".cm-content").waitFor();
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.equal(overflow, 0);
  assert.deepEqual(room.complaints, []);
});

test("the window at 800 pixels: the agent lies over the text and goes away again", async (t) => {
  const room = await openRoom(t, { files, width: 800 });
  if (room === undefined) return;
  const { page } = room;
  const agent = page.getByRole("complementary", { name: "Agent" });
  await page.getByRole("treeitem", { name: "readme.md" }).click();
  const before = await page.getByRole("main").boundingBox();
  assert.equal(await agent.count(), 0);
  await page.keyboard.press("Alt+0");
  await agent.waitFor();
  assert.deepEqual(await page.getByRole("main").boundingBox(), before);
  await page.keyboard.press("Alt+0");
  await agent.waitFor({ state: "detached" });
  assert.deepEqual(room.complaints, []);
});
