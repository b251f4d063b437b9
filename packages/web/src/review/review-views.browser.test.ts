import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { isFault } from "@stet/protocol/fault";
import { askAgent } from "@stet/testkit/ask-agent";
import { noChromium, openBrowserFixture } from "@stet/testkit/browser";
import { becomes, openRenamed, openTab } from "@stet/testkit/renamed-fixture";

const lines = Array.from({ length: 60 }, (_, index) => `Line ${index + 1} is here.`);
lines[4] = "Tobias was early.";
lines[50] = "Tobias was late.";
const long = `${lines.join("\n")}\n`;
const code = "export function greet(name) {\n  return 'Tobias greets ' + name;\n}\n";

test("the panel shows everything that is open, opens it, decides it and saves it", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openRenamed(t, { files: { "a/long.md": long, "greet.ts": code } });
  const { page } = fixture;
  await page.keyboard.press("Alt+4");
  const panel = page.getByRole("complementary", { name: "Review" });
  await panel.getByText("3 changes in 2 files").waitFor();
  await panel.getByRole("button", { name: /^Line 51/ }).click();
  await page.getByText("Elias was late.").last().waitFor();
  await page.getByText("2 of 2").waitFor();
  await page.keyboard.press("F7");
  await page.getByRole("tab", { name: /greet.ts/, selected: true }).waitFor();
  await page.getByText("1 of 1").waitFor();
  await panel.getByRole("button", { name: "Accept change: line 2" }).click();
  await panel.getByText("2 changes in 1 file").waitFor();
  await panel.getByText("Accepted in greet.ts").waitFor();
  // By the keyboard: each button that goes hands the focus on to what is left to do.
  const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim());
  await panel.getByRole("button", { name: "Accept all" }).focus();
  await page.keyboard.press("Enter");
  await panel.getByText("Everything is decided.").waitFor();
  await becomes(focused, "Save 2 files");
  await page.keyboard.press("Enter");
  await page.getByText("2 files are saved.").waitFor();
  await becomes(() => panel.locator(":focus").count(), 1);
  assert.equal(fixture.read("a/long.md"), long.replaceAll("Tobias", "Elias"));
  assert.equal(fixture.read("greet.ts"), code.replaceAll("Tobias", "Elias"));
  assert.deepEqual(fixture.complaints, []);
});

test("decisions in files that are not open are listed and undone, and their files have a dot", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openRenamed(t, { files: { "a/long.md": long, "greet.ts": code } });
  const { page } = fixture;
  await page.keyboard.press("Alt+4");
  const panel = page.getByRole("complementary", { name: "Review" });
  await panel.getByText("3 changes in 2 files").waitFor();
  assert.equal(await page.getByRole("tab", { name: /greet.ts/ }).count(), 0);
  await panel.getByRole("button", { name: "Accept all" }).click();
  await panel.getByText("Decided, and can be undone").waitFor();
  await panel.getByText("Accepted in greet.ts").waitFor();
  await page.keyboard.press("Alt+1");
  await page.getByRole("treeitem", { name: /greet.ts not saved/ }).waitFor();
  await page.keyboard.press("Alt+4");
  await panel.getByRole("button", { name: "Undo: accepted change at line 2 of greet.ts" }).click();
  await panel.getByText("1 change in 1 file").waitFor();
  await panel.getByText("Accepted in greet.ts").waitFor({ state: "detached" });
  await panel.getByRole("button", { name: /^51 ?Accepted in long.md/ }).click();
  await page.getByRole("tab", { name: /long.md/, selected: true }).waitFor();
  assert.equal(await panel.getByText("Accepted in long.md").count(), 2);
  await page.keyboard.press("Alt+1");
  await page.getByRole("treeitem", { name: /greet.ts not saved/ }).waitFor({ state: "detached" });
  assert.deepEqual(fixture.complaints, []);
});

