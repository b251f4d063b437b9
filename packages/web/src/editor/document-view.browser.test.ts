import assert from "node:assert/strict";
import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { noChromium, openBrowserFixture } from "@stet/testkit/browser";
import { testData } from "@stet/testkit/data";
import type { Page } from "playwright-core";

async function open(page: Page, name: string): Promise<void> {
  await page.getByRole("treeitem", { name }).first().click();
  await page.getByRole("textbox", { name: `Text of ${name}` }).waitFor();
}

async function shows(page: Page, part: string): Promise<void> {
  await page.locator(".cm-line", { hasText: part }).first().waitFor();
}

test("a file is shown after one question to the server, and a second click does not bring its text again", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openBrowserFixture(t, {
    files: { "notes.md": "one\r\ntwo\n“three”\n", "other.md": "other\n" },
  });
  const { page } = fixture;
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (/^\/api\/documents\/\d+$/.test(pathname)) asked.push(pathname);
    if (pathname === "/api/tabs" && request.method() === "POST") asked.push(request.postData() ?? "");
  });
  await open(page, "notes.md");
  await shows(page, "“three”");
  await open(page, "other.md");
  await open(page, "notes.md");
  await shows(page, "“three”");
  assert.deepEqual(
    asked.map((each) => JSON.parse(each)),
    [
      { path: "notes.md", with_text: true },
      { path: "other.md", with_text: true },
      { path: "notes.md", with_text: false },
    ],
  );
  assert.deepEqual(fixture.complaints, []);
});

test("a file that changes outside: its text comes in, a conflict is asked about, a deletion is told", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openBrowserFixture(t, { files: { "notes.md": "one\ntwo\nthree\n" } });
  const { page } = fixture;
  const file = join(fixture.root, "notes.md");
  await open(page, "notes.md");
  appendFileSync(file, "four\n");
  await shows(page, "four");
  await page.getByText("notes.md changed on disk; the new text is shown here.").waitFor();

  await page.keyboard.press("Control+Home");
  await page.keyboard.type("mine ");
  await page.waitForTimeout(300);
  writeFileSync(file, "theirs one\ntwo\nthree\nfour\n");
  await page.getByText("notes.md was changed on disk, where you changed it, too.").waitFor();
  await shows(page, "mine one");
  await page.getByRole("button", { name: "Keep my text" }).click();
  await page.getByText("where you changed it, too.").waitFor({ state: "detached" });
  await page.keyboard.press("Control+s");
  await page.waitForFunction(() => document.querySelector(".document-strip") === null);
  for (let tries = 0; tries < 60 && !fixture.read("notes.md").startsWith("mine"); tries += 1)
    await page.waitForTimeout(50);
  assert.equal(readFileSync(file, "utf8"), "mine one\ntwo\nthree\nfour\n");

  await page.locator(".cm-content").focus();
  await page.keyboard.type("more ");
  await page.waitForTimeout(300);
  writeFileSync(file, "theirs again\n");
  await page.getByRole("button", { name: "Use the file’s text" }).click();
  await shows(page, "theirs again");
  rmSync(file);
  await page.getByText("The file was deleted. Save writes it again.").waitFor();
  assert.deepEqual(fixture.complaints, []);
});

test("what others change above leaves the lines in view and the cursor where they are", {
  skip: noChromium,
}, async (t) => {
  const lines = Array.from({ length: 600 }, (_, index) => `Line number ${index + 1}`).join("\n");
  const fixture = await openBrowserFixture(t, { files: { "notes.md": `${lines}\n` } });
  const { page } = fixture;
  await open(page, "notes.md");
  await page.keyboard.press("Control+g");
  await page.getByRole("textbox", { name: /Line, from 1/ }).fill("400");
  await page.keyboard.press("Enter");
  await shows(page, "Line number 400");
  const place = () =>
    page
      .locator(".cm-line", { hasText: "Line number 400" })
      .evaluate((element) => Math.round(element.getBoundingClientRect().top));
  await page.waitForTimeout(300);
  const before = await place();
  const { client } = fixture.served;
  const tabs = await client.call("listTabs");
  assert.ok("tabs" in tabs);
  const id = tabs.tabs[0]?.document ?? 0;
  const state = await client.call("getDocument", { params: { document: id } });
  assert.ok("text" in state);
  const insert: [number, ...string[]] = [
    0,
    ...Array.from({ length: 30 }, () => "Someone else wrote this"),
    "",
  ];
  await client.call("changeDocument", {
    params: { document: id },
    body: { revision: state.revision, change: [insert, state.text.length], client: "someone" },
  });
  await page.waitForFunction(() =>
    document.querySelector(".cm-content")?.textContent?.includes("Line number 400"),
  );
  await page.waitForTimeout(500);
  assert.ok(Math.abs((await place()) - before) <= 3, `${before} became ${await place()}`);
  await page.keyboard.type("HERE ");
  await shows(page, "HERE Line number 400");
  assert.deepEqual(fixture.complaints, []);
});

