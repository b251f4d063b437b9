// Toolset Code as a person meets it: what is written and printed is seen as it happens, nothing runs without their word,
// and what is on disk already can be taken back from there.

import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { seriousViolations } from "@stet/testkit/accessibility";
import {
  type BrowserFixture,
  type BrowserFixtureOptions,
  noChromium,
  openBrowserFixture,
} from "@stet/testkit/browser";
import { becomes, renaming } from "@stet/testkit/renamed-fixture";
import type { SeenRequest } from "@stet/testkit/scripted-model";
import { temporaryFolder } from "@stet/testkit/temporary";
import type { Page } from "playwright-core";

const numbers = "one\ntwo\nthree\nfour\nfive\nsix\n";
const changed = "one\nTWO\nthree\nfour\nfive\nSIX\n";
const files = { "numbers.txt": numbers };

const composerOf = (page: Page) => page.getByRole("textbox", { name: "Message to the agent" });
const logOf = (page: Page) => page.getByRole("log", { name: "Conversation" });
const questionOf = (page: Page) => page.locator(".chat-question.open");
const stripOf = (page: Page) => page.getByRole("region", { name: "Changes to review" });
const tabOf = (page: Page, name: string) => page.getByRole("tab", { name: new RegExp(name) });

const call = (name: string, given: object) => ({ toolCalls: [{ name, arguments: given }] });
const reading = call("read", { path: "numbers.txt" });
const done = { text: "It is done." };

/** Changes two lines by the anchors that they were shown under. */
function editing(request: SeenRequest) {
  const said = JSON.stringify(request.messages);
  const anchor = (line: string) => new RegExp(`(\\d+[a-z]{2})\\|${line}\\b`).exec(said)?.[1];
  return call("edit", { input: `§numbers.txt\n≔${anchor("two")}\nTWO\n≔${anchor("six")}\nSIX` });
}

async function openCode(t: TestContext, options: BrowserFixtureOptions): Promise<BrowserFixture> {
  const fixture = await openBrowserFixture(t, { files, ...options });
  const { page } = fixture;
  if (options.isSample) await page.getByRole("button", { name: "Close the tour" }).click();
  if ((options.width ?? 1280) <= 640)
    await page
      .getByRole("navigation", { name: "What is shown" })
      .getByRole("button", { name: "Agent" })
      .click();
  await page.getByRole("button", { name: "Switch toolset" }).click();
  await page.getByRole("button", { name: /^Code/ }).click();
  return fixture;
}

async function ask({ page }: BrowserFixture, text: string): Promise<void> {
  await composerOf(page).fill(text);
  await page.getByRole("button", { name: "Send", exact: true }).click();
}

/** From the card, which has the focus: a key that was meant for a message allows nothing. */
async function pressAnswer(page: Page, answer: string): Promise<void> {
  await page.waitForFunction(() => document.activeElement?.classList.contains("chat-answers"));
  await page.keyboard.press("Enter");
  for (let tries = 0; tries < 5; tries += 1) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(() => document.activeElement?.textContent?.trim());
    if (focused === answer) return page.keyboard.press("Enter");
  }
  assert.fail(`${answer} cannot be reached`);
}

/** The file is there before the window has heard of it. */
async function isSaved({ page }: BrowserFixture, name: string): Promise<void> {
  await tabOf(page, name).waitFor();
  await tabOf(page, name).getByText("not saved").waitFor({ state: "detached" });
  await page.locator(".tab-close.dirty").first().waitFor({ state: "detached" });
  await page
    .getByRole("button", { name: /^Save \d+ files?/ })
    .first()
    .waitFor({ state: "detached" });
}

const typed = (text: string) => text.replace("four", "four!");

