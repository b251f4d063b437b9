import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { askAgent } from "@stet/testkit/ask-agent";
import { noChromium, openBrowserFixture } from "@stet/testkit/browser";
import { becomes, openRenamed, openTab } from "@stet/testkit/renamed-fixture";
import type { Page } from "playwright-core";

const novel = [
  "# Harbour",
  "",
  "Tobias went down to the harbour. The gulls knew Tobias by his walk.",
  "",
  "Nobody else was there.",
  "",
  "“Tobias,” said the old man, “you are late.”",
  "",
  "Far out a light went on.",
  "",
  "Tobias laughed.",
  "",
].join("\n");

/** In a tab, with the agent's changes of it. */
const openNovel = (t: TestContext) => openRenamed(t, { files: { "novel.md": novel }, tab: "novel.md" });

const shownText = (page: Page) => page.locator(".cm-content").innerText();
const strip = (page: Page) => page.getByRole("region", { name: "Changes to review" });

test("a rename is looked at, decided change by change, edited, and saved byte by byte", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openNovel(t);
  const { page } = fixture;
  await strip(page).getByText("3 changes by the agent").waitFor();
  assert.equal(await page.locator("del.review-removed-words").count(), 4);
  assert.equal(fixture.read("novel.md"), novel, "nothing is written before it is decided and saved");

  await page.getByRole("button", { name: "Reject the change at line 7" }).click();
  await strip(page).getByText("2 changes by the agent").waitFor();
  await page.getByText("“Tobias,” said the old man").waitFor();
  await page.getByRole("button", { name: "Undo: rejected change at line 7" }).waitFor();

  await page.keyboard.press("Control+Home");
  await page.keyboard.press("F7");
  await strip(page).getByText("1 of 2").waitFor();
  await page.keyboard.press("Alt+a");
  await strip(page).getByText("1 change by the agent").waitFor();
  await strip(page).getByText("1 of 1").waitFor();

  await page.keyboard.press("End");
  await page.keyboard.type(" Loudly.");
  await page.waitForTimeout(500);
  await strip(page).getByText("1 of 1").waitFor();
  assert.match(await shownText(page), /Elias laughed\. Loudly\./);

  await page.reload();
  await strip(page).getByText("1 change by the agent").waitFor();
  await strip(page).getByRole("button", { name: "Accept file" }).click();
  await strip(page).waitFor({ state: "detached" });
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+s");
  const expected = novel
    .replace("Tobias went", "Elias went")
    .replace("knew Tobias", "knew Elias")
    .replace("Tobias laughed.", "Elias laughed. Loudly.");
  await becomes(() => fixture.read("novel.md"), expected);
  assert.deepEqual(fixture.complaints, []);
});

test("a second window sees each decision of the first", { skip: noChromium }, async (t) => {
  const fixture = await openNovel(t);
  const { page } = fixture;
  const other = await fixture.newWindow();
  await strip(other).getByText("3 changes by the agent").waitFor();
  await page.bringToFront();
  await page.getByRole("button", { name: "Reject the change at line 3" }).click();
  await strip(page).getByText("2 changes by the agent").waitFor();
  await other.bringToFront();
  await strip(other).getByText("2 changes by the agent").waitFor();
  await other.getByText("Tobias went down").waitFor();
  await other.getByRole("button", { name: "Accept file" }).click();
  await page.bringToFront();
  await strip(page).waitFor({ state: "detached" });
  await page.keyboard.press("Alt+u");
  await strip(page).getByText("2 changes by the agent").waitFor();
  assert.deepEqual(fixture.complaints, []);
});

test("two windows that decide on one change at once agree, and the second is told in plain words", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openNovel(t);
  const { page } = fixture;
  const other = await fixture.newWindow();
  await strip(other).getByText("3 changes by the agent").waitFor();
  await strip(page).getByText("3 changes by the agent").waitFor();
  const press = (of: Page, name: string) => of.getByRole("button", { name }).dispatchEvent("click");
  // Neither decision reaches the server before both are made.
  const both = Promise.withResolvers<void>();
  let made = 0;
  for (const window of [page, other]) {
    await window.route("**/api/review/decide", async (route) => {
      made += 1;
      if (made === 2) both.resolve();
      await both.promise;
      await route.continue();
    });
  }
  await Promise.all([
    press(page, "Accept the change at line 3"),
    press(other, "Reject the change at line 3"),
  ]);
  await strip(page).getByText("2 changes by the agent").waitFor();
  await strip(other).getByText("2 changes by the agent").waitFor();
  const told = "This change is not open any more.";
  const timesTold = async () => (await page.getByText(told).count()) + (await other.getByText(told).count());
  await becomes(timesTold, 1);
  const shown = await shownText(page);
  await becomes(() => shownText(other), shown);
  // The refusal is told by the browser, too.
  assert.deepEqual(
    fixture.complaints.filter((complaint) => !complaint.includes("404")),
    [],
  );
});