test("a row that did not change stays on the screen when the review is read again: no click on it is lost", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openRenamed(t, { files: { "a/long.md": long, "greet.ts": code } });
  const { page, served } = fixture;
  await page.keyboard.press("Alt+4");
  const panel = page.getByRole("complementary", { name: "Review" });
  await panel.getByRole("button", { name: "Accept all" }).click();
  const undo = panel.getByRole("button", { name: "Undo: accepted change at line 2 of greet.ts" });
  await undo.waitFor();
  await page.waitForTimeout(1000);
  const element = await undo.elementHandle();
  const decided = await served.client.call("listDecided");
  assert.ok(!isFault(decided));
  const other = decided.files.find(({ title }) => title === "long.md")?.decided[0]?.hunk_id ?? "";
  await served.client.call("undoDecision", { body: { hunk_ids: [other] } });
  await panel.getByText("1 change in 1 file").waitFor();
  await page.waitForTimeout(500);
  assert.equal(await element?.evaluate(({ isConnected }) => isConnected), true);
});

test("a large change says so in the list and in the text, and one that only adds is not shown as a removal", {
  skip: noChromium,
}, async (t) => {
  const added = Array.from({ length: 140 }, (_, index) => `item ${index} without an end`).join("\n");
  const edit = {
    file_path: "a.md",
    operation: "insert",
    start_line: 3,
    new_text: added,
    rationale: "Asked for",
  };
  const fixture = await openBrowserFixture(t, {
    files: { "a.md": "# A\n\nshort\n" },
    script: [
      { toolCalls: [{ name: "read_file", arguments: { file_path: "a.md" } }] },
      { toolCalls: [{ name: "edit_file", arguments: edit }] },
      { text: "Done." },
    ],
  });
  const { page } = fixture;
  await fixture.served.client.call("openTab", { body: { path: "a.md" } });
  await page.getByRole("tab", { name: /a.md/ }).click();
  await askAgent(fixture, "Write a long list");
  await page.getByText("This is a large change.").waitFor();
  assert.equal(await page.locator(".review-removed-lines").count(), 0);
  assert.equal(await page.locator(".review-gutter .review-removed").count(), 0);
  await page.keyboard.press("Alt+4");
  await page.getByText("Large: 140 lines · Asked for").waitFor();
  assert.deepEqual(fixture.complaints, []);
});

test("the diff shows what is decided beside what is open, and follows decisions", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openRenamed(t, { files: { "long.md": long }, theme: "dark", tab: "long.md" });
  const { page } = fixture;
  await page.getByText("2 changes by the agent").waitFor();
  await page.keyboard.press("Alt+d");
  await page.getByText("2 differences").waitFor();
  const before = page.getByRole("textbox", { name: "Before the open changes" });
  await before.getByText("Tobias").first().waitFor();
  // What is the same on both sides is folded.
  await page.locator(".cm-collapsedLines").first().waitFor();
  await page.waitForTimeout(200);
  await page.keyboard.press("F7");
  await page.getByRole("button", { name: "In one column" }).click();
  await page.getByRole("textbox", { name: "Open changes" }).waitFor();
  await page.waitForTimeout(200);
  const review = await fixture.served.client.call("decide", {
    body: { everything: true, verdict: "accept" },
  });
  assert.ok("hunk_ids" in review);
  await page.getByText("Nothing is open in this document.").waitFor();
  assert.deepEqual(fixture.complaints, []);
});

