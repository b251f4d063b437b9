// What a person sees while a turn runs.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { RunOptions } from "@stet/testkit/run-stet";
import { startScriptedModel } from "@stet/testkit/scripted-model";
import type { ScriptedReply } from "@stet/testkit/scripted-model-reply";
import { StetProject } from "@stet/testkit/stet-project";
import { MarkdownStream } from "./markdown-stream.ts";
import type { Style } from "./terminal.ts";

const poem = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";

async function turn(t: TestContext, replies: ScriptedReply[], options: Partial<RunOptions> = {}) {
  const server = await startScriptedModel(replies);
  t.after(() => server.close());
  const project = new StetProject(t, { "poem.md": poem });
  const env = { OPENAI_COMPATIBLE_BASE_URL: `${server.url}/v1` };
  const args = ["--model", "openai-compatible/m", "--toolset", "code", "--permission", "full", "-p", "go"];
  return project.stet(args, { env, ...options });
}

test("a command is shown with the end of its output, its exit code and its time", async (t) => {
  const command = "for i in $(seq 30); do echo line $i; done; exit 3";
  const { out, note } = await turn(t, [
    { toolCalls: [{ name: "bash", arguments: { command } }] },
    { text: "It failed." },
  ]);
  assert.equal(out, "It failed.\n");
  assert.match(note, /→ Run for i in \$\(seq 30\)/);
  assert.match(note, /… 20 lines before\n {4}line 21\n[\s\S]* {4}line 30\n {4}✗ exit 3, \d+\.\d s\n/);
  assert.match(note, /tokens in, .* out, .*context \d+\.\d %, \d+\.\d s\n/);
});

test("an edit is shown with numbers and the lines around it, when it is made", async (t) => {
  const content = poem.replace("four", "FOUR");
  const { note } = await turn(t, [
    { toolCalls: [{ name: "read", arguments: { path: "poem.md" } }] },
    { toolCalls: [{ name: "write", arguments: { path: "poem.md", content } }] },
    { text: "Done." },
  ]);
  assert.match(note, /→ Read poem\.md\n→ Write poem\.md\n {4}poem\.md\n/);
  assert.match(note, / 3 three\n {4}- 4 four\n {4}\+ 4 FOUR\n {6}5 five/);
  assert.match(note, /poem\.md {2}\+1 \u22121 {2}h_\d+_\d+\n/);
});

test("what a command or a model says cannot steer the terminal", async (t) => {
  const { screen } = await turn(
    t,
    [
      { toolCalls: [{ name: "bash", arguments: { command: "printf '\\033]0;owned\\007 \\033[2J'" } }] },
      { text: "Look: \u001b[2J\u009b2J\u202e." },
    ],
    { isTerminal: true },
  );
  const own = screen.replaceAll("\r\u001b[2K", "");
  const controls = [...own].filter((letter) => /[\p{Cc}\u202e]/u.test(letter) && letter !== "\n");
  assert.deepEqual(controls, []);
  assert.match(own, /Look: \u241b\[2J/);
});

test("in a terminal there is a sign of life before the model says anything; a pipe gets none", async (t) => {
  let seen = "";
  const replies: ScriptedReply[] = [{ text: "Done." }];
  const { screen } = await turn(t, replies, {
    isTerminal: true,
    person: async ({ sees, screen: now }) => {
      await sees(/Starting/);
      seen = now();
    },
  });
  assert.doesNotMatch(seen, /Done/);
  assert.match(screen, /Waiting for the model/);
  const piped = await turn(t, replies);
  assert.doesNotMatch(piped.screen, /Starting|Waiting/);
  assert.equal(piped.out, "Done.\n");
});

test("Markdown is drawn the same however it is cut into pieces", () => {
  const text =
    "# Title\nSome **strong** and `code` words, 2 ** 3 * 4.\n- one\n- **two**\n\n> said\n```js\nconst a = **b**;\n```\nEnd *so*.";
  // Each letter is marked, so that the marks do not depend on the pieces.
  const paint = (style: Style, part: string) => part.replaceAll(/./g, `${String(style)[0]}$&`);
  const drawn = (size: number) => {
    const stream = new MarkdownStream(paint);
    let shown = "";
    for (let at = 0; at < text.length; at += size) shown += stream.write(text.slice(at, at + size));
    return shown + stream.end();
  };
  const whole = drawn(text.length);
  for (const size of [1, 2, 3, 7]) assert.equal(drawn(size), whole, `pieces of ${size}`);
  assert.match(
    whole,
    /^bTbibtblbe\nSome bsbtbrbobnbg and cccocdce words, 2 \*\* 3 \* 4\.\n• one\n• btbwbo\n/,
  );
  assert.match(whole, /\nd│d said\nd`d`d`djds\ncc/);
  assert.match(whole, /End \*so\*\.$/);
});
