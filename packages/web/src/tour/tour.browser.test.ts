// The tour from its welcome to its end, by really clicking, in the sample project as a new person gets it.

import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { noChromium, openRoom, type Room } from "@stet/testkit/browser";
import { becomes } from "@stet/testkit/renamed-room";

const sample = join(import.meta.dirname, "../../../../examples/lighthouse");

function filesOf(folder: string): Map<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const files = paths.filter((path) => statSync(join(folder, path)).isFile()).sort();
  return new Map(files.map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}

const cardOf = ({ page }: Room) => page.getByRole("region", { name: "Tour" });
const titled = (room: Room, title: string) =>
  cardOf(room).getByRole("heading", { name: title }).waitFor({ timeout: 20_000 });

async function takeTour({ page }: Room): Promise<void> {
  await page.getByRole("navigation", { name: "Panels" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill(">Take the tour");
  await page.getByRole("option", { name: /Take the tour/ }).click();
}

test("whoever takes the tour asks, rejects, accepts, saves, and takes everything back", {
  skip: noChromium,
}, async (t) => {
  const room = await openRoom(t, { isSample: true });
  const { page, root } = room;
  const before = filesOf(sample);
  await titled(room, "Welcome to Stet");
  await page.keyboard.press("Enter");

  await titled(room, "Ask the agent");
  await becomes(
    () => page.getByRole("textbox", { name: "Message to the agent" }).inputValue(),
    "Rename Tobias to Elias in all files",
  );
  await page.getByRole("button", { name: "Send", exact: true }).click();

  await titled(room, "Reject what should stay");
  const wrong = page.getByRole("button", { name: "Reject the change at line 23" });
  await wrong.waitFor();
  await wrong.click();
  await cardOf(room)
    .getByText(/still about Tobias Ketteridge/)
    .waitFor();
  await cardOf(room).getByRole("button", { name: "Do it for me" }).click();

  await titled(room, "Accept the rest");
  await page.reload();
  await titled(room, "Accept the rest");
  await page.getByRole("button", { name: "Accept all" }).click();

  await titled(room, "Save");
  await page.keyboard.press("Control+Alt+s");
  await titled(room, "Look at the history");
  assert.match(room.read("novel.md"), /hear Elias Hale breathing/);
  assert.match(room.read("novel.md"), /Built by Tobias Ketteridge, 1871/);
  assert.match(room.read("notes/characters.md"), /^## Elias Hale$/m);
  await page.getByRole("navigation", { name: "Panels" }).getByRole("button", { name: "History" }).click();

  await titled(room, "Take it all back");
  const panel = page.getByRole("complementary", { name: "History" });
  await panel.getByRole("button", { name: /^Rename Tobias to Elias/ }).click();
  await panel.getByRole("button", { name: "Roll back everything …" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Roll back" }).click();
  await titled(room, "Everything is as before");
  await page.keyboard.press("Control+Alt+s");

  await titled(room, "That was the tour");
  assert.deepEqual(filesOf(root), before);
  await cardOf(room).getByRole("button", { name: "Close", exact: true }).click();
  await cardOf(room).waitFor({ state: "detached" });
  assert.deepEqual(room.complaints, []);
});

test("the tour does every step where it is asked to, can be left, and starts again", {
  skip: noChromium,
}, async (t) => {
  const room = await openRoom(t, { isSample: true, theme: "dark" });
  const { page, root } = room;
  const forMe = cardOf(room).getByRole("button", { name: "Do it for me" });
  await titled(room, "Welcome to Stet");
  await page.keyboard.press("Escape");
  await cardOf(room).waitFor({ state: "detached" });
  await page.reload();
  await takeTour(room);
  await titled(room, "Welcome to Stet");
  await cardOf(room).getByRole("button", { name: "Start the tour" }).click();
  for (const title of [
    "Ask the agent",
    "Reject what should stay",
    "Accept the rest",
    "Save",
    "Look at the history",
    "Take it all back",
  ]) {
    await titled(room, title);
    await forMe.click();
  }
  await page.getByRole("dialog").getByRole("button", { name: "Roll back" }).click();
  await titled(room, "Everything is as before");
  await forMe.click();
  await titled(room, "That was the tour");
  assert.deepEqual(filesOf(root), filesOf(sample));
  await takeTour(room);
  await titled(room, "Welcome to Stet");
  await cardOf(room).getByRole("button", { name: "Start the tour" }).click();
  await titled(room, "Ask the agent");
  assert.deepEqual(room.complaints, []);
});
