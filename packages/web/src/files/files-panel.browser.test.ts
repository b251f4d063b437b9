import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { noChromium, openBrowserFixture } from "@stet/testkit/browser";
import { becomes } from "@stet/testkit/renamed-fixture";

const files = {
  "readme.md": "# Read me\n",
  "book/ch1.md": "# One\n",
  "book/ch2.md": "# Two\n",
  "notes/mara.md": "# Mara\n",
};

test("the folder is gone through, filtered and changed by keyboard", { skip: noChromium }, async (t) => {
  const fixture = await openBrowserFixture(t, { files });
  const { page } = fixture;
  const tree = page.getByRole("tree", { name: "Files" });
  const item = (name: string) => page.getByRole("treeitem", { name });
  await item("ch1.md").waitFor();

  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("role"));

  await t.test("arrows, letters and Enter open a file", async () => {
    await tree.focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowLeft");
    await item("ch1.md").waitFor({ state: "detached" });
    await page.keyboard.press("ArrowRight");
    await item("ch1.md").waitFor();
    await page.keyboard.type("ch2");
    await page.keyboard.press("Enter");
    await page.getByRole("tab", { name: "ch2.md", selected: true }).waitFor();
    await page.locator(".cm-content", { hasText: "Two" }).waitFor();
    await page.locator('[role="treeitem"][aria-selected="true"]', { hasText: "ch2.md" }).waitFor();
  });

  await t.test("a filter shows what fits, and Enter opens the best", async () => {
    const filter = page.getByRole("searchbox", { name: "Filter files" });
    await filter.fill("mara");
    await item("ch1.md").waitFor({ state: "detached" });
    assert.equal(await item("mara.md").locator("mark").textContent(), "mara");
    await filter.press("Enter");
    await page.getByRole("tab", { name: "mara.md", selected: true }).waitFor();
    await filter.fill("");
    await item("ch1.md").waitFor();
  });

  await t.test("a new file may name folders, and a name that is taken is refused in place", async () => {
    await page.getByRole("button", { name: "New file" }).click();
    const field = page.getByRole("textbox", { name: "Name of the new file" });
    await field.fill("book/ch1.md");
    await field.press("Enter");
    await page.getByRole("alert").filter({ hasText: "ch1.md" }).waitFor();
    await field.fill("drafts/new/first.md");
    await field.press("Enter");
    await page.getByRole("tab", { name: "first.md", selected: true }).waitFor();
    await item("first.md").waitFor();
    assert.equal(fixture.read("drafts/new/first.md"), "");
  });

  await t.test("F2 renames, and the tab follows", async () => {
    await tree.focus();
    await page.keyboard.press("F2");
    const field = page.getByRole("textbox", { name: "New name of first.md" });
    await field.waitFor();
    await page.keyboard.type("second");
    await page.keyboard.press("Enter");
    await page.getByRole("tab", { name: "second.md" }).waitFor();
    await item("second.md").waitFor();
    assert.ok(existsSync(join(fixture.root, "drafts/new/second.md")));
    await becomes(focused, "tree");
    await page.keyboard.press("F2");
    await page.getByRole("textbox", { name: "New name of second.md" }).waitFor();
    await page.keyboard.press("Escape");
    assert.equal(await focused(), "tree");
  });

  await t.test("Delete takes a file away, and Undo brings it back", async () => {
    await item("mara.md").click();
    // What was opened takes the focus as soon as it is there.
    await page.getByRole("textbox", { name: "Text of mara.md" }).waitFor();
    await becomes(() => page.evaluate(() => document.activeElement?.closest(".stage") !== null), true);
    await tree.focus();
    await page.keyboard.press("Delete");
    await item("mara.md").waitFor({ state: "detached" });
    // Another document comes to the front; the next key is still for the tree.
    await page.getByRole("tab", { name: "mara.md" }).waitFor({ state: "detached" });
    await page.waitForTimeout(300);
    assert.equal(await focused(), "tree");
    await page.getByRole("button", { name: "Undo" }).click();
    await item("mara.md").waitFor();
    assert.equal(fixture.read("notes/mara.md"), "# Mara\n");
  });

  await t.test("what was deleted is found again by its menu", async () => {
    await item("ch2.md").click({ button: "right" });
    await page.getByRole("menuitem", { name: /^Delete/ }).click();
    await item("ch2.md").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "More about files" }).click();
    await page.getByRole("menuitem", { name: "Recently deleted…" }).click();
    await page.getByRole("menuitem", { name: /Bring back book\/ch2.md/ }).click();
    await item("ch2.md").waitFor();
    assert.equal(fixture.read("book/ch2.md"), "# Two\n");
  });

  await t.test("the active row stays when the list is read again", async () => {
    await tree.focus();
    await page.keyboard.press("Home");
    await fixture.served.client.call("createFile", { body: { path: "later.md" } });
    await item("later.md").waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("F2");
    await page.getByRole("textbox", { name: "New name of ch1.md" }).waitFor();
    await page.keyboard.press("Escape");
  });

  await t.test("the menu opens by keyboard, and Escape gives the focus back", async () => {
    await tree.focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("Shift+F10");
    await page.getByRole("menuitem", { name: "New file in book" }).waitFor();
    await page.keyboard.press("Escape");
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("role")), "tree");
  });

  await t.test("a file that someone else makes appears, unsaved ones have a dot", async () => {
    await fixture.served.client.call("createFile", { body: { path: "other.md", content: "Hello\n" } });
    await item("other.md").click();
    await page.locator(".cm-content", { hasText: "Hello" }).click();
    await page.keyboard.type("More");
    await page.getByRole("treeitem", { name: "other.md not saved" }).waitFor();
    await page.waitForFunction(() => document.title.startsWith("● other.md"));
  });
  const isRefusal = (text: string) => text.includes("409");
  assert.deepEqual(
    fixture.complaints.filter((text) => !isRefusal(text)),
    [],
  );
});
