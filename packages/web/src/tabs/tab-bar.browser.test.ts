import assert from "node:assert/strict";
import { test } from "node:test";
import { noChromium, openBrowserFixture } from "@stet/testkit/browser";

const files = { "a/notes.md": "# A\n", "b/notes.md": "# B\n", "one.md": "# One\n" };

test("tabs are told apart, gone through, moved and closed", { skip: noChromium }, async (t) => {
  const fixture = await openBrowserFixture(t, { files, width: 1024 });
  const { page } = fixture;
  for (const path of Object.keys(files)) await fixture.served.client.call("openTab", { body: { path } });
  const inFront = (name: string) => page.getByRole("tab", { name, selected: true }).waitFor();
  const order = async (...wanted: string[]) => {
    await page.waitForFunction(
      (list) => {
        const tabs = [...document.querySelectorAll('[role="tab"]')];
        const wordsOf = (tab: Element) =>
          [...tab.querySelectorAll("span:not([aria-hidden])")].flatMap((part) => part.textContent || []);
        return JSON.stringify(tabs.map((tab) => wordsOf(tab).join(" "))) === list;
      },
      JSON.stringify(wanted),
      { timeout: 10_000 },
    );
  };

  await t.test("two of the same name show their folders", async () => {
    await order("notes.md a", "notes.md b", "one.md");
  });

  await t.test("arrows go through them, Alt-Page keys from anywhere", async () => {
    await page.getByRole("tab", { name: "one.md" }).click();
    await inFront("one.md");
    await page.getByRole("tab", { name: "one.md" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await inFront("notes.md a");
    await page.locator(".cm-content:focus").waitFor();
    await page.getByRole("tab", { name: "notes.md a" }).focus();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await inFront("one.md");
    await page.keyboard.press("Alt+PageUp");
    await inFront("notes.md b");
    await page.keyboard.press("Alt+PageDown");
    await inFront("one.md");
  });

  await t.test("a tab is moved by keys and by the mouse", async () => {
    await page.keyboard.press("Alt+Shift+PageUp");
    await order("notes.md a", "one.md", "notes.md b");
    await page
      .locator(".tab", { hasText: "one.md" })
      .dragTo(page.locator(".tab").first(), { targetPosition: { x: 4, y: 10 } });
    await order("one.md", "notes.md a", "notes.md b");
  });

  await t.test("Delete and the middle button close a tab", async () => {
    await page.getByRole("tab", { name: "notes.md b" }).focus();
    await page.keyboard.press("Delete");
    await order("one.md", "notes.md");
    await page.getByRole("tab", { name: "notes.md" }).click({ button: "middle" });
    await order("one.md");
  });

  await t.test("a new document is written, and closing it asks first", async () => {
    await page.keyboard.press("Alt+n");
    await inFront("Untitled");
    await page.locator(".cm-content").click();
    await page.keyboard.type("Once");
    await page.getByRole("tab", { name: "Untitled not saved" }).waitFor();
    await page.keyboard.press("Alt+w");
    await page.getByRole("button", { name: "Close without saving" }).click();
    await order("one.md");
  });

  await t.test("the menu closes the others", async () => {
    await fixture.served.client.call("openTab", { body: { path: "a/notes.md" } });
    await page.getByRole("tab", { name: "notes.md" }).waitFor();
    await page.getByRole("tab", { name: "one.md" }).click({ button: "right" });
    await page.getByRole("menuitem", { name: "Close others" }).click();
    await order("one.md");
  });
  assert.deepEqual(fixture.complaints, []);
});
