import assert from "node:assert/strict";
import { test } from "node:test";
import { type BrowserFixture, noChromium, openBrowserFixture } from "@stet/testkit/browser";
import { lineHash } from "@stet/testkit/line-hash";
import type { Page } from "playwright-core";

const files = { "notes.md": "# Notes\n\nOne.\nTwo.\nThree.\n" };
const long = Array.from({ length: 40 }, (_, index) => `Sentence number ${index} is said slowly.`).join(" ");

const composerOf = (page: Page) => page.getByRole("textbox", { name: "Message to the agent" });
const logOf = (page: Page) => page.getByRole("log", { name: "Conversation" });

async function ask({ page }: BrowserFixture, text: string): Promise<void> {
  await composerOf(page).fill(text);
  await composerOf(page).press("Enter");
}

const edit = {
  name: "edit_file",
  arguments: {
    file_path: "notes.md",
    operation: "replace",
    start_line: 4,
    end_line: 4,
    new_text: "2.",
    expected_hash: lineHash(files, "notes.md", 4),
  },
};
const look = { name: "read_file", arguments: { file_path: "notes.md" } };

test("words appear as they are said, also in a second window and after a reload, and can be stopped", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openBrowserFixture(t, { files, script: [{ text: long, delayMs: 60 }] });
  const { page } = fixture;
  await ask(fixture, "Tell me everything");
  await logOf(page).getByText("Sentence number 2 is").waitFor();
  const other = await fixture.newWindow();
  await logOf(other).getByText("Tell me everything").waitFor();
  await logOf(other).getByText("Sentence number 6 is").waitFor();
  await page.reload();
  await logOf(page).getByText("Sentence number 8 is").waitFor();
  assert.equal(await logOf(page).getByText("Tell me everything").count(), 1, "the request is there once");
  await page.keyboard.press("Alt+.");
  await logOf(page).getByText("Stopped. Nothing was changed.").waitFor();
  await logOf(other).getByText("Stopped. Nothing was changed.").waitFor();
  assert.equal(await page.getByRole("button", { name: "Stop the agent" }).count(), 0);
  await page.reload();
  await logOf(page).getByText("Stopped. Nothing was changed.").waitFor();
  await page.getByRole("button", { name: "Try again" }).waitFor();
  assert.deepEqual(fixture.complaints, []);
});

test("what is said meanwhile waits, can be taken back, steers, or is heard afterwards", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openBrowserFixture(t, {
    files,
    script: [
      { text: long.slice(0, 1500), delayMs: 30, toolCalls: [look] },
      { text: "Now I am steered." },
      { text: "And this is the follow-up." },
    ],
  });
  const { page } = fixture;
  const queue = page.getByRole("list", { name: "Messages that wait" });
  await ask(fixture, "Begin");
  await logOf(page).getByText("Sentence number 1 is").waitFor();
  await ask(fixture, "A mistake");
  await queue.getByText("A mistake").waitFor();
  await queue.getByRole("button", { name: "Take back: A mistake" }).click();
  await page.waitForFunction(
    () => document.querySelector<HTMLTextAreaElement>(".composer-text")?.value === "A mistake",
  );
  await ask(fixture, "Later, please");
  await composerOf(page).fill("Look at line two");
  await composerOf(page).press("ControlOrMeta+Enter");
  await queue.getByText("Later, please").waitFor();
  await queue.getByText("Look at line two").waitFor();
  await logOf(page).getByText("And this is the follow-up.").waitFor();
  await queue.waitFor({ state: "detached" });
  const said = await logOf(page).getByRole("article", { name: "You" }).allInnerTexts();
  assert.deepEqual(said.slice(-2), ["Look at line two", "Later, please"]);
  await page.waitForTimeout(200);
  const toEnd = page.getByRole("button", { name: /To the end|New messages/ });
  assert.equal(await toEnd.count(), 0, "whoever was at the end is still there");
  assert.deepEqual(fixture.complaints, []);
});