async function rollBack(page: Page, request: string): Promise<void> {
  await page
    .getByRole("navigation", { name: "Panels" })
    .getByRole("button", { name: /^History/ })
    .click();
  await page.getByRole("tab", { name: "All checkpoints" }).click();
  const history = page.getByRole("complementary", { name: "History" });
  await history.getByRole("button", { name: new RegExp(request) }).click();
  await history.getByRole("button", { name: /^Roll back everything/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Roll back" }).click();
}

async function rejectAll(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Reject all" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("and so do their files on disk").waitFor();
  await dialog.getByRole("button", { name: "Reject all" }).click();
}

test("an edit is seen while it is written, a command while it prints, and a rejection is on disk at once", {
  skip: noChromium,
}, async (t) => {
  // It goes on until the test has seen what it printed.
  const command =
    "for n in $(seq 1 45); do echo printed $n; done; until [ -e seen ]; do sleep 0.1; done; rm seen; echo made > made.txt";
  const fixture = await openCode(t, {
    script: (request, index) => {
      if (index === 0) return reading;
      if (index === 1) return { ...editing(request), chunkSize: 4, delayMs: 60 };
      return index === 2 ? call("bash", { command }) : done;
    },
  });
  const { page } = fixture;
  await ask(fixture, "Shout the second and the last");
  const preview = page.locator(".chat-tool-preview");
  await preview.getByText("+TWO").waitFor();
  assert.equal(fixture.read("numbers.txt"), numbers, "what is still being written is not on disk");

  const other = await fixture.newWindow();
  await questionOf(page).getByText("edit wants to change numbers.txt").waitFor();
  await questionOf(other).getByText("edit wants to change numbers.txt").waitFor();
  await preview.getByText("+SIX").waitFor();
  await pressAnswer(page, "Allow once");
  await becomes(() => fixture.read("numbers.txt"), changed);

  await questionOf(page).locator("pre", { hasText: "for n in" }).waitFor();
  assert.equal(await questionOf(page).locator("pre").innerText(), command, "exactly what would run");
  assert.equal(await questionOf(other).locator("pre").innerText(), command);
  await pressAnswer(page, "Allow once");
  const output = page.locator(".chat-tool-output");
  await output.getByText("printed 3").waitFor();
  await other.locator(".chat-tool-output").getByText("printed 3").waitFor();
  // What was printed last is in sight.
  await output.getByText("printed 45").waitFor();
  const isAtEnd = await output.evaluate((element) => {
    return Math.abs(element.scrollTop) < 2 && element.scrollHeight > element.clientHeight;
  });
  assert.ok(isAtEnd);
  writeFileSync(join(fixture.root, "seen"), "");
  await logOf(page).getByText("It is done.").waitFor();
  assert.equal(fixture.read("made.txt"), "made\n");

  await logOf(page).getByText("Made 3 changes in 2 files, on disk already").waitFor();
  await logOf(other).getByText("Made 3 changes in 2 files, on disk already").waitFor();
  await page.getByRole("button", { name: "Review changes" }).click();
  await tabOf(page, "numbers.txt").click();
  await stripOf(page).getByText("2 changes by the agent").waitFor();
  await stripOf(page).getByText("on disk already").waitFor();
  await isSaved(fixture, "numbers.txt");
  // What the person writes is theirs to save, and the open changes around it are in the file.
  await page.locator(".cm-line", { hasText: "four" }).click();
  await page.keyboard.press("End");
  await page.keyboard.type("!");
  await tabOf(page, "numbers.txt").getByText("not saved").waitFor();
  await page.keyboard.press("Control+s");
  await page.getByText("numbers.txt is saved.", { exact: true }).waitFor();
  await becomes(() => fixture.read("numbers.txt"), typed(changed));
  await page.getByRole("button", { name: "Reject the change at line 2" }).click();
  await becomes(() => fixture.read("numbers.txt"), typed(numbers).replace("six", "SIX"));
  await stripOf(page).getByText("1 change by the agent").waitFor();
  const undo = page.getByRole("button", { name: "Undo: rejected change at line 2", exact: true });
  // The decision can be taken back where it was made, although the file was written since.
  await undo.waitFor();
  await isSaved(fixture, "numbers.txt");
  await undo.click();
  await becomes(() => fixture.read("numbers.txt"), typed(changed));
  await page.getByRole("button", { name: "Accept all" }).click();
  await page.getByText(/Accepted 3 changes/).waitFor();
  await isSaved(fixture, "numbers.txt");
  assert.equal(fixture.read("numbers.txt"), typed(changed));
  await logOf(other).getByText("Changed 2 files. Everything is decided.").waitFor();

  // Going back is on disk at once, too, and does not ask for a save.
  await rollBack(page, "Shout the second and the last");
  await page.getByText("Rolled back: 2 files.", { exact: true }).waitFor();
  assert.equal(fixture.read("numbers.txt"), numbers);
  assert.equal(existsSync(join(fixture.root, "made.txt")), false);
  await isSaved(fixture, "numbers.txt");
  assert.deepEqual(fixture.complaints, []);
});

test("a question for permission outlives a reload, and the key that is pressed without looking denies it", {
  skip: noChromium,
}, async (t) => {
  const command = 'echo "it\'s gone" > numbers.txt\nrm -f numbers.txt';
  const fixture = await openCode(t, { script: [call("bash", { command }), { text: "Then not." }] });
  const { page } = fixture;
  await ask(fixture, "Remove the numbers");
  await questionOf(page).waitFor();
  const other = await fixture.newWindow();
  await questionOf(other).waitFor();
  await page.reload();
  await questionOf(page).waitFor();
  assert.equal(await questionOf(page).locator("pre").innerText(), command);
  assert.deepEqual(
    (await questionOf(page).locator(".chat-options button").allInnerTexts()).map(
      (option) => option.split(":")[0],
    ),
    (await questionOf(other).locator(".chat-options button").allInnerTexts()).map(
      (option) => option.split(":")[0],
    ),
  );
  await pressAnswer(page, "Deny");
  await logOf(page).getByText("Then not.").waitFor();
  await logOf(other).getByText("Then not.").waitFor();
  assert.equal(await questionOf(other).count(), 0);
  assert.equal(fixture.read("numbers.txt"), numbers);
  assert.match(JSON.stringify(fixture.model.requests.at(-1)?.messages), /not_allowed/);
  // Whoever answered by keyboard is still in the conversation.
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("role")), "log");
  assert.deepEqual(fixture.complaints, []);
});

