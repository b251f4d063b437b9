import assert from "node:assert/strict";
import { test } from "node:test";
import { noChromium, openBrowserFixture } from "@stet/testkit/browser";

const files = {
  "book/ch1.md": "# One\n\nTobias came by boat.\nNobody saw him.\n\nThen Tobias left again.\n",
  "notes.txt": "Tobias: a keeper.\n",
};

test("text is found in all files, and by meaning in the document in front", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openBrowserFixture(t, { files });
  const { page } = fixture;
  await page.getByRole("treeitem", { name: "ch1.md" }).waitFor();

  await t.test("results stand under their files and lead to their lines", async () => {
    await page.keyboard.press("Control+Shift+f");
    await page.getByRole("textbox", { name: "Search for exact text" }).fill("Tobias");
    // Nothing was found yet: the key leads there all the same.
    await page.keyboard.press("ArrowDown");
    await page.locator(".search-line:focus").waitFor();
    await page.getByText("3 lines in 2 files.").waitFor();
    await page.keyboard.press("ArrowUp");
    await page.locator(".search-field:focus").waitFor();
    await page.getByRole("button", { name: "Line 6 of book/ch1.md", exact: false }).first().click();
    await page.getByRole("button", { name: "Line 6, column 1. Go to a line" }).waitFor();
  });

  await t.test("a pattern keeps to some files", async () => {
    await page.getByRole("textbox", { name: "Only files that fit a pattern" }).fill("*.txt");
    await page.getByText("1 line in 1 file.").waitFor();
  });

  await t.test("a place goes into the agent's context", async () => {
    await page.getByRole("button", { name: "Add line 1 of notes.txt to the agent's context" }).click();
    const agent = page.getByRole("complementary", { name: "Agent" });
    await agent.getByText("notes.txt").first().waitFor();
  });

  await t.test("by meaning", async () => {
    await page.getByText("By meaning").click();
    await page.getByRole("textbox", { name: "Search by meaning" }).fill("arrival of a man over the sea");
    await page.getByRole("button", { name: /Tobias came by boat/ }).waitFor({ timeout: 30_000 });
  });
  assert.deepEqual(fixture.complaints, []);
});
