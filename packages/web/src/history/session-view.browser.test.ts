// A conversation as a tree, as a person goes back in it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isFault } from "@stet/protocol/fault";
import { askAgent } from "@stet/testkit/ask-agent";
import type { BrowserFixture } from "@stet/testkit/browser";
import { noChromium } from "@stet/testkit/browser";
import { becomes, openRenamed, storyFiles, textOf } from "@stet/testkit/renamed-fixture";

async function openTree(fixture: BrowserFixture): Promise<string> {
  const { page, served } = fixture;
  const sessions = await served.client.call("listSessions", { query: {} });
  assert.ok(!isFault(sessions));
  const session = sessions.sessions[0]?.session_id ?? "";
  await askAgent(fixture, "Where is Mara mentioned?", { session });
  await page.reload();
  await page
    .getByRole("button", { name: /tree|ways/i })
    .first()
    .click();
  await page.getByRole("tree", { name: "The conversation as a tree" }).waitFor();
  return session;
}

test("a place gets a label, is found by it and by words, and the keyboard goes through the tree", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openRenamed(t);
  const { page } = fixture;
  await openTree(fixture);
  const tree = page.getByRole("tree", { name: "The conversation as a tree" });
  await tree.getByRole("treeitem", { name: /^You: Rename Tobias/ }).click();
  await page.getByRole("textbox", { name: "Label of this place" }).fill("the rename");
  await page.getByRole("button", { name: "Keep label" }).click();
  await tree.getByRole("treeitem", { name: /labelled the rename/ }).waitFor();

  await page.getByRole("button", { name: "Labelled", exact: true }).click();
  await becomes(() => tree.getByRole("treeitem").count(), 1);
  await page.getByRole("button", { name: "Mine", exact: true }).click();
  await becomes(() => tree.getByRole("treeitem").count(), 2);
  await page.getByRole("searchbox", { name: "Search the conversation" }).fill("mara");
  await becomes(() => tree.getByRole("treeitem").count(), 1);
  await page.getByRole("searchbox", { name: "Search the conversation" }).fill("no such words");
  await page.getByText("No message holds these words.").waitFor();
  await page.getByRole("searchbox", { name: "Search the conversation" }).fill("");
  await becomes(() => tree.getByRole("treeitem").count(), 2);

  await tree.focus();
  await page.keyboard.press("End");
  await tree.getByRole("treeitem", { name: /^You: Where is Mara/, selected: true }).waitFor();
  await page.keyboard.press("ArrowUp");
  await tree.getByRole("treeitem", { name: /labelled the rename/, selected: true }).waitFor();
  await page.getByRole("textbox", { name: "Label of this place" }).fill("");
  await page.getByRole("button", { name: "Remove label" }).click();
  await tree.getByRole("treeitem", { name: /labelled/ }).waitFor({ state: "detached" });
  assert.deepEqual(fixture.complaints, []);
});

test("going on from an earlier message puts its words in the composer and can take the turns back", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openRenamed(t, { theme: "dark" });
  const { page } = fixture;
  const session = await openTree(fixture);
  const tree = page.getByRole("tree", { name: "The conversation as a tree" });
  await tree.getByRole("treeitem", { name: /^You: Rename Tobias/ }).click();
  await page.getByRole("button", { name: "Go on from here" }).click();
  const choice = page.getByRole("dialog", { name: "What about the files?" });
  await choice.getByRole("button", { name: /Roll that turn back/ }).click();
  const preview = page.getByRole("dialog", { name: "Roll back 1 turn?" });
  await preview.getByText(/Exactly this changes in 3 files/).waitFor();
  await preview.getByRole("button", { name: "Roll back" }).click();
  for (const [path, text] of Object.entries(storyFiles)) await becomes(() => textOf(fixture, path), text);
  await becomes(
    () => page.locator("[aria-label=Agent] textarea").inputValue(),
    "Rename Tobias to Elias in all files",
  );

  await askAgent(fixture, "Rename Tobias to Anton in all files", { session });
  await tree.getByRole("treeitem", { name: /^You: Rename Tobias to Anton/ }).waitFor();
  const left = tree.getByRole("treeitem", { name: /^You: Rename Tobias to Elias.*on another way/ });
  await left.waitFor();
  assert.equal(
    await left.getAttribute("aria-level"),
    await tree.getByRole("treeitem", { name: /Anton/ }).first().getAttribute("aria-level"),
  );
  assert.deepEqual(fixture.complaints, []);
});
