import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type BrowserFixture, noChromium, openBrowserFixture } from "@stet/testkit/browser";
import { becomes, openTab } from "@stet/testkit/renamed-fixture";

const saved = "# A\n\nThe tide.\n";
const mine = "# A\n\nThe tide. PRECIOUS\n";
const theirs = "# A\n\nThe ebb.\n";

/** Something that is not saved, in a line that another program has rewritten. */
async function openConflict(t: TestContext): Promise<BrowserFixture> {
  const fixture = await openBrowserFixture(t, { files: { "a.md": saved } });
  const { page } = fixture;
  await openTab(fixture, "a.md");
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+Home");
  for (const key of ["ArrowDown", "ArrowDown", "End"]) await page.keyboard.press(key);
  await page.keyboard.type(" PRECIOUS");
  await page.getByRole("tab", { name: "a.md not saved" }).waitFor();
  writeFileSync(join(fixture.root, "a.md"), theirs);
  await page.getByText("was changed on disk, where you changed it, too").waitFor();
  return fixture;
}

const text = (fixture: BrowserFixture) =>
  fixture.page.evaluate(() => {
    const lines = [...document.querySelectorAll(".cm-content .cm-line")];
    return lines.map((line) => line.textContent).join("\n");
  });

test("whoever takes the file's text gets their own back by the notice, by Ctrl+Z and from the history", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openConflict(t);
  const { page } = fixture;
  await page.getByRole("button", { name: "Use the file’s text" }).click();
  await becomes(() => text(fixture), theirs);
  const notice = page.locator(".notice", { hasText: "Yours is in the history." });
  await notice.getByRole("button", { name: "Undo" }).click();
  await becomes(() => text(fixture), mine);
  assert.equal(fixture.read("a.md"), theirs, "nothing is written before it is saved");

  await page.locator(".cm-content").focus();
  await page.keyboard.press("Control+Shift+Z");
  await becomes(() => text(fixture), theirs);
  await page.keyboard.press("Control+z");
  await becomes(() => text(fixture), mine);
  await page.getByRole("button", { name: "History" }).first().click();
  await page.getByText("You loaded the file’s text").first().waitFor();
  assert.deepEqual(fixture.complaints, []);
});

test("whoever keeps their text has the file's in the history, also after saving", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openConflict(t);
  const { page } = fixture;
  await page.getByRole("button", { name: "Keep my text" }).click();
  await page.getByText("The text of the file is in the history.").waitFor();
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Control+s");
  await becomes(() => fixture.read("a.md"), mine);
  await page.keyboard.press("Control+z");
  await becomes(() => text(fixture), theirs);
  await page.getByRole("button", { name: "History" }).first().click();
  await page.getByText("You kept your text instead of the file’s").first().waitFor();
  assert.deepEqual(fixture.complaints, []);
});