test("a second click after steering does not stop the agent, and what is written next lands in the composer", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openBrowserFixture(t, { files, script: [{ text: long, delayMs: 60 }] });
  const { page } = fixture;
  await ask(fixture, "Begin");
  await logOf(page).getByText("Sentence number 0 is").waitFor();
  await composerOf(page).fill("Look at line two");
  const steer = page.getByRole("button", { name: "Steer now" });
  const { x, y } = (await steer.boundingBox()) ?? { x: 0, y: 0 };
  await steer.click();
  await page.keyboard.type("And then");
  assert.equal(await composerOf(page).inputValue(), "And then");
  await composerOf(page).fill("");
  await steer.waitFor({ state: "detached" });
  await page.mouse.click(x + 8, y + 8);
  await logOf(page).getByText("Sentence number 12 is").waitFor();
  assert.equal(await page.getByRole("button", { name: "Stop the agent" }).count(), 1);
  assert.deepEqual(fixture.complaints, []);
});

test("what the agent never heard comes back into the composer", { skip: noChromium }, async (t) => {
  const fixture = await openBrowserFixture(t, { files, script: [{ text: long, delayMs: 60 }] });
  const { page } = fixture;
  await ask(fixture, "Begin");
  await logOf(page).getByText("Sentence number 0 is").waitFor();
  await ask(fixture, "Never heard");
  await page.getByRole("list", { name: "Messages that wait" }).getByText("Never heard").waitFor();
  await page.getByRole("button", { name: "Stop the agent" }).click();
  await logOf(page).getByText("Stopped. Nothing was changed.").waitFor();
  await page.waitForFunction(
    () => document.querySelector<HTMLTextAreaElement>(".composer-text")?.value === "Never heard",
  );
  // What is being written outlives the page.
  await page.reload();
  await page.waitForFunction(
    () => document.querySelector<HTMLTextAreaElement>(".composer-text")?.value === "Never heard",
  );
  assert.deepEqual(fixture.complaints, []);
});

test("a question is answered with an option, in own words, or skipped, also after a reload", {
  skip: noChromium,
}, async (t) => {
  const question = (words: string, options: readonly string[]) => ({
    toolCalls: [{ name: "clarify_user", arguments: { question: words, options } }],
  });
  const fixture = await openBrowserFixture(t, {
    files,
    script: [
      question("Which heading?", ["The first", "All of them"]),
      question("Which colour?", []),
      question("And which size?", ["Small"]),
      { toolCalls: [edit] },
      { text: "It is done." },
    ],
  });
  const { page } = fixture;
  await ask(fixture, "Change the headings");
  const option = page.getByRole("button", { name: "All of them" });
  await option.waitFor();
  // Nobody was writing, so the card has the focus, and none of its answers: what is typed on becomes a message.
  await page.waitForFunction(() => document.activeElement?.classList.contains("chat-answers"));
  await page.keyboard.type(" and the rest");
  assert.equal(await composerOf(page).inputValue(), " and the rest");
  assert.equal(await logOf(page).getByText("You answered").count(), 0);
  await composerOf(page).fill("");
  await option.click();
  await logOf(page).getByText("You answered: All of them").waitFor();
  await logOf(page).getByText("Which colour?").waitFor();
  await page.reload();
  await page.getByRole("textbox", { name: "Your answer" }).fill("Green");
  await page.keyboard.press("Enter");
  await logOf(page).getByText("You answered: Green").waitFor();
  await page.getByRole("button", { name: "Small" }).waitFor();
  await page.getByRole("button", { name: "Skip", exact: true }).click();
  await logOf(page).getByText("You skipped this.").waitFor();
  await logOf(page).getByText("It is done.").waitFor();
  await logOf(page).getByText("Proposed 1 change in one file").waitFor();
  // The same is there when it comes from the session.
  await page.reload();
  await logOf(page).getByText("You answered: Green").waitFor();
  await logOf(page).getByText("You skipped this.").waitFor();
  const seen =
    fixture.model.requests
      .at(-1)
      ?.messages.map((message) => JSON.stringify(message))
      .join("\n") ?? "";
  for (const answer of ["All of them", "Green", "no_user_answer"]) assert.ok(seen.includes(answer), answer);
  assert.deepEqual(fixture.complaints, []);
});

