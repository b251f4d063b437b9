import assert from "node:assert/strict";
import { test } from "node:test";
import { type BrowserFixture, noChromium, openBrowserFixture } from "@stet/testkit/browser";
import type { Page } from "playwright-core";

/** Opens a file from the panel, and waits until its text is there. */
async function open(page: Page, name: string): Promise<void> {
  await page.getByRole("treeitem", { name }).first().click();
  await page.getByRole("textbox", { name: `Text of ${name}` }).waitFor();
}

const text = (page: Page) => page.locator(".cm-content");

async function shows(page: Page, part: string): Promise<void> {
  await page.locator(".cm-line", { hasText: part }).first().waitFor();
}

/** Saves with the key and waits for the file. */
async function saved(fixture: BrowserFixture, page: Page, path: string, expected: string): Promise<void> {
  await page.keyboard.press("Control+s");
  for (let tries = 0; tries < 100 && fixture.read(path) !== expected; tries += 1)
    await page.waitForTimeout(50);
  assert.equal(fixture.read(path), expected);
  // The file is there before the window has heard of it.
  await page.getByText(`${path} is saved.`).first().waitFor();
  await page.getByText("not saved").first().waitFor({ state: "detached" });
}

test("what is typed is in the file after saving, with the line ends that the file has", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openBrowserFixture(t, {
    files: { "notes.md": "one\r\ntwo\r\n", "mixed.txt": "one\r\ntwo\n" },
  });
  const { page } = fixture;
  await open(page, "notes.md");
  await page.keyboard.press("Control+End");
  await page.keyboard.type("three\nfour");
  await saved(fixture, page, "notes.md", "one\r\ntwo\r\nthree\r\nfour");
  // Closed and opened again it is edited anew, and what was typed first then must not be taken for what was typed before.
  await page.keyboard.press("Alt+w");
  await text(page).waitFor({ state: "detached" });
  await open(page, "notes.md");
  await page.keyboard.press("Control+End");
  await page.keyboard.type("!");
  await saved(fixture, page, "notes.md", "one\r\ntwo\r\nthree\r\nfour!");

  await open(page, "mixed.txt");
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("End");
  await page.keyboard.type("x\ny");
  await saved(fixture, page, "mixed.txt", "onex\r\ny\r\ntwo\n");
  assert.deepEqual(fixture.complaints, []);
});

test("two windows type at once and see the same; undo takes back the own part only", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openBrowserFixture(t, { files: { "notes.md": "one\n\ntwo\n" } });
  const { page } = fixture;
  await open(page, "notes.md");
  const other = await fixture.newWindow();
  await text(other).waitFor();
  await text(page).focus();
  await page.keyboard.press("Control+Home");
  await text(other).focus();
  await other.keyboard.press("Control+End");
  for (const letter of "abcdefgh") {
    await Promise.all([page.keyboard.type(letter), other.keyboard.type(letter.toUpperCase())]);
  }
  await Promise.all([shows(page, "ABCDEFGH"), shows(other, "abcdefghone")]);
  assert.equal(await text(page).innerText(), await text(other).innerText());

  await page.bringToFront();
  await text(page).focus();
  for (let count = 0; count < 8; count += 1) await page.keyboard.press("Control+z");
  await saved(fixture, page, "notes.md", "one\n\ntwo\nABCDEFGH");
  assert.deepEqual(fixture.complaints, []);
});

test("typing goes on without a connection, and is sent when it is back", { skip: noChromium }, async (t) => {
  const fixture = await openBrowserFixture(t, { files: { "notes.md": "one\ntwo\n" } });
  const { page, context } = fixture;
  await open(page, "notes.md");
  const other = await fixture.newWindow();
  await text(other).waitFor();
  await page.bringToFront();
  await text(page).focus();
  await context.setOffline(true);
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("offline ");
  await page.waitForTimeout(1500);
  await shows(page, "offline one");
  await context.setOffline(false);
  await shows(other, "offline one");
  await saved(fixture, page, "notes.md", "offline one\ntwo\n");
});

test("a megabyte that is pasted arrives once, also in another window", { skip: noChromium }, async (t) => {
  const fixture = await openBrowserFixture(t, { files: { "notes.md": "end\n" } });
  const { page } = fixture;
  await open(page, "notes.md");
  const other = await fixture.newWindow();
  await text(other).waitFor();
  await page.bringToFront();
  await text(page).focus();
  await page.keyboard.press("Control+Home");
  await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", "A line that is pasted, some thirty letters\n".repeat(25_000));
    const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
    document.querySelector(".cm-content")?.dispatchEvent(event);
  });
  const expected = `${"A line that is pasted, some thirty letters\n".repeat(25_000)}end\n`;
  await saved(fixture, page, "notes.md", expected);
  await other.bringToFront();
  await shows(other, "A line that is pasted");
  assert.deepEqual(fixture.complaints, []);
});

test("an input method that puts one emoji in the place of another does not keep what is typed from being sent", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openBrowserFixture(t, { files: { "notes.md": "one 🐀\ntwo\n" } });
  const { page, context } = fixture;
  await open(page, "notes.md");
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("End");
  const input = await context.newCDPSession(page);
  // The two halves that the browser tells apart are never both new.
  for (const text of ["😀", "😁"]) {
    await input.send("Input.imeSetComposition", { text, selectionStart: 2, selectionEnd: 2 });
    await page.waitForTimeout(300);
  }
  await input.send("Input.insertText", { text: "😂" });
  await page.keyboard.type(" and more");
  await saved(fixture, page, "notes.md", "one 🐀😂 and more\ntwo\n");
  assert.deepEqual(fixture.complaints, []);
});

test("find and replace, go to a line, and leave the text by keyboard", { skip: noChromium }, async (t) => {
  const fixture = await openBrowserFixture(t, {
    files: { "notes.md": "Tobias ran.\nThen Tobias sat.\nThe end.\n" },
  });
  const { page } = fixture;
  await open(page, "notes.md");
  // Where nothing is looked for yet, that is asked first.
  await page.keyboard.press("Control+h");
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("name")), "search");
  const tops = (names: readonly string[]) =>
    Promise.all(
      names.map(async (name) => Math.round((await page.getByLabel(name).boundingBox())?.y ?? Number.NaN)),
    );
  const [first, ...others] = await tops(["Match case", "Pattern", "Whole words"]);
  assert.deepEqual(others, [first, first], "how to search stands in one row");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+f");
  await page.getByRole("textbox", { name: "Find" }).pressSequentially("Tobias");
  await page.getByText("2 found").waitFor();
  await page.keyboard.press("Enter");
  await page.getByText("1 of 2").waitFor();
  assert.equal(await page.getByRole("textbox", { name: "Replace with" }).isVisible(), false);
  await page.keyboard.press("Control+h");
  await page.keyboard.type("Elias");
  await page.getByRole("button", { name: "Replace all" }).click();
  await page.keyboard.press("Escape");
  await page.getByRole("textbox", { name: "Find" }).waitFor({ state: "detached" });
  await text(page).focus();
  await page.keyboard.press("Control+g");
  await page.getByRole("textbox", { name: /Line, from 1 to/ }).fill("3");
  await page.keyboard.press("Enter");
  await text(page).focus();
  await page.keyboard.type("* ");
  await saved(fixture, page, "notes.md", "Elias ran.\nThen Elias sat.\n* The end.\n");
  await page.keyboard.press("Tab");
  assert.equal(await text(page).evaluate((element) => element === document.activeElement), true);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  assert.equal(await text(page).evaluate((element) => element === document.activeElement), false);
  assert.deepEqual(fixture.complaints, []);
});
