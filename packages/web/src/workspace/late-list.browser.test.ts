import assert from "node:assert/strict";
import { test } from "node:test";
import { openRoom } from "@stet/testkit/browser";

test("a list of tabs that comes late does not take away the file that was opened meanwhile", async (t) => {
  const room = await openRoom(t, { files: { "a.md": "Alpha.\n", "b.md": "Beta.\n" } });
  if (room === undefined) return;
  const { page, served } = room;
  await page.getByRole("treeitem", { name: "a.md" }).click();
  await page.locator(".cm-content", { hasText: "Alpha." }).waitFor();
  await page.waitForTimeout(500);
  // The next list is made before the file is opened, and arrives after it.
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  let isAsked = () => {};
  const asked = new Promise<void>((done) => {
    isAsked = done;
  });
  let isFirst = true;
  await page.route("**/api/tabs", async (route) => {
    if (route.request().method() !== "GET" || !isFirst) return route.continue();
    isFirst = false;
    const response = await route.fetch();
    isAsked();
    await held;
    return route.fulfill({ response });
  });
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
  assert.deepEqual(room.complaints, []);
});
