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

test("signing out ends the session at the server, not only in the page", async (t) => {
  const room = await openRoom(t, { files });
  if (room === undefined) return;
  const { page, context, served } = room;
  await page.getByRole("treeitem", { name: "readme.md" }).waitFor();
  const stolen = await context.cookies();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("> sign this browser out");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Please sign in" }).waitFor();
  await context.addCookies(stolen);
  const reply = await context.request.get(`${served.url}/api/workspace`);
  assert.equal(reply.status(), 401);
});
