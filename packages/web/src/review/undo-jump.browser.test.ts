import assert from "node:assert/strict";
import { test } from "node:test";
import { askAgent } from "@stet/testkit/ask-agent";
import { noChromium, openBrowserFixture } from "@stet/testkit/browser";
import { becomes, openTab, textOf } from "@stet/testkit/renamed-fixture";

test("undo right after a decision that went on to another document takes back that decision, and goes back", {
  skip: noChromium,
}, async (t) => {
  const files = { "a.md": "Tobias came.\n", "b.md": "One.\n\nTobias went.\n" };
  const fixture = await openBrowserFixture(t, { files });
  const { page } = fixture;
  const bar = page.getByRole("region", { name: "Changes to review" });
  const inFront = (path: string) =>
    page.getByRole("tab", { name: new RegExp(path), selected: true }).waitFor();
  await openTab(fixture, "b.md");
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.insertText("My own sentence. ");
  await openTab(fixture, "a.md");
  await askAgent(fixture, "Rename Tobias to Elias in all files");
  await bar.getByText("1 change by the agent").waitFor();
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Alt+a");
  await inFront("b.md");
  await bar.getByText("1 change by the agent").waitFor();

  await page.keyboard.press("Control+z");
  await inFront("a.md");
  await bar.getByText("1 change by the agent").waitFor();
  assert.match(await textOf(fixture, "b.md"), /^My own sentence\. One\./);
  // And it is made again where it was made.
  await inFront("a.md");
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Control+Shift+Z");
  await bar.waitFor({ state: "detached" });

  // What was typed since goes first; what was taken back elsewhere is passed over.
  await openTab(fixture, "b.md");
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.insertText("Typed since.");
  await openTab(fixture, "a.md");
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Control+z");
  await bar.getByText("1 change by the agent").waitFor();
  await openTab(fixture, "b.md");
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Control+z");
  await becomes(async () => (await textOf(fixture, "b.md")).includes("Typed since."), false);
  await page.keyboard.press("Control+z");
  await becomes(async () => (await textOf(fixture, "b.md")).includes("My own"), false);
  await inFront("b.md");
  assert.deepEqual(fixture.complaints, []);
});