test("Moby-Dick, ten megabytes and one endless line open and can be typed into at their end", {
  skip: noChromium,
}, async (t) => {
  const book = testData(t, "books/moby-dick.txt");
  if (book === undefined) return;
  const files = {
    "moby.txt": readFileSync(book),
    "big.txt": "The quick brown fox jumps over the lazy dog, again\n".repeat(200_000),
    "line.txt": "word ".repeat(1_000_000),
    "empty.txt": "",
    "picture.dat": new Uint8Array([0x89, 0x50, 0, 1, 0xff]),
  };
  const fixture = await openBrowserFixture(t, { files });
  const { page } = fixture;
  for (const name of ["moby.txt", "big.txt", "line.txt", "empty.txt"]) {
    await open(page, name);
    const jumped = await page.evaluate(async () => {
      const begin = performance.now();
      const keys = { key: "End", code: "End", keyCode: 35, ctrlKey: true, bubbles: true, cancelable: true };
      document.querySelector(".cm-content")?.dispatchEvent(new KeyboardEvent("keydown", keys));
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
      return performance.now() - begin;
    });
    t.diagnostic(`${name}: ${Math.round(jumped)} ms to the end`);
    await page.keyboard.type("The last words.");
    await shows(page, "The last words.");
    const isBurden = ["big.txt", "line.txt"].includes(name);
    assert.equal(await page.locator(".document-strip").count(), isBurden ? 1 : 0, name);
  }
  await page.getByRole("treeitem", { name: "picture.dat" }).first().click();
  await page
    .getByText(/picture.dat is no text, so it is left as it is/)
    .first()
    .waitFor();
  assert.deepEqual(
    fixture.complaints.filter((complaint) => !complaint.includes("status of 4")),
    [],
  );
});

test("in a narrow window the text can be read, found in and edited", { skip: noChromium }, async (t) => {
  const long = "A sentence that is too long for one line of a narrow window, so that it has to be wrapped. ";
  const fixture = await openBrowserFixture(t, {
    files: { "notes.md": `# Title\n\n${long.repeat(4)}\n` },
    width: 390,
  });
  const { page } = fixture;
  await fixture.served.client.call("openTab", { body: { path: "notes.md" } });
  await page.getByRole("textbox", { name: "Text of notes.md" }).waitFor();
  for (const name of ["Files", "Agent"]) {
    const button = page.getByRole("button", { name, exact: true });
    if ((await button.count()) > 0 && (await button.first().getAttribute("aria-pressed")) === "true")
      await button.first().click();
  }
  const fits = () =>
    page.evaluate(() => {
      const scroller = document.querySelector(".cm-scroller");
      return scroller !== null && scroller.scrollWidth <= scroller.clientWidth && scroller.clientWidth > 250;
    });
  assert.equal(await fits(), true);
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Control+f");
  await page.getByRole("textbox", { name: "Find" }).fill("narrow");
  await page.keyboard.press("Enter");
  const close = await page.getByRole("button", { name: "Close the search" }).boundingBox();
  assert.ok(close !== null && close.x + close.width <= 390);
  assert.equal(await fits(), true);
  assert.deepEqual(fixture.complaints, []);
});

test("whoever writes to the agent while a document loads goes on writing to the agent", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openBrowserFixture(t, { files: { "notes.md": "one\n" } });
  const { page } = fixture;
  await page.getByRole("treeitem", { name: "notes.md" }).waitFor();
  let letGo = () => {};
  const held = new Promise<void>((done) => {
    letGo = done;
  });
  await page.route("**/api/tabs", async (route) => {
    if (route.request().method() === "POST") await held;
    await route.continue();
  });
  await page.getByRole("treeitem", { name: "notes.md" }).click();
  const composer = page.getByRole("textbox", { name: "Message to the agent" });
  await composer.click();
  await page.keyboard.type("Please ");
  letGo();
  await page.locator(".cm-line", { hasText: "one" }).waitFor();
  await page.keyboard.type("help");
  assert.equal(await composer.inputValue(), "Please help");
  assert.deepEqual(fixture.complaints, []);
});
