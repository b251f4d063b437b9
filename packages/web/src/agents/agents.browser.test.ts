// Agents at work as a person meets them: who does what, a question that one asks, one that is steered, one that is stopped,
// and whose change is whose in the review.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { seriousViolations } from "@stet/testkit/accessibility";
import {
  type BrowserFixture,
  type BrowserFixtureOptions,
  noChromium,
  openBrowserFixture,
} from "@stet/testkit/browser";
import { isFull } from "@stet/testkit/depth";
import { becomes } from "@stet/testkit/renamed-fixture";
import type { SeenRequest } from "@stet/testkit/scripted-model";
import type { ScriptedReply } from "@stet/testkit/scripted-model-reply";
import { temporaryFolder } from "@stet/testkit/temporary";
import type { Page } from "playwright-core";

type Step = ScriptedReply | ((request: SeenRequest) => ScriptedReply | Promise<ScriptedReply>);
/** One reply after another, by words of what the person has asked or another agent has assigned. */
type Script = Readonly<Record<string, readonly Step[]>>;

const call = (name: string, given: object): ScriptedReply => ({ toolCalls: [{ name, arguments: given }] });
const reads = (path: string) => call("read", { path });
const edits = (path: string, old_text: string, new_text: string) =>
  call("edit", { path, edits: [{ old_text, new_text }] });
const yields = (result: string) => call("yield", { result });
const asks = (question: string, options: readonly string[]) =>
  call("ask", { questions: [{ id: "1", question, options: options.map((label) => ({ label })) }] });
const sends = (agent: string, tasks: Readonly<Record<string, string>>) =>
  call("task", {
    agent,
    tasks: Object.entries(tasks).map(([id, assignment]) => ({ id, description: `does ${id}`, assignment })),
  });

/** Whoever has nothing in the script says that it is done. */
function played(script: Script): (request: SeenRequest) => ScriptedReply | Promise<ScriptedReply> {
  const keys = Object.keys(script);
  const keyIn = (text: string) => keys.find((key) => text.includes(key));
  return (request) => {
    const { messages } = request;
    const at = messages.findLastIndex(({ role, text }) => role === "user" && keyIn(text) !== undefined);
    const steps = script[keyIn(messages[at]?.text ?? "") ?? ""] ?? [];
    const index = messages.slice(at).filter(({ role }) => role === "assistant").length;
    const step = steps[index] ?? { text: "That is all." };
    return typeof step === "function" ? step(request) : step;
  };
}

const heardIn = ({ messages }: SeenRequest) => messages.map(({ text }) => text).join("\n");

/** Holds an agent until the test lets it go on. */
function gate() {
  const { promise: passed, resolve: open } = Promise.withResolvers<void>();
  return {
    open,
    before: (reply: ScriptedReply) => async () => {
      await passed;
      return reply;
    },
  };
}

const composerOf = (page: Page) => page.getByRole("textbox", { name: "Message to the agent" });
const logOf = (page: Page) => page.getByRole("log", { name: "Conversation" });
const sectionOf = (page: Page) => page.getByRole("region", { name: "Agents and background" });
const rowOf = (page: Page, id: string) =>
  sectionOf(page).getByRole("list", { name: "Agents" }).getByRole("listitem").filter({ hasText: id });

async function open(
  t: TestContext,
  script: Script,
  { settings = {}, ...options }: BrowserFixtureOptions & { readonly settings?: object } = {},
): Promise<BrowserFixture> {
  const config = { "edit.mode": "replace", "permission.mode": "auto-edit", toolset: "code", ...settings };
  const folder = temporaryFolder(t, { "stet/config.json": JSON.stringify(config) });
  return openBrowserFixture(t, {
    files: { "a.txt": "one\ntwo\nthree\nfour\nfive\nsix\nseven\n", "b.txt": "red\ngreen\nblue\n" },
    script: played(script),
    environment: { XDG_CONFIG_HOME: folder },
    ...options,
  });
}

async function ask(page: Page, text: string): Promise<void> {
  await composerOf(page).fill(text);
  await composerOf(page).press("Enter");
}

