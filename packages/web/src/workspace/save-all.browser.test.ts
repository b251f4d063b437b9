import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type BrowserFixture, noChromium, openBrowserFixture } from "@stet/testkit/browser";
import { becomes, openRenamed } from "@stet/testkit/renamed-fixture";

async function write({ page }: BrowserFixture, path: string, text: string): Promise<void> {
  await page.getByRole("treeitem", { name: path }).click();
  await page.getByRole("tab", { name: path, selected: true }).waitFor();
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(text);
  await page.getByRole("tab", { name: `${path} not saved` }).waitFor();
}

test("save all writes every file or none, names the file that is in the way, and says it once", {
  skip: noChromium,
}, async (t) => {
  const files = { "a.md": "One.\n", "b.md": "Two.\n", "c.md": "Three.\n" };
  const fixture = await openBrowserFixture(t, { files });
  const { page } = fixture;
  for (const path of ["a.md", "b.md", "c.md"]) await write(fixture, path, "Mine.");
  writeFileSync(join(fixture.root, "b.md"), "Two.\nTheirs.\n");
  await page.keyboard.press("Control+Alt+s");
  await page.getByText(/b\.md was changed on disk, and it changed lines/).waitFor();
  await page.getByRole("tab", { name: "b.md not saved", selected: true }).waitFor();
  await page.getByText(/b\.md was changed on disk, where you changed it, too/).waitFor();
  assert.deepEqual([fixture.read("a.md"), fixture.read("c.md")], ["One.\n", "Three.\n"]);

  await page.getByRole("button", { name: "Keep my text" }).click();
  await page.getByRole("button", { name: "New document" }).click();
  await page.getByRole("tab", { name: "Untitled", selected: true }).waitFor();
  await page.locator(".cm-content").click();
  await page.keyboard.type("Four.");
  await page.getByRole("tab", { name: "Untitled not saved" }).waitFor();
  await page.keyboard.press("Control+Alt+s");
  await page.getByRole("dialog", { name: "Save as" }).getByRole("textbox").fill("d.md");
  await page.keyboard.press("Enter");
  await page.getByText("4 files are saved.").waitFor();
  assert.equal(await page.getByText(/(is|are) saved\./).count(), 1);
  const all = () => ["a.md", "b.md", "c.md", "d.md"].map((path) => fixture.read(path)).join("|");
  await becomes(all, "One.\nMine.|Two.\nMine.|Three.\nMine.|Four.");
  // The browser itself remarks on the save that was refused.
  assert.deepEqual(
    fixture.complaints.filter((complaint) => !complaint.includes("409")),
    [],
  );
});

test("whoever saves one of several changed files is told of those that have no tab", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openRenamed(t);
  const { page } = fixture;
  await fixture.served.client.call("decide", { body: { everything: true, verdict: "accept" } });
  await page.getByRole("contentinfo").getByRole("button", { name: "3 files not saved" }).waitFor();
  await page.getByRole("treeitem", { name: "novel.md" }).click();
  await page.locator(".cm-content", { hasText: "Elias" }).waitFor();
  await page.keyboard.press("Control+s");
  await page.getByText("novel.md is saved. 2 other files are not.").waitFor();
  await page.getByRole("button", { name: "Save all" }).click();
  await page.getByText("2 files are saved.").waitFor();
  assert.match(fixture.read("tools/names.js"), /Elias/);
  await page.getByText(/not saved$/).waitFor({ state: "detached" });
  assert.deepEqual(fixture.complaints, []);
});

test("a name is proposed for a new document that has none", { skip: noChromium }, async (t) => {
  const fixture = await openBrowserFixture(t);
  const { page } = fixture;
  await page.getByRole("treeitem", { name: "notes.md" }).waitFor();
  await page.keyboard.press("Alt+n");
  await page.getByRole("textbox", { name: "Text of Untitled" }).click();
  await page.keyboard.type("# Draft");
  await page.keyboard.press("Control+s");
  const field = page.getByRole("dialog", { name: "Save as" }).getByRole("textbox");
  assert.equal(await field.inputValue(), "Untitled.md");
  // Typed over, but for the ending.
  await page.keyboard.type("draft");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("draft.md is saved.").waitFor();
  assert.equal(fixture.read("draft.md"), "# Draft");
});