test("at 1024 pixels the diff is one column, and the line above the text does not grow", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openRenamed(t, {
    files: { "long.md": long },
    width: 1024,
    height: 768,
    tab: "long.md",
  });
  const { page } = fixture;
  const strip = page.getByRole("region", { name: "Changes to review" });
  await strip.getByText("2 changes").waitFor();
  const height = async () => (await strip.boundingBox())?.height;
  const before = await height();
  await page.keyboard.press("F7");
  await strip.getByText("1 of 2").waitFor();
  assert.equal(await height(), before);
  await page.keyboard.press("Alt+d");
  await page.getByRole("textbox", { name: "Open changes", exact: true }).waitFor();
  assert.equal(await page.getByRole("textbox", { name: "Before the open changes" }).count(), 0);
  const edge = await page.getByRole("main").boundingBox();
  const button = await page.getByRole("button", { name: "Open document" }).boundingBox();
  assert.ok(edge && button && button.x + button.width <= edge.x + edge.width, "every button can be seen");
  assert.deepEqual(fixture.complaints, []);
});

test("the list names the lines where changes are now, and goes there", { skip: noChromium }, async (t) => {
  const fixture = await openRenamed(t, { files: { "long.md": long }, tab: "long.md" });
  const { page } = fixture;
  await page.keyboard.press("Alt+4");
  const panel = page.getByRole("complementary", { name: "Review" });
  await panel.getByRole("button", { name: /^Line 51/ }).waitFor();
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("New\nfirst lines\n");
  await panel.getByRole("button", { name: /^Line 53/ }).click();
  await page.getByText("2 of 2").waitFor();
  await panel.getByRole("button", { name: "Accept change: line 7" }).waitFor();
  assert.deepEqual(fixture.complaints, []);
});

test("a file that changed on disk, too, is put together where possible and asked about where not", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openBrowserFixture(t, { files: { "notes.md": "one\ntwo\nthree\nfour\nfive\n" } });
  const { page } = fixture;
  await openTab(fixture, "notes.md");
  await page.locator(".cm-line").getByText("three").click();
  await page.keyboard.press("End");
  await page.keyboard.type(" of mine");
  await page.waitForTimeout(400);
  writeFileSync(join(fixture.root, "notes.md"), "one\ntwo\nthree of theirs\nfour\nFIVE\n");
  await page.keyboard.press("Control+s");
  await page.getByRole("button", { name: "Compare" }).first().click();
  await page.getByText("0 of 1 settled").waitFor();
  await page.getByRole("button", { name: "Use both" }).click();
  await page.getByText("1 of 1 settled").waitFor();
  await page.getByLabel("Result, which you can edit").fill("three of mine\nthree of theirs, too");
  await page.getByRole("button", { name: "Use this result" }).click();
  await page.getByText("Your result is in notes.md.").waitFor();
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+s");
  const expected = "one\ntwo\nthree of mine\nthree of theirs, too\nfour\nFIVE\n";
  await becomes(() => fixture.read("notes.md"), expected);
  // The save that was refused is told by the browser, too.
  assert.deepEqual(
    fixture.complaints.filter((complaint) => !complaint.includes("409")),
    [],
  );
});

test("what is chosen between the agent's change and the file is decided, and saved as it was chosen", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openRenamed(t, { files: { "notes.md": "one\nTobias\nthree\n" }, tab: "notes.md" });
  const { page } = fixture;
  await page.getByText("1 change by the agent").waitFor();
  writeFileSync(join(fixture.root, "notes.md"), "one\nTobias Hale\nthree\n");
  await page.getByRole("button", { name: "Compare" }).first().click();
  await page.getByText("0 of 1 settled").waitFor();
  // What was pressed is gone, and the keyboard goes on in what took its place.
  await becomes(() => page.evaluate(() => document.activeElement?.id), "stage");
  await page.getByRole("button", { name: "Use the file’s" }).click();
  await page.getByRole("button", { name: "Use this result" }).click();
  await page.getByText("Your result is in notes.md.").waitFor();
  await page.getByText("1 change by the agent").waitFor({ state: "detached" });
  await page.keyboard.press("Control+s");
  await page.getByText("notes.md is saved.").waitFor();
  assert.equal(fixture.read("notes.md"), "one\nTobias Hale\nthree\n");
  assert.deepEqual(fixture.complaints, []);
});
