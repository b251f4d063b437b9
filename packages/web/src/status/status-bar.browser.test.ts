import assert from "node:assert/strict";
import { test } from "node:test";
import { noChromium, openBrowserFixture } from "@stet/testkit/browser";

test("the status tells of the document, the agent and the connection", { skip: noChromium }, async (t) => {
  const fixture = await openBrowserFixture(t, {
    as: "process",
    files: { "notes.md": "One two three.\nFour.\n" },
    script: () => new Promise(() => {}),
  });
  const { page } = fixture;
  const status = page.getByRole("contentinfo");

  await t.test("where the cursor is and how long the text is", async () => {
    await page.getByRole("treeitem", { name: "notes.md" }).click();
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+Home");
    await status.getByText("4 words").waitFor();
    await page.keyboard.press("Shift+End");
    await status.getByText("14 characters, 3 words selected").waitFor();
    await status.getByRole("button", { name: "Line 1, column 15. Go to a line" }).waitFor();
  });

  await t.test("colours are chosen and stay", async () => {
    await status.getByRole("button", { name: "Colours" }).click();
    await page.getByRole("menuitemradio", { name: "High contrast" }).click();
    await page.waitForFunction(() => document.documentElement.dataset.theme === "contrast");
    await page.reload();
    await page.waitForFunction(() => document.documentElement.dataset.theme === "contrast");
  });

  await t.test("an agent at work is shown, and can be stopped", async () => {
    const { client } = fixture.served;
    const session = await client.call("createSession", { body: {} });
    assert.ok("session_id" in session);
    await client.call("run", { body: { session_id: session.session_id, instruction: "Wait." } });
    await status.getByText("The agent is working").waitFor();
    await status.getByRole("button", { name: "Cancel" }).click();
    await status.getByText("The agent is working").waitFor({ state: "detached" });
  });

  await t.test("a server that is gone is said calmly", async () => {
    await fixture.served.kill();
    await status.getByText(/Connection lost/).waitFor();
    await page.locator(".cm-content").click();
    await page.keyboard.type("Still here");
    await page.locator(".cm-content", { hasText: "Still here" }).waitFor();
  });
});

test("a network that goes away under a quiet stream is shown, and forgotten when it is back", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openBrowserFixture(t, { files: { "notes.md": "one\n" } });
  const { page, context } = fixture;
  const status = page.getByRole("contentinfo");
  await page.getByRole("treeitem", { name: "notes.md" }).click();
  await page.locator(".cm-content", { hasText: "one" }).click();
  await context.setOffline(true);
  await page.keyboard.type("Still here");
  await status.getByText(/Connection lost/).waitFor();
  await page.keyboard.press("Control+s");
  await page.getByText(/Stet cannot be reached/).waitFor();
  await context.setOffline(false);
  await status.getByText("Connected").waitFor({ timeout: 5000 });
  await page.getByText(/Stet cannot be reached/).waitFor({ state: "detached" });
});

test("however much there is to say, the status stays one line at 1024 pixels", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openBrowserFixture(t, {
    files: { "notes.md": "Tobias came.\n" },
    script: () => ({ text: "Wait", fault: { stallAfterBytes: 0 } }),
    width: 1024,
    height: 768,
  });
  const { page } = fixture;
  const { client } = fixture.served;
  await page.getByRole("treeitem", { name: "notes.md" }).click();
  await page.locator(".cm-content", { hasText: "Tobias" }).waitFor();
  const height = async () => (await page.getByRole("contentinfo").boundingBox())?.height;
  const before = await height();
  const session = await client.call("createSession", { body: {} });
  assert.ok("session_id" in session);
  await client.call("run", {
    body: { session_id: session.session_id, instruction: "Wait.", toolset: "tabs" },
  });
  await page.getByText("Documents are locked").waitFor();
  assert.equal(await height(), before);
  await page.getByRole("contentinfo").getByRole("button", { name: "Cancel" }).click();
  await page.getByText("Documents are locked").waitFor({ state: "detached" });
});

test("what waits for a decision is counted everywhere, and one click away", {
  skip: noChromium,
}, async (t) => {
  const files = { "book/ch1.md": "Tobias came.\n\nA storm.\n\nTobias left.\n", "notes.md": "Nothing.\n" };
  const fixture = await openBrowserFixture(t, { files, width: 1024, theme: "dark" });
  const { page } = fixture;
  const { client } = fixture.served;
  await page.getByRole("treeitem", { name: "ch1.md" }).click();
  const session = await client.call("createSession", { body: {} });
  assert.ok("session_id" in session);
  const instruction = "Rename Tobias to Elias";
  await client.call("run", { body: { session_id: session.session_id, instruction } });
  await page.getByRole("treeitem", { name: "ch1.md 2 changes to review" }).waitFor();
  await page.getByRole("tab", { name: "ch1.md 2 changes to review" }).waitFor();
  await page.getByRole("button", { name: "Review, 2 open" }).waitFor();
  await page.getByRole("contentinfo").getByRole("button", { name: "2 changes to review" }).click();
  await page.getByRole("complementary", { name: "Review" }).waitFor();
  await page.keyboard.press("Alt+1");
  await page.getByRole("treeitem", { name: "book" }).click();
  await page.getByRole("treeitem", { name: "book 2 changes to review" }).waitFor();
  assert.deepEqual(fixture.complaints, []);
});
