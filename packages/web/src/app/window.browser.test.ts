import assert from "node:assert/strict";
import { test } from "node:test";
import { seriousViolations } from "@stet/testkit/accessibility";
import { noChromium, openBrowserFixture } from "@stet/testkit/browser";
import { becomes } from "@stet/testkit/renamed-fixture";
import type { Page } from "playwright-core";

const files = {
  "readme.md": "# Read me\n\nHello.\n",
  "book/ch1.md": "# One\n",
  "src/main.ts": "let a = 1;\n",
};

/** The agent's sidebar and the text have tests of their own. */
const violations = (page: Page) => seriousViolations(page, [".agent-place", ".stage .document-view"]);

test("the window at 1280 pixels: welcome, parts, widths", { skip: noChromium }, async (t) => {
  const fixture = await openBrowserFixture(t, { files });
  const { page } = fixture;
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
  assert.deepEqual(fixture.complaints, []);
});

test("a browser that is not signed in any more is told what to do", { skip: noChromium }, async (t) => {
  const fixture = await openBrowserFixture(t, { files });
  const { page, context } = fixture;
  await page.getByRole("treeitem", { name: "readme.md" }).waitFor();
  await context.clearCookies();
  // As when one comes back to the window later.
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await page.getByRole("alert").filter({ hasText: "This window is signed out." }).waitFor();
  assert.deepEqual(await violations(page), []);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("This window is still signed out.").waitFor();
  assert.deepEqual(await violations(page), []);
  await page.reload();
  await page.getByRole("heading", { name: "Please sign in" }).waitFor();
  assert.deepEqual(await violations(page), []);
});

test("signing out ends the session at the server, not only in the page", { skip: noChromium }, async (t) => {
  const fixture = await openBrowserFixture(t, { files });
  const { page, context, served } = fixture;
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

test("by key the focus goes into what is shown, and back to the text from what is hidden", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openBrowserFixture(t, { files, width: 1024, height: 768 });
  const { page } = fixture;
  await page.getByRole("treeitem", { name: "readme.md" }).click();
  await page.locator(".cm-content", { hasText: "Hello" }).click();
  const focused = () =>
    page.evaluate(() => {
      const { activeElement: at } = document;
      return `${at?.closest<HTMLElement>("[data-region]")?.ariaLabel} ${at?.getAttribute("role") ?? at?.tagName}`;
    });
  for (const [keys, place] of [
    ["Alt+3", "Outline tree"],
    ["Alt+4", "Review BUTTON"],
    ["Alt+5", "History tab"],
    ["Alt+1", "Files tree"],
    ["Alt+1", "Editor textbox"],
    ["Alt+0", "Editor textbox"],
    ["Alt+0", "Agent TEXTAREA"],
  ] as const) {
    await page.keyboard.press(keys);
    await becomes(focused, place);
  }

  await t.test("a message does not lie over what is typed into", async () => {
    await page.getByRole("textbox", { name: "Text of readme.md" }).click();
    await page.keyboard.type("More. ");
    await page.keyboard.press("Control+s");
    const notice = page.locator(".notice", { hasText: "readme.md is saved." });
    await notice.waitFor();
    const [box, composer] = [await notice.boundingBox(), await page.locator(".composer").boundingBox()];
    assert.ok(box && composer && box.x + box.width <= composer.x, "beside the composer");
  });
  assert.deepEqual(fixture.complaints, []);
});