test("typing and decisions are undone in one order, and made again", { skip: noChromium }, async (t) => {
  const fixture = await openNovel(t);
  const { page } = fixture;
  await strip(page).getByText("3 changes by the agent").waitFor();
  const start = await shownText(page);
  const lines = page.locator(".cm-line");
  await lines.getByText("Nobody else").click();
  await page.keyboard.press("End");
  // At once: what is typed with a pause between is undone in two steps.
  await page.keyboard.insertText(" Really.");
  await page.getByRole("button", { name: "Accept the change at line 3" }).click();
  await strip(page).getByText("2 changes by the agent").waitFor();
  await lines.getByText("Far out").click();
  await page.keyboard.press("End");
  await page.keyboard.insertText(" Then off.");
  await page.getByRole("button", { name: "Reject the change at line 7" }).click();
  await strip(page).getByText("1 change by the agent").waitFor();
  await page.getByText("“Tobias,” said").waitFor();
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Control+z");
  await strip(page).getByText("2 changes by the agent").waitFor();
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => !document.body.textContent?.includes("Then off."));
  await page.keyboard.press("Control+z");
  await strip(page).getByText("3 changes by the agent").waitFor();
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => !document.body.textContent?.includes("Really."));
  assert.equal(await shownText(page), start);
  for (let count = 0; count < 4; count += 1) {
    await page.keyboard.press("Control+Shift+Z");
    await page.waitForTimeout(150);
  }
  await strip(page).getByText("1 change by the agent").waitFor();
  await page.getByText("“Tobias,” said").waitFor();
  await page.getByText("Then off.").waitFor();
  assert.deepEqual(fixture.complaints, []);
});

test("a turn that belongs together is decided as a whole", { skip: noChromium }, async (t) => {
  const fixture = await openBrowserFixture(t, {
    files: { "novel.md": novel, "notes.md": "Tobias is the hero.\n" },
  });
  const { page } = fixture;
  await openTab(fixture, "notes.md");
  await openTab(fixture, "novel.md");
  await askAgent(fixture, "Rename Tobias to Elias everywhere", { toolset: "tabs" });
  await strip(page).getByText("decided as a whole").waitFor();
  await page.keyboard.press("Alt+4");
  const about = page.getByText("4 changes · as a whole");
  await about.waitFor();
  const fits = await about.evaluate(({ scrollWidth, clientWidth, clientHeight }) => {
    return scrollWidth <= clientWidth && clientHeight < 28;
  });
  assert.ok(fits, "one line, and all of it");
  await page.keyboard.press("Alt+4");
  assert.equal(await page.locator(".review-bar").count(), 0, "nothing at one change decides all of them");
  // By key it says first how many there are.
  await page.locator(".cm-content").focus();
  await page.keyboard.press("F7");
  await page.keyboard.press("Alt+r");
  const question = page.getByRole("dialog", { name: "Reject all 4 changes in 2 documents?" });
  await question.getByRole("button", { name: "Cancel" }).click();
  await strip(page).getByText("3 changes by the agent").waitFor();
  await strip(page).getByRole("button", { name: "Reject all 4" }).click();
  await question.getByRole("button", { name: "Reject all 4" }).click();
  await strip(page).waitFor({ state: "detached" });
  await page.getByText("Tobias laughed.").waitFor();
  assert.deepEqual(fixture.complaints, []);
});

test("going through changes stops at the changed word of a long paragraph, marks it, and goes on inside of it", {
  skip: noChromium,
}, async (t) => {
  const filler = "and the sea went on as it does at night ".repeat(180);
  const files = { "long.md": `# Long\n\n${filler}Tobias ${filler}and Tobias\n` };
  const fixture = await openRenamed(t, { files, tab: "long.md" });
  const { page } = fixture;
  await strip(page).getByText("1 change by the agent").waitFor();
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+Home");
  const here = page.locator(".review-here");
  const isSeen = async () => {
    const box = await here.boundingBox();
    return box !== null && box.y > 60 && box.y < 780;
  };
  const places: (number | undefined)[] = [];
  for (let count = 0; count < 2; count += 1) {
    await page.keyboard.press("F7");
    await here.getByText("Elias").waitFor();
    await becomes(isSeen, true);
    places.push(await page.locator(".cm-scroller").evaluate(({ scrollTop }) => scrollTop));
    assert.ok(await page.getByRole("button", { name: "Accept the change at line 3" }).isVisible());
  }
  assert.notEqual(places[0], places[1]);
  assert.deepEqual(fixture.complaints, []);
});
