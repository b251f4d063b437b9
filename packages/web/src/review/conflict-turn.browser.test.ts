import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { askAgent } from "@stet/testkit/ask-agent";
import { noChromium, openBrowserFixture } from "@stet/testkit/browser";
import { becomes, openTab } from "@stet/testkit/renamed-fixture";

const chapter = "one\nTobias\nthree\nfour\nfive\nsix\nTobias again\n";
const onDisk = "one\nTobias Hale\nthree\nfour\nFIVE\nsix\nTobias again\n";

/** A turn that is decided as a whole, in two documents, and another program's change of one of its lines. */
async function openConflict(t: TestContext, choice: "Use mine" | "Use the file’s") {
  const files = { "chapter.md": chapter, "notes.md": "Tobias is the hero.\n" };
  const fixture = await openBrowserFixture(t, { files });
  const { page } = fixture;
  await fixture.served.client.call("openTab", { body: { path: "notes.md" } });
  await openTab(fixture, "chapter.md");
  await askAgent(fixture, "Rename Tobias to Elias everywhere", { toolset: "tabs" });
  const strip = page.getByRole("region", { name: "Changes to review" });
  await strip.getByText("decided as a whole").waitFor();
  writeFileSync(join(fixture.root, "chapter.md"), onDisk);
  await page.getByRole("button", { name: "Compare" }).first().click();
  await page.getByText("0 of 1 settled").waitFor();
  await page.getByRole("button", { name: choice }).click();
  await page.getByRole("button", { name: "Use this result" }).click();
  await page.getByText("Your result is in chapter.md.").waitFor();
  return { fixture, page, strip };
}

test("the file's lines, chosen while a whole turn is open, are still in the file after saving", {
  skip: noChromium,
}, async (t) => {
  const opened = await openConflict(t, "Use the file’s");
  const { fixture, page, strip } = opened;
  await strip.getByText("1 change").waitFor();
  await page.keyboard.press("Control+s");
  await page.waitForTimeout(500);
  assert.equal(fixture.read("chapter.md"), onDisk);
  await strip.getByRole("button", { name: /^Accept all/ }).click();
  await strip.waitFor({ state: "detached" });
  await page.keyboard.press("Control+s");
  const expected = onDisk.replace("Tobias again", "Elias again");
  await becomes(async () => fixture.read("chapter.md"), expected);
  assert.deepEqual(fixture.complaints, []);
});

test("one's own lines, chosen while a whole turn is open, wait for the turn: the file stays until then", {
  skip: noChromium,
}, async (t) => {
  const opened = await openConflict(t, "Use mine");
  const { fixture, page, strip } = opened;
  await strip.getByText("2 changes").waitFor();
  await page.keyboard.press("Control+s");
  await page.waitForTimeout(500);
  assert.equal(fixture.read("chapter.md"), onDisk);
  await strip.getByRole("button", { name: /^Reject all/ }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Reject all/ })
    .click();
  await strip.waitFor({ state: "detached" });
  await page.getByText("Tobias Hale").waitFor();
  await page.keyboard.press("Alt+u");
  await strip.getByRole("button", { name: /^Accept all/ }).click();
  await strip.waitFor({ state: "detached" });
  await page.keyboard.press("Control+s");
  const expected = onDisk.replace("Tobias Hale", "Elias").replace("Tobias again", "Elias again");
  await becomes(async () => fixture.read("chapter.md"), expected);
  assert.deepEqual(fixture.complaints, []);
});
