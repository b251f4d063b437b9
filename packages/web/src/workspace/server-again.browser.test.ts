import assert from "node:assert/strict";
import { globSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { type BrowserFixture, noChromium, openBrowserFixture } from "@stet/testkit/browser";
import { becomes, textOf } from "@stet/testkit/renamed-fixture";
import { type Served, serve } from "@stet/testkit/served";
import { temporaryFolder } from "@stet/testkit/temporary";
import type { Page } from "playwright-core";
import { buildPage } from "../../../../scripts/build-page.ts";

async function open(page: Page): Promise<void> {
  await page.getByRole("treeitem", { name: "notes.md" }).click();
  await page.getByRole("textbox", { name: "Text of notes.md" }).waitFor();
  await page.keyboard.press("Control+Home");
}

/** At the same address, as by a person who starts it again there; and its link in the same browser. */
async function serveAgain(
  t: TestContext,
  fixture: BrowserFixture,
  root: string,
  dataFolder: string,
): Promise<Served> {
  const { model, context } = fixture;
  const environment = {
    STET_MODEL: "practice",
    STET_PAGE: process.env.STET_PAGE ?? (await buildPage()),
  };
  const port = Number(new URL(fixture.served.url).port);
  const served = await serve({ root, dataFolder, modelUrl: model.url, environment, port });
  t.after(() => served.kill());
  const page = await context.newPage();
  await page.goto(`${served.url}/#token=${served.token}`);
  await page.getByRole("treeitem").first().waitFor();
  await page.close();
  return served;
}

test("a server that is killed while someone types has all of it when it is back and signed in to", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openBrowserFixture(t, { as: "process", files: { "notes.md": "one\ntwo\n" } });
  const { page } = fixture;
  await open(page);
  const words = Array.from({ length: 60 }, (_, index) => `w${index} `).join("");
  const typing = page.keyboard.type(words, { delay: 10 });
  await pause(700);
  await fixture.served.kill();
  await typing;
  await page.getByText("Connection lost: what you type is kept").waitFor();
  const served = await serveAgain(t, fixture, fixture.root, fixture.dataFolder);
  const { url } = served;
  // Whether the window has found out by itself depends on when it looked.
  const again = page.getByRole("button", { name: "Try again" });
  await Promise.race([again.click(), page.getByText("Connected").waitFor()]);
  await becomes(() => textOf({ ...fixture, served }, "notes.md"), `${words}one\ntwo\n`);
  await page.getByText("Connected").waitFor();
  assert.equal(page.url(), `${url}/`);
  await page.keyboard.press("Control+s");
  await becomes(() => fixture.read("notes.md"), `${words}one\ntwo\n`);
});

test("a window that is signed out sends what was typed once it is signed in, without loading the page anew", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openBrowserFixture(t, { files: { "notes.md": "one\n" } });
  const { page, context } = fixture;
  await open(page);
  const cookies = await context.cookies();
  await context.clearCookies();
  await page.keyboard.type("kept ");
  // The stream that is open stays so; the next one is refused.
  await context.setOffline(true);
  await context.setOffline(false);
  await page.getByText("This window is signed out.").waitFor();
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("This window is still signed out.").waitFor();
  await context.addCookies(cookies);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("This window is signed out.").waitFor({ state: "detached" });
  await becomes(() => textOf(fixture, "notes.md"), "kept one\n");
  await page.locator(".cm-line", { hasText: "kept one" }).waitFor();
});

test("what was typed in one folder is not put into another one that is served at the same address later", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openBrowserFixture(t, { as: "process", files: { "notes.md": "one\n" } });
  const { page } = fixture;
  await open(page);
  await page.keyboard.type("first ");
  await becomes(() => textOf(fixture, "notes.md"), "first one\n");
  await fixture.served.kill();
  await page.keyboard.type("of the novel ");
  const root = temporaryFolder(t, { "notes.md": "another folder's\n" });
  const served = await serveAgain(t, fixture, root, temporaryFolder(t));
  const other = { ...fixture, served };
  assert.equal(await textOf(other, "notes.md"), "another folder's\n");
  // The window may have been refused before the browser was signed in to the new server.
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("Another folder is served at this address now.").waitFor();
  await page.locator(".cm-content").focus();
  await page.keyboard.type("and more ");
  await pause(1500);
  assert.equal(await textOf(other, "notes.md"), "another folder's\n");
  await page.locator(".cm-line", { hasText: "first of the novel and more one" }).waitFor();
  // The own folder is served there again: nothing was lost.
  await served.kill();
  const own = await serveAgain(t, fixture, fixture.root, fixture.dataFolder);
  const again = page.getByRole("button", { name: "Try again" });
  await Promise.race([again.click(), page.getByText("Connected").waitFor()]);
  await becomes(() => textOf({ ...fixture, served: own }, "notes.md"), "first of the novel and more one\n");
});

test("the last words before a window is closed or loaded anew arrive", { skip: noChromium }, async (t) => {
  const fixture = await openBrowserFixture(t, { files: { "notes.md": "one\n" } });
  const { page } = fixture;
  page.on("dialog", (dialog) => void dialog.accept());
  await open(page);
  await page.keyboard.type("last ");
  await page.reload();
  await page.locator(".cm-line", { hasText: "last one" }).waitFor();
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("very ");
  await page.close({ runBeforeUnload: true });
  await becomes(() => textOf(fixture, "notes.md"), "very last one\n");
});

test("a store that was damaged and begun anew is told in the window, once", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openBrowserFixture(t, { as: "process", files: { "notes.md": "one\n" } });
  const { page, root, dataFolder, model } = fixture;
  await fixture.served.stop();
  const [name = ""] = globSync("projects/*/server.sqlite", { cwd: dataFolder });
  writeFileSync(join(dataFolder, name), "Dear diary, ".repeat(1000));
  const environment = { STET_MODEL: "practice", STET_PAGE: process.env.STET_PAGE ?? (await buildPage()) };
  const served = await serve({ root, dataFolder, modelUrl: model.url, environment });
  t.after(() => served.kill());
  await page.goto(`${served.url}/#token=${served.token}`);
  const notice = page.getByRole("alert").filter({ hasText: name });
  await notice.getByText("Nothing has to be done.").waitFor();
  await page.reload();
  await page.getByRole("treeitem", { name: "notes.md" }).waitFor();
  assert.equal(await notice.count(), 0);
});