test("what to do instead can be said, and denies", { skip: noChromium }, async (t) => {
  const fixture = await openCode(t, {
    script: [call("bash", { command: "rm -f numbers.txt" }), { text: "I move it, then." }],
  });
  const { page } = fixture;
  await ask(fixture, "Remove the numbers");
  await page.getByRole("textbox", { name: "What to do instead" }).fill("Move it to old.txt");
  await page.keyboard.press("Enter");
  await logOf(page).getByText("I move it, then.").waitFor();
  assert.match(JSON.stringify(fixture.model.requests.at(-1)?.messages), /They said: Move it to old\.txt/);
  assert.ok(existsSync(join(fixture.root, "numbers.txt")));
});

test("a turn that is stopped keeps what it did, says so, and is taken back from disk by the review", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openCode(t, {
    script: (request, index) => {
      if (index === 0) return reading;
      return index === 1 ? editing(request) : call("bash", { command: "echo waiting; sleep 60" });
    },
  });
  const { page } = fixture;
  await ask(fixture, "Shout, and wait");
  await questionOf(page).waitFor();
  await pressAnswer(page, "Allow once");
  await page.locator(".chat-tool-output").getByText("waiting").waitFor();
  await page.keyboard.press("Alt+.");
  const stopped = "Stopped. What it did until then was kept, for you to review.";
  await logOf(page).getByText(stopped).waitFor();
  assert.equal(await logOf(page).getByText("Nothing was changed").count(), 0);
  assert.equal(fixture.read("numbers.txt"), changed);
  await page.reload();
  await logOf(page).getByText(stopped).waitFor();
  await logOf(page).getByText("Made 2 changes in one file, on disk already").waitFor();
  await page.getByRole("button", { name: "Review changes" }).click();
  await rejectAll(page);
  await becomes(() => fixture.read("numbers.txt"), numbers);
  await isSaved(fixture, "numbers.txt");
  assert.deepEqual(fixture.complaints, []);
});

