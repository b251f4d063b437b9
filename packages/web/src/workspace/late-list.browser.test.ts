import assert from "node:assert/strict";
import { test } from "node:test";
import { noChromium, openBrowserFixture } from "@stet/testkit/browser";
import { must } from "@stet/testkit/workspace";
import type { Page } from "playwright-core";

/** Holds the first answer to a question back, after it was made. */
async function holdFirst(page: Page, url: string): Promise<{ asked: Promise<void>; release: () => void }> {
  const held = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  let isFirst = true;
  await page.route(url, async (route) => {
    if (route.request().method() !== "GET" || !isFirst) return route.continue();
    isFirst = false;
    const response = await route.fetch();
    asked.resolve();
    await held.promise;
    return route.fulfill({ response });
  });
  return { asked: asked.promise, release: () => held.resolve() };
}

test("a list of tabs that comes late does not take away the file that was opened meanwhile", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openBrowserFixture(t, { files: { "a.md": "Alpha.\n", "b.md": "Beta.\n" } });
  const { page, served } = fixture;
  await page.getByRole("treeitem", { name: "a.md" }).click();
  await page.locator(".cm-content", { hasText: "Alpha." }).waitFor();
  await page.waitForTimeout(500);
  // The next list is made before the file is opened, and arrives after it.
  const { asked, release } = await holdFirst(page, "**/api/tabs");
  const { client } = served;
  await client.call("openTab", { body: { title: "Elsewhere" } });
  await asked;
  await page.getByRole("treeitem", { name: "b.md" }).click();
  await page.locator(".cm-content", { hasText: "Beta." }).waitFor();
  release();
  await page.waitForTimeout(600);
  assert.equal(await page.locator(".cm-content").textContent(), "Beta.");
  const tab = page.getByRole("tab", { name: /^b\.md/ });
  assert.equal(await tab.getAttribute("aria-selected"), "true");
  assert.deepEqual(fixture.complaints, []);
});

test("a review that was asked for before a turn, and comes after it, takes the turn's changes away", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openBrowserFixture(t, {
    files: { "a.md": "Ann met Bob.\n", "b.md": "Then Ann left.\n" },
  });
  const { page, served } = fixture;
  await page.getByRole("treeitem", { name: "a.md" }).waitFor();
  const { asked, release } = await holdFirst(page, "**/api/review");
  await page.reload();
  await asked;
  const { session_id } = must(await served.client.call("createSession", { body: {} }));
  const instruction = "Rename Ann to Eve in all files";
  must(await served.client.call("run", { body: { session_id, instruction } }));
  await page.getByText("2 changes to review").waitFor();
  release();
  await page.waitForTimeout(600);
  assert.equal(await page.getByText("2 changes to review").count(), 1);
  assert.deepEqual(fixture.complaints, []);
});
