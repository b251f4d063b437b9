// The prompt over a real host: its files, its past, its pictures.

import assert from "node:assert/strict";
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { isFault } from "@stet/protocol/fault";
import { startScriptedModel } from "@stet/testkit/scripted-model";
import { StetProject } from "@stet/testkit/stet-project";
import { stripAnsi } from "@stet/tui/text/ansi";
import { dataFolder } from "@stet/workspace/files/state-folder";
import { slashCommands } from "../commands/table.ts";
import { Connection } from "../connection/connection.ts";
import { OpenConversation } from "../connection/conversation.ts";
import { defaultKeyBindings } from "../keys/bindings.ts";
import { fixedTheme } from "../theme/fixed-theme.ts";
import { PromptEditor, type PromptEditorOptions } from "./prompt-editor.ts";
import type { Submission } from "./submission.ts";

const files = {
  "notes.md": "a\n",
  "src/main.ts": "b\n",
  "src/deep/other file.ts": "c\n",
  "zebra/main.css": "d\n",
};

const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

async function opened(t: TestContext, options: Partial<PromptEditorOptions> = {}) {
  const model = await startScriptedModel([{ text: "Yes." }]);
  t.after(() => model.close());
  const project = new StetProject(t, files);
  const environment: NodeJS.ProcessEnv = {
    ...project.environment,
    OPENAI_COMPATIBLE_BASE_URL: `${model.url}/v1`,
    STET_MODEL: "openai-compatible/scripted",
  };
  const root = realpathSync(project.folder);
  const connection = await Connection.open({ root, environment, onFault: () => {}, onReplaced: () => {} });
  assert.ok(!isFault(connection), String(connection));
  t.after(() => connection.close());
  const sent: Submission[] = [];
  const messages: string[] = [];
  const prompt = new PromptEditor({
    theme: fixedTheme({ colours: "none", isPlain: true }),
    keys: defaultKeyBindings,
    commands: slashCommands,
    folder: root,
    root,
    environment,
    screenRows: () => 40,
    requestRender: () => {},
    api: () => connection.api,
    completeArgument: async () => [],
    onSubmit: async (submission) => {
      sent.push(submission);
      return true;
    },
    tell: (text) => messages.push(text),
    tellFault: (fault) => messages.push(fault.message),
    editText: async (text) => `${text} and more`,
    ...options,
  });
  prompt.isFocused = true;
  return { prompt, sent, messages, root, connection, environment };
}

function press(prompt: PromptEditor, ...keys: string[]): void {
  for (const key of keys) {
    if (key.startsWith('"'))
      for (const character of key.slice(1, -1))
        prompt.handleInput({
          kind: "key",
          id: character === " " ? "space" : character,
          text: character,
          isRelease: false,
        });
    else prompt.handleInput({ kind: "key", id: key, text: undefined, isRelease: false });
  }
}

const screen = (prompt: PromptEditor, width = 80) => prompt.render(width).map(stripAnsi).join("\n");

/** What is found comes a moment later. */
async function seen(prompt: PromptEditor, pattern: RegExp): Promise<void> {
  for (let tries = 0; tries < 400 && !pattern.test(screen(prompt)); tries++) await setTimeout(10);
  assert.match(screen(prompt), pattern);
}

async function sentOnce(sent: readonly Submission[]): Promise<Submission> {
  for (let tries = 0; tries < 400 && sent.length === 0; tries++) await setTimeout(10);
  assert.equal(sent.length, 1);
  const [first] = sent;
  assert.ok(first);
  return first;
}

test("a file is completed behind @: folders first, then what fits, with quotes where its name has blanks", async (t) => {
  const { prompt } = await opened(t);
  press(prompt, '"see @"');
  await seen(prompt, /src\/[\s\S]*zebra\/[\s\S]*notes\.md/);
  press(prompt, '"main"');
  await seen(prompt, /src\/main\.ts/);
  press(prompt, "tab");
  assert.match(prompt.text, /^see @(src\/main\.ts|zebra\/main\.css) $/);
  press(prompt, "ctrl+u", '"@other"');
  await seen(prompt, /other file\.ts/);
  press(prompt, "enter");
  assert.equal(prompt.text, '@"src/deep/other file.ts" ');
  press(prompt, "ctrl+u", '"@src"');
  await seen(prompt, /. src\/\n/);
  press(prompt, "tab");
  assert.equal(prompt.text, "@src/");
  await seen(prompt, /src\/deep\/[\s\S]*src\/main\.ts/);
  press(prompt, "escape");
  assert.equal(prompt.hasList, false);
  assert.equal(prompt.text, "@src/", "Esc closes the list and leaves the text");
});