test("decisions become part of the conversation", { skip: noChromium }, async (t) => {
  const fixture = await openBrowserFixture(t, {
    files,
    script: [{ toolCalls: [edit] }, { text: "Changed." }],
  });
  const { page, served } = fixture;
  await ask(fixture, "Change line four");
  await logOf(page).getByText("Proposed 1 change in one file").waitFor();
  await served.client.call("decide", { body: { everything: true, verdict: "accept" } });
  await logOf(page).getByText("You accepted 1 change.").waitFor();
  await logOf(page).getByText("Changed one file. Everything is decided.").waitFor();
  await page.keyboard.press("Alt+u");
  await logOf(page).getByText("You undid your decision on 1 change.").waitFor();
  await logOf(page).getByText("Proposed 1 change in one file", { exact: true }).waitFor();
  assert.deepEqual(fixture.complaints, []);
});

test("long work shows how many subagents are at it, and is cancelled from its card", {
  skip: noChromium,
}, async (t) => {
  const book = "Tobias walked with Mara to the harbour, and it rained on the boats.\n\n".repeat(900);
  const fixture = await openBrowserFixture(t, {
    files: { "book.md": book },
    script: async (_, index) => {
      if (index === 0) return { toolCalls: [{ name: "analyze_document", arguments: { task: "plot" } }] };
      await new Promise((done) => setTimeout(done, 60_000).unref());
      return { text: "Too late." };
    },
  });
  const { page } = fixture;
  await page.getByRole("treeitem", { name: /book\.md/ }).dblclick();
  await page.getByRole("tab", { name: /book\.md/ }).waitFor();
  await page.getByRole("button", { name: "Switch toolset" }).click();
  await page.getByRole("button", { name: /^Tabs/ }).click();
  await ask(fixture, "What happens in the book?");
  await logOf(page)
    .getByRole("button", { name: /Analyse the document: plot\W+running/ })
    .waitFor();
  await logOf(page).getByText("4 subagents").waitFor();
  await logOf(page).getByRole("button", { name: "Cancel" }).click();
  await logOf(page).getByText("Stopped. Nothing was changed.").waitFor();
  await logOf(page)
    .getByRole("button", { name: /Analyse the document: plot\W+(?:stopped|failed)/ })
    .waitFor();
  assert.deepEqual(fixture.complaints, []);
});

test("a turn that did not finish says why, also after a reload, and can go on", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openBrowserFixture(t, {
    files,
    script: [{}, { text: "Half of an", stop: "length" }, { text: "All of it." }],
  });
  const { page } = fixture;
  const goOn = page.getByRole("button", { name: "Go on", exact: true });
  // An empty answer to the first message of a conversation takes nothing away.
  await ask(fixture, "Tell me");
  await goOn.waitFor();
  await page.reload();
  await logOf(page).getByText("Tell me").waitFor();
  await logOf(page).getByText("It is not finished.").waitFor();
  await goOn.click();
  await logOf(page).getByText("Half of an").waitFor();
  await page.waitForFunction(() => document.querySelectorAll(".chat-error.stopped").length === 2);
  assert.equal(await goOn.count(), 1, "only the last stop can go on");
  await goOn.click();
  await logOf(page).getByText("All of it.").waitFor();
  await goOn.waitFor({ state: "detached" });
  await page.reload();
  await logOf(page).getByText("All of it.").waitFor();
  assert.equal(await page.locator(".chat-error.stopped").count(), 2);
  assert.deepEqual(fixture.complaints, []);
});
