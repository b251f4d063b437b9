import assert from "node:assert/strict";
import { test } from "node:test";
import { noChromium, openBrowserFixture } from "@stet/testkit/browser";
import { becomes } from "@stet/testkit/renamed-fixture";

const files = {
  "book/chapter-one.md": "# One\n\nText.\n\n## The storm\n\nMore.\n\n## The calm\n\nEnd.\n",
  "book/chapter-two.md": "# Two\n",
};

test("everything can be reached by name", { skip: noChromium }, async (t) => {
  const fixture = await openBrowserFixture(t, { files });
  const { page } = fixture;
  const field = page.getByRole("combobox", { name: "Go to a file or run a command" });
  await page.getByRole("treeitem", { name: "chapter-one.md" }).waitFor();

  await t.test("a file by a few letters of its name", async () => {
    await page.keyboard.press("Control+p");
    await field.fill("chone");
    await page.getByRole("option", { name: /chapter-one/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("tab", { name: "chapter-one.md", selected: true }).waitFor();
    await page.locator(".cm-content:focus").waitFor();
  });

  await t.test("a heading, and a line", async () => {
    await page.keyboard.press("Control+p");
    await field.fill("@calm");
    await page.getByRole("option", { name: /The calm/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Line 9, column 1. Go to a line" }).waitFor();
    await page.keyboard.press("Control+p");
    await field.fill(":3");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Line 3, column 1. Go to a line" }).waitFor();
  });

  await t.test("a command, and the one used last comes first", async () => {
    await page.keyboard.press("Control+k");
    await field.pressSequentially("outline");
    await page.getByRole("option", { name: /Show or hide Outline/ }).waitFor();
    await page.keyboard.press("Enter");
    const isInOutline = () =>
      page.evaluate(() => document.activeElement?.closest('[aria-label="Outline"]') !== null);
    await becomes(isInOutline, true);
    await page.keyboard.press("F1");
    const first = page.getByRole("option").first();
    assert.match((await first.textContent()) ?? "", /Show or hide Outline/);
    await page.keyboard.press("Escape");
    await field.waitFor({ state: "detached" });
    assert.ok(await isInOutline());
  });

  await t.test("all keys are listed", async () => {
    await page.keyboard.press("Control+/");
    await page.getByRole("tab", { name: "Keyboard shortcuts", selected: true }).waitFor();
    await page.getByRole("searchbox", { name: "Filter shortcuts" }).fill("close tab");
    await page.getByText("Alt+W").waitFor();
  });
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill(">no such thing");
  await page.getByText("No command fits.").waitFor();
  const box = await page.locator(".palette").boundingBox();
  assert.ok((box?.height ?? 999) < 120, "nothing found takes no room");
  assert.deepEqual(fixture.complaints, []);
});