test("a long question can be read to its end at 390 pixels, with its answers in reach", {
  skip: noChromium,
}, async (t) => {
  const parts = Array.from({ length: 30 }, (_, index) => `touch some/long/folder/name/file-${index}.txt`);
  const command = `${parts.join(" &&\n")}; echo ${"x".repeat(400)} > numbers.txt`;
  const fixture = await openCode(t, {
    script: [call("bash", { command }), done],
    width: 390,
    height: 780,
  });
  const { page } = fixture;
  await ask(fixture, "Make them all");
  await questionOf(page).waitFor();
  const words = page.locator(".chat-question-text");
  assert.equal(await questionOf(page).locator("pre").innerText(), command);
  assert.match(
    await questionOf(page)
      .locator("pre")
      .evaluate((element) => getComputedStyle(element).fontFamily),
    /mono/,
  );
  const sizes = await words.evaluate((element) => ({
    isScrolled: element.scrollHeight > element.clientHeight,
    isWide: element.scrollWidth > element.clientWidth,
    isPageWide: document.documentElement.scrollWidth > innerWidth,
  }));
  assert.deepEqual(sizes, { isScrolled: true, isWide: false, isPageWide: false });
  // The keyboard comes to its end.
  await words.focus();
  await page.keyboard.press("End");
  await page.waitForFunction(() => {
    const place = document.querySelector(".chat-question-text");
    return place !== null && place.scrollTop + place.clientHeight >= place.scrollHeight - 2;
  });
  const deny = page.getByRole("button", { name: "Deny", exact: true });
  await deny.scrollIntoViewIfNeeded();
  const place = await deny.boundingBox();
  assert.ok(place !== null && place.y >= 0 && place.y + place.height <= 780 && place.x + place.width <= 390);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-theme="${colorScheme}"]`).waitFor();
    assert.deepEqual(await seriousViolations(page), [], colorScheme);
  }
  await deny.click();
  await logOf(page).getByText("It is done.").waitFor();
  assert.deepEqual(fixture.complaints, []);
});

test("the practice model renames in the sample, file by file, as the person allows it", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openCode(t, { isSample: true });
  const { page } = fixture;
  await page.getByText("Its edits are on disk at once").waitFor();
  await ask(fixture, renaming);
  const review = page.getByRole("button", { name: "Review changes" });
  const allow = page.getByRole("button", { name: /^Allow in this session: change/ });
  for (let asked = 0; asked < 10; asked += 1) {
    await allow.or(review).first().waitFor();
    if ((await allow.count()) === 0) break;
    const question = await questionOf(page).locator(".chat-question-text").innerText();
    // By its key: the conversation may move under a pointer while it grows.
    await allow.press("Enter");
    await questionOf(page)
      .getByText(question.split("\n")[0] ?? "")
      .waitFor({ state: "detached" });
  }
  await logOf(page).getByText("Made 24 changes in 6 files, on disk already").waitFor();
  assert.doesNotMatch(fixture.read("novel.md"), /Tobias/);
  await review.click();
  const panel = page.getByRole("complementary", { name: "Review" });
  await panel.getByText("24 changes · on disk").waitFor();
  await isSaved(fixture, "book.yaml");
  await rejectAll(page);
  await becomes(() => /Elias/.test(fixture.read("novel.md")), false);
  assert.match(fixture.read("novel.md"), /Tobias/);
  await panel.getByText("Decided, and can be undone").waitFor();
  assert.deepEqual(fixture.complaints, []);
});

test("where commands run without a sandbox, the window says so once Code is chosen", {
  skip: noChromium,
}, async (t) => {
  const config = temporaryFolder(t, { "stet/config.json": JSON.stringify({ "sandbox.enabled": false }) });
  const fixture = await openBrowserFixture(t, { files, environment: { XDG_CONFIG_HOME: config } });
  const { page } = fixture;
  const note = page.getByText("Commands run without a sandbox here, so more of them are asked for.");
  await composerOf(page).waitFor();
  assert.equal(await note.count(), 0);
  await page.getByRole("button", { name: "Switch toolset" }).click();
  await page.getByRole("button", { name: /^Code/ }).click();
  await note.waitFor();
  assert.match((await note.getAttribute("title")) ?? "", /sandbox\.enabled/);
});
