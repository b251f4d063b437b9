import assert from "node:assert/strict";
import { test } from "node:test";
import { type BrowserFixture, noChromium, openBrowserFixture } from "@stet/testkit/browser";

const files = {
  "one.md": "# One\n\nTobias went out.\nTobias came back.\nIt rained.\n",
  "two.md": "Tobias and Mara.\n",
  "chapters/three.md": "Mara alone.\n",
};

const composer = ({ page }: BrowserFixture) => page.getByRole("textbox", { name: "Message to the agent" });

async function ask(fixture: BrowserFixture, text: string): Promise<void> {
  await composer(fixture).fill(text);
  await composer(fixture).press("Enter");
}

test("a request is answered, its steps can be looked at, and its changes wait for review", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openBrowserFixture(t, { files });
  const { page } = fixture;
  const log = page.getByRole("log", { name: "Conversation" });
  await page.getByText("This is the practice model.").waitFor();
  await ask(fixture, "Rename Tobias to Elias in all files");
  await log.getByText("Proposed 2 changes in 2 files").waitFor();
  await page.getByText("Everything is decided").waitFor({ state: "detached" });
  // The first changed file comes to the front by itself, and whoever was in the composer stays there.
  await page.getByRole("tab", { name: /one\.md/ }).waitFor();
  await page.waitForFunction(() => document.activeElement?.classList.contains("composer-text"));
  const card = log.getByRole("button", { name: /Edit one\.md/ });
  await card.click();
  assert.equal(await card.getAttribute("aria-expanded"), "true");
  await log.getByText("edit_file").waitFor();
  await log.getByRole("button", { name: "Review changes" }).click();
  await page.getByRole("complementary", { name: "Review" }).waitFor();
  assert.equal(fixture.read("two.md"), files["two.md"], "nothing is written before it is accepted");

  // The conversation has its title, and can be renamed, left and found again.
  await page.getByRole("button", { name: "Rename Tobias to Elias in all files", exact: true }).click();
  await page.getByRole("textbox", { name: "Title of the conversation" }).fill("Renaming");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Renaming", exact: true }).waitFor();
  await page.keyboard.press("Alt+Shift+M");
  await page.getByRole("heading", { name: "Ask the agent" }).waitFor();
  await page.getByRole("button", { name: "Conversations" }).click();
  await page.getByRole("searchbox", { name: "Find a conversation" }).fill("renam");
  await page
    .getByRole("dialog", { name: "Conversations" })
    .getByRole("button", { name: /^Renaming/ })
    .click();
  await log.getByText("Proposed 2 changes in 2 files").waitFor();

  // An earlier prompt comes back with the arrow.
  await composer(fixture).focus();
  await page.keyboard.press("ArrowUp");
  await page.waitForFunction(() =>
    document.querySelector<HTMLTextAreaElement>(".composer-text")?.value.startsWith("Rename Tobias"),
  );
  await page.keyboard.press("ArrowDown");
  assert.equal(await composer(fixture).inputValue(), "");
  assert.deepEqual(fixture.complaints, []);
});

test("what is selected goes into the agent's context, stays there, and is sent to the model", {
  skip: noChromium,
}, async (t) => {
  const script = (request: { readonly messages: unknown }) => ({
    text: JSON.stringify(request.messages).includes("Tobias came back")
      ? "I see the lines."
      : "I see nothing.",
  });
  const fixture = await openBrowserFixture(t, { files, script });
  const { page } = fixture;
  const context = page.getByRole("region", { name: "Context for the agent" });
  await page.getByRole("treeitem", { name: /one\.md/ }).dblclick();
  await page.getByText("Tobias came back.").click();
  await page.keyboard.press("Home");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Shift+End");
  await page.keyboard.press("Alt+Enter");
  await context.getByText("lines 4–5").waitFor();
  // The same again is there once.
  await page.keyboard.press("Alt+Enter");
  await composer(fixture).fill("Look at @two");
  await page.getByRole("option", { name: "two.md" }).waitFor();
  await page.keyboard.press("Enter");
  await context.getByText("two.md").waitFor();
  assert.equal(await context.getByRole("listitem").count(), 2);
  assert.equal(await composer(fixture).inputValue(), "Look at @two.md ");
  await page.keyboard.press("Enter");
  await page.getByRole("log").getByText("I see the lines.").waitFor();

  // It stays after the request; what is pinned goes along into a new conversation.
  await context.getByRole("button", { name: "Keep for new conversations: two.md" }).click();
  await context.getByRole("button", { name: "Do not keep for new conversations: two.md" }).waitFor();
  await page.reload();
  await context.getByText("lines 4–5").waitFor();
  await page.getByRole("button", { name: "New conversation", exact: true }).click();
  await context.getByText("lines 4–5").waitFor({ state: "detached" });
  await context.getByText("two.md").waitFor();
  await context.getByRole("button", { name: "Remove from the context: two.md" }).click();
  await context.waitFor({ state: "detached" });
  assert.deepEqual(fixture.complaints, []);
});
