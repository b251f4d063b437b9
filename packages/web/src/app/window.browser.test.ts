import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { openRoom } from "@stet/testkit/browser";
import type { Page } from "playwright-core";

const files = {
  "readme.md": "# Read me\n\nHello.\n",
  "book/ch1.md": "# One\n",
  "src/main.ts": "let a = 1;\n",
};

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8"));
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(
          places: object,
        ): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>;
      };
    };
    // The agent's sidebar and the text have tests of their own.
    const found = await axe.run({ exclude: [".agent-place", ".stage .document-view"] });
    return found.violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
  });
}

test("the window at 1280 pixels: welcome, parts, widths", async (t) => {
  const room = await openRoom(t, { files });
  if (room === undefined) return;
  const { page } = room;
  await page.getByRole("treeitem", { name: "readme.md" }).waitFor();

  await t.test("nothing is open: the folder, the keys, the way to the agent", async () => {
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    assert.deepEqual(await violations(page), []);
    await page.getByRole("main").getByRole("button", { name: "Ask the agent" }).click();
    const region = () =>
      page.evaluate(() => document.activeElement?.closest<HTMLElement>("[data-region]")?.dataset.region);
    assert.equal(await region(), "agent");
    await page.keyboard.press("F6");
    assert.equal(await region(), "status");
    await page.keyboard.press("F6");
    assert.equal(await region(), "panel");
    await page.keyboard.press("Shift+F6");
    assert.equal(await region(), "status");
  });

  await t.test("a panel is made wider, stays so, and is put back by a double click", async () => {
    const edge = page.getByRole("separator", { name: "Width of the panel" });
    await edge.focus();
    await page.keyboard.press("ArrowRight");
    const width = async () => (await page.locator(".left-panel").boundingBox())?.width;
    assert.equal(await width(), 284);
    await page.reload();
    await page.getByRole("treeitem", { name: "readme.md" }).waitFor();
    assert.equal(await width(), 284);
    await edge.dblclick();
    assert.equal(await width(), 260);
  });

  await t.test("nothing is in the way of anybody, in all colours", async () => {
    await page.getByRole("treeitem", { name: "readme.md" }).click();
    await page.locator(".cm-content", { hasText: "Hello" }).waitFor();
    for (const theme of ["light", "dark", "contrast"]) {
      await page.evaluate((name) => {
        document.documentElement.dataset.theme = name;
      }, theme);
      assert.deepEqual(await violations(page), [], theme);
    }
    await page.keyboard.press("Control+Shift+f");
    await page.getByRole("textbox", { name: "Search for exact text" }).fill("e");
    await page.getByText(/lines in/).waitFor();
    assert.deepEqual(await violations(page), [], "search");
    await page.keyboard.press("Control+k");
    await page.getByRole("option").first().waitFor();
    assert.deepEqual(await violations(page), [], "palette");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+/");
    await page.getByRole("heading", { name: "Keyboard shortcuts" }).waitFor();
    assert.deepEqual(await violations(page), [], "keys");
  });
  assert.deepEqual(room.complaints, []);
});

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

test("a browser that is not signed in any more is told what to do", async (t) => {
  const room = await openRoom(t, { files });
  if (room === undefined) return;
  const { page, context } = room;
  await page.getByRole("treeitem", { name: "readme.md" }).waitFor();
  await context.clearCookies();
  // As when one comes back to the window later.
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await page.getByRole("alert").filter({ hasText: "This window is signed out." }).waitFor();
  assert.deepEqual(await violations(page), []);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { name: "Please sign in" }).waitFor();
  assert.deepEqual(await violations(page), []);
});