test("commands are completed behind /, and Enter sends one that takes no arguments", async (t) => {
  const { prompt, sent } = await opened(t);
  press(prompt, '"/qu"');
  await seen(prompt, /\/quit/);
  press(prompt, "enter");
  assert.equal((await sentOnce(sent)).text, "/quit");
  press(prompt, '"a /q"');
  assert.equal(prompt.hasList, false, "a slash inside a message is none");
});

test("a long text becomes a chip that is one character for the cursor and whole again when it is sent", async (t) => {
  const { prompt, sent } = await opened(t);
  const long = Array.from({ length: 120 }, (_, index) => `line ${index} \u001b[31m`).join("\n");
  press(prompt, '"read this: "');
  prompt.handleInput({ kind: "paste", text: long });
  prompt.handleInput({ kind: "paste", text: "short\nenough" });
  assert.match(screen(prompt), /read this: \[Pasted text #1, 120 lines\]short/);
  prompt.handleInput({ kind: "paste", text: "x".repeat(1001) });
  assert.match(screen(prompt), /\[Pasted text #2, 1,001 characters\]/);
  press(prompt, "backspace", "enter");
  assert.equal((await sentOnce(sent)).text, `read this: ${long}short\nenough`);
  press(prompt, "up");
  assert.match(prompt.text, /line 119/, "what was sent is recalled as it was sent");
});

test("5 MB can be pasted, edited around and taken back; sending them is refused with what to do", async (t) => {
  const { prompt, sent, messages } = await opened(t);
  const huge = "0123456789abcde\n".repeat(330_000);
  prompt.handleInput({ kind: "paste", text: huge });
  press(prompt, '" and this"', "home", '"see "');
  assert.match(screen(prompt), /see \[Pasted text #1, 330,000 lines\] and this/);
  press(prompt, "enter");
  for (let tries = 0; tries < 400 && messages.length === 0; tries++) await setTimeout(10);
  assert.match(
    messages[0] ?? "",
    /5,280,013 characters, and a message can have 1,000,000\. Save the long part/,
  );
  assert.equal(sent.length, 0);
  assert.match(
    screen(prompt),
    /see \[Pasted text #1, 330,000 lines\] and this/,
    "nothing that was written is lost",
  );
});

test("a picture is attached from its pasted path and behind @, in the order of the text", async (t) => {
  const { prompt, sent, root } = await opened(t);
  writeFileSync(join(root, "shot one.png"), Buffer.from(pixel, "base64"));
  prompt.handleInput({ kind: "paste", text: `${root.replaceAll(" ", "\\ ")}/shot\\ one.png` });
  assert.match(screen(prompt), /\[Picture #1\]/);
  press(prompt, '" and @notes.md"', "escape", "enter");
  const { text, images } = await sentOnce(sent);
  assert.equal(text, "[Picture #1] and @notes.md", "a file of the folder is read by the agent itself");
  assert.deepEqual(images, [{ data: pixel, mime_type: "image/png" }]);
});

test("a picture that was completed is attached, also where the person stands in a folder of the workspace", async (t) => {
  const { prompt, sent, root } = await opened(t, { folder: join(tmpdir(), "elsewhere") });
  writeFileSync(join(root, "src", "shot.png"), Buffer.from(pixel, "base64"));
  press(prompt, '"what is @shot"');
  await seen(prompt, /src\/shot\.png/);
  press(prompt, "tab", "enter");
  const { text, images } = await sentOnce(sent);
  assert.equal(text, "what is @src/shot.png");
  assert.deepEqual(images, [{ data: pixel, mime_type: "image/png" }]);
});

test("a file that only looks like a picture is told, and the prompt keeps what was written", async (t) => {
  const { prompt, sent, messages, root } = await opened(t);
  writeFileSync(join(root, "fake.png"), "no picture");
  prompt.handleInput({ kind: "paste", text: `'${root}/fake.png'` });
  press(prompt, "enter");
  for (let tries = 0; tries < 400 && messages.length === 0; tries++) await setTimeout(10);
  assert.match(messages[0] ?? "", /fake\.png is not a picture that can be attached/);
  assert.equal(sent.length, 0);
  assert.equal(prompt.text, "[Picture #1]");
});

test("what was sent in another session is found with Ctrl-R and with Up; Esc leaves the draft", async (t) => {
  const { prompt, connection } = await opened(t);
  const conversation = new OpenConversation({ connection, toolset: "code" });
  t.after(() => conversation.close());
  await conversation.open(undefined);
  assert.equal(await conversation.send("mend the broken teapot"), undefined);
  await prompt.loadHistory();
  press(prompt, '"draft"', "ctrl+r", '"teap"');
  await seen(prompt, /mend the broken teapot/);
  press(prompt, "escape");
  assert.equal(prompt.text, "draft");
  press(prompt, "ctrl+r", '"broken"');
  await seen(prompt, /mend the broken teapot/);
  press(prompt, "enter");
  assert.equal(prompt.text, "mend the broken teapot");
  press(prompt, "ctrl+_");
  assert.equal(prompt.text, "draft");
  press(prompt, "up");
  assert.equal(prompt.text, "mend the broken teapot");
});

test("a past that another process holds is told; what was sent here is still found, and all of it afterwards", async (t) => {
  const { prompt, environment, messages } = await opened(t);
  mkdirSync(dataFolder(environment), { recursive: true });
  const holder = new DatabaseSync(join(dataFolder(environment), "prompts.sqlite"));
  holder.exec("CREATE TABLE other (id INTEGER); BEGIN EXCLUSIVE");
  await prompt.loadHistory();
  assert.equal(messages.length, 1);
  press(prompt, '"first words"', "enter");
  await setTimeout(50);
  press(prompt, "ctrl+r");
  await seen(prompt, /first words/);
  await seen(prompt, /the list of your prompts/);
  holder.close();
  press(prompt, '"words"');
  for (let tries = 0; tries < 400 && /the list/.test(screen(prompt)); tries++) await setTimeout(10);
  assert.doesNotMatch(screen(prompt), /the list/);
  assert.match(screen(prompt), /first words/);
});

test("a damaged past is mended by what reads it, and nothing of the file reaches the screen", async (t) => {
  const { prompt, environment } = await opened(t);
  const path = join(dataFolder(environment), "prompts.sqlite");
  mkdirSync(dataFolder(environment), { recursive: true });
  writeFileSync(path, "\u001b[2Jno database at all".repeat(500));
  await prompt.loadHistory();
  press(prompt, '"draft"', "up", "ctrl+r");
  await setTimeout(50);
  assert.ok(!prompt.render(80).join("").includes("\u001b[2J"));
  press(prompt, "escape");
  assert.equal(prompt.text, "draft");
});

test("! and !! say in the border what happens to the command", async (t) => {
  const { prompt, sent } = await opened(t);
  press(prompt, '"!ls @notes.md"', "escape");
  assert.match(screen(prompt), /runs in your shell; the agent is told/);
  press(prompt, "home", '"!"');
  assert.match(screen(prompt), /runs in your shell; the agent is not told/);
  assert.equal(prompt.mode, "private");
  press(prompt, "enter");
  assert.deepEqual(await sentOnce(sent), { text: "!!ls @notes.md", images: [] });
});

test("what is not taken comes back, before what was written since", async (t) => {
  const taken = Promise.withResolvers<boolean>();
  const { prompt } = await opened(t, { onSubmit: () => taken.promise });
  press(prompt, '"/nosuch"', "enter");
  await setTimeout(20);
  assert.equal(prompt.text, "");
  press(prompt, '"next"');
  taken.resolve(false);
  await setTimeout(20);
  assert.equal(prompt.text, "/nosuch\nnext");
});

test("Ctrl-G goes on in the person's editor and takes over what it saved", async (t) => {
  const { prompt } = await opened(t);
  press(prompt, '"one"', "ctrl+g");
  await seen(prompt, /one and more/);
});

test("the prompt fits a terminal of one cell, with a list and a search open", async (t) => {
  const { prompt } = await opened(t, { screenRows: () => 1 });
  for (const keys of [['"/"'], ["escape", "ctrl+r"], ["escape", "ctrl+u", '"!"']]) {
    press(prompt, ...keys);
    await setTimeout(5);
    for (const row of prompt.render(1)) assert.ok(stripAnsi(row).length <= 1, JSON.stringify(row));
  }
});
