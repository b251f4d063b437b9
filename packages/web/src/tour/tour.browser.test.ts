// The tour from its welcome to its end, by really clicking, in the sample project as a new person gets it.

import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type BrowserFixture, noChromium, openBrowserFixture } from "@stet/testkit/browser";
import { becomes } from "@stet/testkit/renamed-fixture";

const sample = join(import.meta.dirname, "../../../../examples/lighthouse");

function filesOf(folder: string): Map<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const files = paths.filter((path) => statSync(join(folder, path)).isFile()).sort();
  return new Map(files.map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}

const cardOf = ({ page }: BrowserFixture) => page.getByRole("region", { name: "Tour" });
const titled = (fixture: BrowserFixture, title: string) =>
  cardOf(fixture).getByRole("heading", { name: title }).waitFor({ timeout: 20_000 });

async function takeTour({ page }: BrowserFixture): Promise<void> {
  await page.getByRole("navigation", { name: "Panels" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill(">Take the tour");
  await page.getByRole("option", { name: /Take the tour/ }).click();
}

test("whoever takes the tour asks, rejects, accepts, saves, and takes everything back", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openBrowserFixture(t, { isSample: true });
  const { page, root } = fixture;
  const before = filesOf(sample);
  await titled(fixture, "Welcome to Stet");
  await page.keyboard.press("Enter");

  await titled(fixture, "Ask the agent");
  await becomes(
    () => page.getByRole("textbox", { name: "Message to the agent" }).inputValue(),
    "Rename Tobias to Elias in all files",
  );
  await page.getByRole("button", { name: "Send", exact: true }).click();

  await titled(fixture, "Reject what should stay");
  const wrong = page.getByRole("button", { name: "Reject the change at line 23" });
  await wrong.waitFor();
  await wrong.click();
  await cardOf(fixture)
    .getByText(/still about Tobias Ketteridge/)
    .waitFor();
  await cardOf(fixture).getByRole("button", { name: "Do it for me" }).click();

  await titled(fixture, "Accept the rest");
  await page.reload();
  await titled(fixture, "Accept the rest");
  await page.getByRole("button", { name: "Accept all" }).click();

  await titled(fixture, "Save");
  await page.keyboard.press("Control+Alt+s");
  await titled(fixture, "Look at the history");
  assert.match(fixture.read("novel.md"), /hear Elias Hale breathing/);
  assert.match(fixture.read("novel.md"), /Built by Tobias Ketteridge, 1871/);
  assert.match(fixture.read("notes/characters.md"), /^## Elias Hale$/m);
  await page.getByRole("navigation", { name: "Panels" }).getByRole("button", { name: "History" }).click();

  await titled(fixture, "Take it all back");
  const panel = page.getByRole("complementary", { name: "History" });
  await panel.getByRole("button", { name: /^Rename Tobias to Elias/ }).click();
  await panel.getByRole("button", { name: "Roll back everything …" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Roll back" }).click();
  await titled(fixture, "Everything is as before");
  await page.keyboard.press("Control+Alt+s");

  await titled(fixture, "That was the tour");
  assert.deepEqual(filesOf(root), before);
  await cardOf(fixture).getByRole("button", { name: "Close", exact: true }).click();
  await cardOf(fixture).waitFor({ state: "detached" });
  assert.deepEqual(fixture.complaints, []);
});

test("the tour does every step where it is asked to, can be left, and starts again", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openBrowserFixture(t, { isSample: true, theme: "dark" });
  const { page, root } = fixture;
  const forMe = cardOf(fixture).getByRole("button", { name: "Do it for me" });
  await titled(fixture, "Welcome to Stet");
  await page.keyboard.press("Escape");
  await cardOf(fixture).waitFor({ state: "detached" });
  await page.reload();
  await takeTour(fixture);
  await titled(fixture, "Welcome to Stet");
  await cardOf(fixture).getByRole("button", { name: "Start the tour" }).click();
  for (const title of [
    "Ask the agent",
    "Reject what should stay",
    "Accept the rest",
    "Save",
    "Look at the history",
    "Take it all back",
  ]) {
    await titled(fixture, title);
    await forMe.click();
  }
  await page.getByRole("dialog").getByRole("button", { name: "Roll back" }).click();
  await titled(fixture, "Everything is as before");
  await forMe.click();
  await titled(fixture, "That was the tour");
  assert.deepEqual(filesOf(root), filesOf(sample));
  await takeTour(fixture);
  await titled(fixture, "Welcome to Stet");
  await cardOf(fixture).getByRole("button", { name: "Start the tour" }).click();
  await titled(fixture, "Ask the agent");
  assert.deepEqual(fixture.complaints, []);
});