async function rollBack(page: Page, turn: RegExp): Promise<void> {
  const history = page.getByRole("complementary", { name: "History" });
  await history.getByRole("button", { name: turn }).click();
  await history.getByRole("button", { name: /^Roll back everything/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Roll back" }).click();
  await history.getByRole("button", { name: turn }).click();
}

test("agents are seen at work, steered, answered and stopped; each one's changes are decided for themselves, and undone", {
  skip: noChromium,
}, async (t) => {
  const [steered, stopped, asked] = [gate(), gate(), gate()];
  const before = {
    "a.txt": "\uFEFFone\r\ntwo\r\nthree\nfour\nfive\nsix\nseven",
    "b.txt": "red\ngreen\nblue\n",
  };
  const fixture = await open(
    t,
    {
      "Do five things": [
        sends("task", {
          First: "Shout the first line",
          Last: "Shout the last line",
          Colours: "Ask which colour",
          Endless: "Never come back",
          Broken: "Go wrong halfway",
        }),
        { text: "They are at it." },
      ],
      "Shout the first line": [
        reads("a.txt"),
        // What it was about to do is not done: the person's words come first.
        steered.before(edits("a.txt", "one", "One")),
        (request) => edits("a.txt", "one", heardIn(request).includes("Louder, please") ? "ONE" : "one more"),
        yields("The first line shouts."),
      ],
      "Shout the last line": [
        reads("a.txt"),
        edits("a.txt", "seven", "SEVEN"),
        yields("The last line shouts."),
      ],
      "Ask which colour": [
        asked.before(asks("Which colour is it to be?", ["Pink", "Teal"])),
        (request) => edits("b.txt", "green", heardIn(request).includes("Teal") ? "teal" : "pink"),
        yields("It is done."),
      ],
      "Never come back": [reads("b.txt"), stopped.before({ text: "too late" })],
      "Go wrong halfway": [edits("b.txt", "blue", "never"), { fault: { status: 400 } }],
    },
    { files: before },
  );
  const { page } = fixture;
  // A name that is written out is not completed: Enter sends the message.
  await composerOf(page).fill("Do five things with @task");
  await page.getByRole("option", { name: /^@task / }).waitFor();
  await composerOf(page).press("Enter");
  await logOf(page).getByText("They are at it.").waitFor();
  for (const id of ["0-First", "1-Last", "2-Colours", "3-Endless", "4-Broken"])
    await rowOf(page, id).waitFor();
  await rowOf(page, "1-Last").getByText("task, done").waitFor();
  await rowOf(page, "4-Broken").getByText("task, failed").waitFor();
  await rowOf(page, "3-Endless").getByText("task, working").waitFor();
  assert.deepEqual(await seriousViolations(page), []);

  // A question is shown where one looks, named by who asks, and is answered there.
  asked.open();
  const question = sectionOf(page).locator(".chat-question.open");
  await question.getByText("2-Colours asks:").waitFor();
  await question.getByText("Which colour is it to be?").waitFor();
  assert.deepEqual(await seriousViolations(page), []);
  await question.getByRole("button", { name: "Teal" }).click();
  await rowOf(page, "2-Colours").getByText("task, done").waitFor();
  await becomes(() => fixture.read("b.txt"), "red\nteal\nblue\n");

  // One is opened, read and steered, and there is a way back.
  await rowOf(page, "0-First")
    .getByRole("button", { name: /0-First/ })
    .first()
    .click();
  await page.getByRole("heading", { name: "0-First" }).waitFor();
  await logOf(page).getByText("Shout the first line").waitFor();
  await ask(page, "Louder, please");
  steered.open();
  await logOf(page).getByText("Louder, please").waitFor();
  await page.locator(".agents-shown").getByText("task, done").waitFor();
  assert.deepEqual(await seriousViolations(page), []);
  await page.getByRole("button", { name: "Back to the conversation" }).click();
  await logOf(page).getByText("They are at it.").waitFor();

  await rowOf(page, "3-Endless").getByRole("button", { name: "Stop 3-Endless" }).click();
  await rowOf(page, "3-Endless").getByText("task, stopped").waitFor();
  stopped.open();

  // Whose change is whose; rejecting one agent's leaves those of the others.
  await page.getByRole("button", { name: /changes to review/ }).click();
  const review = page.getByRole("complementary", { name: "Review" });
  await review.getByText("by 0-First").waitFor();
  await review.getByText("by 2-Colours").waitFor();
  await review.getByRole("combobox", { name: "Changes of" }).selectOption({ label: "1-Last (1)" });
  await review.getByText("1 of 3 changes").waitFor();
  assert.equal(await review.getByText("by 0-First").count(), 0);
  assert.deepEqual(await seriousViolations(page), []);
  await review.getByRole("button", { name: "Reject all" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Reject them" }).click();
  await becomes(() => fixture.read("a.txt"), before["a.txt"].replace("one", "ONE"));
  await review.getByText("by 0-First").waitFor();
  assert.equal(fixture.read("b.txt"), "red\nteal\nblue\n");

  // Back to before the first of them, and everything is as it was, byte for byte.
  await page
    .getByRole("navigation", { name: "Panels" })
    .getByRole("button", { name: /^History/ })
    .click();
  await page.getByRole("tab", { name: "All checkpoints" }).click();
  await rollBack(page, /^1-Last: Shout the last line/);
  await becomes(() => fixture.read("a.txt"), before["a.txt"]);
  assert.equal(fixture.read("b.txt"), "red\nteal\nblue\n");
  await rollBack(page, /^2-Colours: Ask which colour/);
  await becomes(() => fixture.read("b.txt"), before["b.txt"]);
  assert.equal(fixture.read("a.txt"), before["a.txt"]);
  assert.deepEqual(fixture.complaints, []);
});

test("what an agent asks permission for can be read before it is allowed", {
  skip: noChromium,
}, async (t) => {
  const fixture = await open(
    t,
    {
      "Send one": [sends("task", { Colours: "Change the colour" }), { text: "It is at it." }],
      "Change the colour": [reads("b.txt"), edits("b.txt", "green", "a bluish green"), yields("Changed.")],
    },
    { settings: { "permission.mode": "ask" } },
  );
  const { page } = fixture;
  await ask(page, "With @task: Send one");
  const asked = sectionOf(page).locator(".chat-question.open");
  await asked.getByText("0-Colours asks:").waitFor();
  // The page has not followed that conversation: it reads it from the beginning.
  await page.reload();
  await asked.getByRole("button", { name: "Show its work" }).click();
  await page.getByRole("heading", { name: "0-Colours" }).waitFor();
  await logOf(page)
    .getByText(/a bluish green/)
    .first()
    .waitFor();
  assert.deepEqual(await seriousViolations(page), []);
  assert.equal(fixture.read("b.txt"), "red\ngreen\nblue\n");
  await logOf(page).getByRole("button", { name: "Allow once" }).click();
  await becomes(() => fixture.read("b.txt"), "red\na bluish green\nblue\n");
  assert.deepEqual(fixture.complaints, []);
});

test("what goes on between turns is seen, told to the agent or not, and ended; a command that is waited for can go on by itself", {
  skip: noChromium,
}, async (t) => {
  const until = (file: string) => `until [ -e ${file} ]; do sleep 0.05; done`;
  const fixture = await open(
    t,
    {
      "Keep an eye on it": [
        call("search_tool_bm25", { query: "monitor" }),
        call("search_tool_bm25", { query: "CronCreate" }),
        call("bash", { command: `echo begun; ${until("over")}; echo finished`, async: true }),
        call("monitor", {
          command: `${until("line")}; echo a line came; sleep 600`,
          kind: "log",
          description: "the log",
          persistent: true,
        }),
        call("CronCreate", { cron_expression: "0 9 * * *", prompt: "Look at the mail", recurring: true }),
        call("bash", { command: until("never") }),
        { text: "All of it goes on." },
      ],
      "a line came": [{ text: "I have heard of the line." }],
    },
    { settings: { "permission.mode": "full" } },
  );
  const { page } = fixture;
  await ask(page, "Keep an eye on it");
  // In the conversation the command that is waited for has a way into the background.
  await logOf(page).getByRole("button", { name: "Put in the background" }).click();
  await logOf(page).getByText("All of it goes on.").waitFor();
  const section = sectionOf(page);
  const commands = section.getByRole("list", { name: "Commands in the background" });
  await commands.getByText(/^until \[ -e never/).waitFor();
  await commands
    .getByRole("button", { name: /echo begun/ })
    .first()
    .click();
  await commands.locator("pre").getByText("begun").waitFor();
  await section.getByRole("list", { name: "Timers" }).getByText("Look at the mail").waitFor();
  const marker = page.getByRole("button", { name: "3 commands, 1 timer in the background" });
  await marker.waitFor();
  assert.deepEqual(await seriousViolations(page), []);

  // What happens waits for the person: one is dismissed, one is told.
  writeFileSync(join(fixture.root, "over"), "");
  const waiting = section.getByRole("region", { name: "To tell the agent" });
  await waiting.getByText("Command ended: echo begun").waitFor();
  await commands.locator("pre").getByText("finished").waitFor();
  await waiting.getByRole("button", { name: /^Dismiss: Command ended/ }).click();
  await waiting.waitFor({ state: "detached" });
  writeFileSync(join(fixture.root, "line"), "");
  await waiting.getByText("Monitor: the log: a line came").waitFor();
  assert.deepEqual(await seriousViolations(page), []);
  await waiting.getByRole("button", { name: "Tell the agent now" }).click();
  await logOf(page).getByText("I have heard of the line.").waitFor();
  // Nobody typed it: the conversation says why it was said, with the text on request, also after a reload.
  await page.reload();
  const said = logOf(page).getByRole("button", { name: "Monitor: the log: a line came" });
  await said.click();
  await logOf(page).locator(".chat-delivery pre").getByText("a line came").waitFor();
  assert.deepEqual(await seriousViolations(page), []);

  await section.getByRole("button", { name: "Remove the timer: Look at the mail" }).click();
  await section.getByRole("list", { name: "Timers" }).waitFor({ state: "detached" });
  await commands.getByRole("button", { name: /^Stop until \[ -e never/ }).click();
  await page.getByRole("button", { name: "1 command in the background" }).waitFor();

  // A conversation with work in it is not put aside without a question.
  await page.getByRole("button", { name: "Conversations" }).click();
  await page.getByRole("button", { name: /^Put aside/ }).click();
  const dialog = page.getByRole("dialog", { name: "Work goes on in this conversation" });
  await dialog.getByText("1 command").waitFor();
  await dialog.getByRole("button", { name: "End it and put aside" }).click();
  await page.getByRole("button", { name: "1 command in the background" }).waitFor({ state: "detached" });
  await page.getByRole("heading", { name: "Ask the agent" }).waitFor();
  assert.deepEqual(fixture.complaints, []);
});

test("many agents are a list that is gone through by key, and typing stays what it is", {
  skip: noChromium,
}, async (t) => {
  const count = isFull ? 100 : 40;
  const last = `${count - 1}-Part${count - 1}`;
  const names = Array.from({ length: count }, (_, index) => `Part${index}`);
  const held = gate();
  const fixture = await open(
    t,
    {
      "Many things": [
        sends("task", Object.fromEntries(names.map((name) => [name, `Look into ${name}.`]))),
        { text: "They are at it." },
      ],
      "Look into": [reads("a.txt"), held.before(yields("Looked."))],
    },
    { settings: { "task.maxConcurrency": count } },
  );
  const { page } = fixture;
  await ask(page, "With @task: Many things");
  // All of them begin in this process.
  await logOf(page).getByText("They are at it.").waitFor({ timeout: 120_000 });
  const began = performance.now();
  await composerOf(page).pressSequentially("While they work I go on writing.");
  t.diagnostic(`32 keys while ${count} agents begin: ${Math.round(performance.now() - began)} ms`);
  assert.equal(await composerOf(page).inputValue(), "While they work I go on writing.");
  await sectionOf(page).getByText(`${count} agents at work`).waitFor({ timeout: 120_000 });
  const rows = sectionOf(page).getByRole("list", { name: "Agents" }).getByRole("listitem");
  await rowOf(page, "0-Part0")
    .getByRole("button", { name: /0-Part0/ })
    .first()
    .focus();
  await page.keyboard.press("End");
  await page.locator(`[data-agent="${last}"] .agents-open:focus`).waitFor();
  assert.ok((await rows.count()) < 30, "only what is in sight is in the page");
  // Whoever scrolls away with the wheel has not lost the row that the keys go on from.
  await page.locator(".agents-list").hover();
  await page.mouse.wheel(0, -6000);
  await rowOf(page, "0-Part0").waitFor();
  await page.keyboard.press("ArrowUp");
  await page.locator(`[data-agent="${count - 2}-Part${count - 2}"] .agents-open:focus`).waitFor();
  held.open();
  await page.keyboard.press("Home");
  await page.locator('[data-agent="0-Part0"] .agents-open:focus').waitFor();
  await sectionOf(page)
    .getByText(new RegExp(`^${count} agents ·`))
    .waitFor({ timeout: 120_000 });
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "0-Part0" }).waitFor();
  // One that has ended is asked again, in its own conversation.
  await page.locator(".agents-shown").getByText("task, done").waitFor();
  await ask(page, "Look into Part0 again.");
  await logOf(page).getByText("Look into Part0 again.").waitFor();
  await page.getByText("Give back the result").nth(1).waitFor();
  assert.deepEqual(fixture.complaints, []);
});
