// A stranger with the sample project, on their own: asks, looks, rejects one change, accepts the rest, saves, and goes back.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { noChromium, openBrowserFixture } from "@stet/testkit/browser";
import { becomes, renaming } from "@stet/testkit/renamed-fixture";

const sample = join(import.meta.dirname, "../../../../examples/lighthouse");

/** Every file as it is on disk, byte by byte. */
function bytesOf(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return new Map(paths.sort().map((path) => [relative(folder, path), textAt(path)]));
}

/** Empty where it is renamed between being listed and being read: a temporary file of a save. */
function textAt(path: string): string {
  try {
    return readFileSync(path).toString("latin1");
  } catch {
    return "";
  }
}

const plate = "Built by Tobias Ketteridge, 1871";

/** What a reader who knows the story would have done by hand: everyone is Elias but the name on the brass plate. */
function renamed(files: ReadonlyMap<string, string>): Map<string, string> {
  const byHand = (text: string) =>
    text.replaceAll("Tobias", "Elias").replace(plate.replace("Tobias", "Elias"), plate);
  return new Map([...files].map(([path, text]) => [path, byHand(text)]));
}

test("a stranger renames somebody everywhere but on the brass plate, saves it, and takes it all back", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openBrowserFixture(t, { isSample: true });
  const { page, root } = fixture;
  const before = bytesOf(sample);
  assert.deepEqual(bytesOf(root), before);
  await page.getByRole("button", { name: "Close the tour" }).click();

  await page.getByRole("button", { name: renaming }).click();
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("button", { name: "Review changes" }).click();
  await page.getByRole("button", { name: "Accept all" }).waitFor();

  // The change to the plate is further down in the list.
  const plateRow = page.locator(".review-row.hunk", { hasText: "*Built by" });
  await page.locator(".review-rows").hover();
  for (let tries = 0; tries < 40 && (await plateRow.count()) === 0; tries += 1) {
    await page.mouse.wheel(0, 200);
    await page.waitForTimeout(50);
  }
  await plateRow.getByRole("button").first().click();
  const paragraph = page.locator(".cm-line", { hasText: "Ketteridge, 1871" });
  await paragraph.waitFor();
  await page.getByRole("tab", { name: "novel.md", selected: true }).waitFor();
  await page.getByRole("button", { name: "Reject the change at line 9", exact: true }).click();
  await becomes(() => paragraph.textContent().then((text) => text?.includes(plate) === true), true);
  await becomes(() => plateRow.count(), 0);
  await page.getByText("23 changes in 6 files", { exact: true }).waitFor();

  await page.getByRole("button", { name: "Accept all" }).click();
  await page.getByText("Everything is decided.", { exact: true }).waitFor();
  assert.deepEqual(bytesOf(root), before);
  await page.getByRole("button", { name: "Save 6 files" }).click();
  await page.getByText("6 files are saved.").waitFor();
  assert.deepEqual(bytesOf(root), renamed(before));

  // The model is told what was rejected; what is asked next is still understood.
  await page.getByRole("textbox", { name: "Message to the agent" }).fill("Where is Mara mentioned?");
  await page.keyboard.press("Enter");
  await page
    .getByRole("log")
    .getByText(/I found “Mara”/)
    .waitFor();

  await page.getByRole("navigation", { name: "Panels" }).getByRole("button", { name: "History" }).click();
  const history = page.getByRole("complementary", { name: "History" });
  await history.getByRole("region", { name: "What turn 1 changed" }).getByText("Elias").first().waitFor();
  await history.getByRole("tab", { name: "All checkpoints" }).click();
  await history.getByText(renaming).first().click();
  await history.getByRole("button", { name: "Roll back everything …" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Roll back", exact: true }).waitFor();
  await dialog.getByRole("button", { name: "Roll back", exact: true }).click();
  await dialog.waitFor({ state: "detached" });
  assert.deepEqual(bytesOf(root), renamed(before));

  await page.keyboard.press("Control+Alt+s");
  await becomes(() => isDeepStrictEqual(bytesOf(root), before), true);
  assert.deepEqual(fixture.complaints, []);
});
