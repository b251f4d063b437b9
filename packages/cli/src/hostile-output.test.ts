// Every command, with hostile names, file contents, words of models and servers, and configuration: whatever is printed, a
// terminal obeys nothing but our own styles and movements, and a person sees what is there.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { inspect } from "node:util";
import { visible } from "@stet/protocol/visible";
import {
  environmentBelow,
  type RunOptions,
  runStet,
  type StetResult,
  type TypedInput,
} from "@stet/testkit/run-stet";
import { type ScriptedModel, startScriptedModel } from "@stet/testkit/scripted-model";
import type { ScriptedReply } from "@stet/testkit/scripted-model-reply";
import { temporaryFolder } from "@stet/testkit/temporary";
import { type CommandEntry, commandTable } from "./command-table.ts";

/** Clipboard, colour, screen (C1), direction of text, nothing that is seen, backspaces, a line written over, a tag. */
const evil = "\u001b]52;c;cHduZWQ=\u0007\u001b[41m\u009b2J\u202e\u200b\u007f\b\r\u{e0041}";
const movements = ["\r\u001b[2K", "\b \b"];

interface ProjectFixture {
  readonly home: string;
  readonly folder: string;
  readonly model: ScriptedModel;
  replies: ScriptedReply[];
  run(args: readonly string[], options?: Partial<RunOptions>): Promise<StetResult>;
  /** One turn with these replies. */
  turn(
    replies: ScriptedReply[],
    args?: readonly string[],
    options?: Partial<RunOptions>,
  ): Promise<StetResult>;
  configure(content: string): void;
}

/** Documents have no controls in their names, but everything else. */
const name = "a\u202e\u200b\u{e0041}.md";

async function place(t: TestContext): Promise<ProjectFixture> {
  const home = temporaryFolder(t);
  const folder = join(home, `pro${evil}ject`);
  mkdirSync(folder);
  writeFileSync(join(folder, name), `one ${evil}\ntwo\nthree ${evil}\n`);
  writeFileSync(join(folder, `b${evil}.md`), "one\n");
  writeFileSync(join(folder, "AGENTS.md"), `Notes ${evil}\n`);
  const made: ProjectFixture = {
    home,
    folder,
    replies: [],
    model: await startScriptedModel(() => made.replies.shift() ?? { text: "Done." }, {
      models: [`m${evil}`],
    }),
    run: (args, options = {}) =>
      runStet(args, { cwd: folder, ...options, env: { ...environment, ...options.env } }),
    turn(replies, args = [], options = {}) {
      made.replies = replies;
      return made.run(["-p", `do ${evil}`, "--toolset", "code", "--permission", "full", ...args], options);
    },
    configure(content) {
      mkdirSync(join(home, "config", "stet"), { recursive: true });
      writeFileSync(join(home, "config", "stet", "config.json"), content);
    },
  };
  const environment = {
    ...environmentBelow(home),
    OPENAI_COMPATIBLE_BASE_URL: `${made.model.url}/v1`,
    STET_MODEL: "openai-compatible/scripted",
  };
  t.after(() => made.model.close());
  return made;
}

const edits = (text: string): ScriptedReply[] => [
  call("read", { path: name }),
  call("write", { path: name, content: `one ${evil}\n${text} ${evil}\nthree ${evil}\n` }),
  said,
];
const call = (tool: string, args: object): ScriptedReply => ({
  toolCalls: [{ name: tool, arguments: args }],
});
const said = { text: `Said ${evil}.` };

const answering =
  (keys: string) =>
  async ({ sees, types }: TypedInput) => {
    await sees(/> $|\(y\/n\) $/);
    types(keys);
  };

interface Case {
  readonly args: readonly string[];
  readonly options?: Partial<RunOptions>;
  /** What the model says to it. */
  readonly replies?: ScriptedReply[];
  /** Before it. */
  readonly prepare?: (at: ProjectFixture) => unknown;
  /** Nothing hostile can be part of it. */
  readonly isOwnWords?: boolean;
}

/** The newest of them, for the words ID and CHECKPOINT. */
async function newest({ run }: ProjectFixture, command: "sessions" | "checkpoints"): Promise<string> {
  const [first]: { id?: string; checkpoint_id?: string }[] = JSON.parse((await run([command, "--json"])).out);
  return first?.id ?? first?.checkpoint_id ?? "";
}

const turnArgs = ["--toolset", "code", "--permission", "full", "-p", `do ${evil}`];

const cases: readonly Case[] = [
  // The words of the command line.
  { args: [`x${evil}`] },
  { args: ["help", `x${evil}`] },
  { args: [`--x${evil}`] },
  { args: ["-C", `x${evil}`, "review"] },
  { args: ["review", `x${evil}`] },
  { args: ["models", `x${evil}`] },
  { args: ["models", "use", `openai-compatible/${evil}`], isOwnWords: true },
  { args: ["models", "favourite", evil] },
  { args: ["models", "unfavourite", evil] },
  { args: ["models", "test", evil] },
  { args: ["login", evil], isOwnWords: true },
  {
    args: ["login", "x", "--address", `http://${evil}`],
    options: { person: ({ types }) => types("\r\r\r\r") },
    isOwnWords: true,
  },
  { args: ["logout", evil] },
  { args: ["search", "one", "--limit", evil] },
  { args: ["-p", "x", "--mode", evil] },
  { args: ["-p", "x", "--max-cost", evil] },
  { args: ["-p", "x", "--model", `openai-compatible/${evil}`] },
  { args: ["-p", "x", "--model", evil] },
  { args: ["-p", "x", "--resume", evil] },
  { args: ["-p", "x", "--tab", evil] },
  { args: ["-p", `@"${evil}.md" x`] },
  // A turn: what the model says and calls, what tools and servers answer.
  { args: turnArgs, replies: [{ ...said, thinking: `Thought ${evil}` }] },
  {
    args: turnArgs,
    replies: [{ text: `# ${evil}\n- **${evil}** \`${evil}\`\n\`\`\`${evil}\n${evil}\n\`\`\`\n` }],
  },
  { args: turnArgs, replies: [call(`tool${evil}`, { path: evil, [evil]: evil }), said] },
  { args: turnArgs, replies: [call("read", { path: evil }), call("read", { path: name }), said] },
  { args: turnArgs, replies: [call("search", { pattern: evil }), said] },
  {
    args: turnArgs,
    replies: [call("bash", { command: `printf 'x\\033]0;t\\007\\n'; echo '${evil}'; exit 3` }), said],
  },
  { args: turnArgs, replies: [call("write", { path: `new${evil}.md`, content: `${evil}\n` }), said] },
  { args: turnArgs, replies: edits("2") },
  { args: turnArgs, replies: [{ toolCalls: [{ name: "read", arguments: `{"path": "${evil}` }] }, said] },
  {
    args: turnArgs,
    replies: [{ fault: { status: 400, body: JSON.stringify({ error: { message: evil } }) } }],
  },
  { args: turnArgs, replies: [{ fault: { status: 401, body: evil } }] },
  { args: turnArgs, replies: [{ fault: { status: 404, body: `<title>${evil}</title>` } }] },
  { args: [...turnArgs, "--mode", "json"], replies: [call(`tool${evil}`, {}), ...edits("3")] },
  {
    args: ["--toolset", "project", "-p", evil],
    replies: [call("read_file", { file_path: name }), call(evil, {}), said],
  },
  { args: ["--toolset", "tabs", "--tab", name, "-p", evil], replies: [call("list_tabs", {}), said] },
  { args: ["--toolset", "paper", "--tab", name, "-p", evil], replies: [said] },
  // Questions.
  {
    args: ["--toolset", "code", "-p", "ask", "--permission", "ask"],
    replies: [call("bash", { command: `touch '${evil}'` }), said],
    options: { person: answering(`no ${evil}\u007f\u007f\u007f\r`) },
  },
  {
    args: ["--toolset", "code", "-p", "ask", "--permission", "ask"],
    replies: edits("4"),
    options: { person: answering("n\r") },
  },
  {
    args: ["--toolset", "project", "-p", "ask"],
    replies: [call("clarify_user", { question: `Which ${evil}?`, options: [`This ${evil}`, "That"] }), said],
    options: { person: answering("9\r1\r") },
  },
  {
    args: ["-p", "trusted"],
    replies: [said],
    prepare: ({ folder }) => {
      mkdirSync(join(folder, ".stet"));
      writeFileSync(join(folder, ".stet", "config.json"), JSON.stringify({ [`key${evil}`]: evil }));
    },
    options: { person: answering("y") },
  },
  // A trusted folder's configuration, and one's own.
  { args: ["config"] },
  { args: ["permissions"] },
  {
    args: ["config"],
    prepare: ({ folder }) => writeFileSync(join(folder, ".stet", "config.json"), `{"a": ${evil}`),
  },
  { args: ["search", "one"] },
  {
    args: ["config"],
    prepare: ({ folder }) => writeFileSync(join(folder, ".stet", "config.json"), "{}"),
    isOwnWords: true,
  },
  {
    args: ["doctor"],
    prepare: ({ configure }) => configure(`{"model": "${evil.replaceAll("\u001b", "\\u001b")}`),
  },
  { args: ["config"], prepare: ({ configure }) => configure(JSON.stringify({ [evil]: 1, thinking: evil })) },
  { args: ["models"] },
  {
    args: ["config"],
    prepare: ({ configure, model }) =>
      configure(
        JSON.stringify({
          providers: { [`p${evil}`]: { baseURL: `${model.url}/v1/${evil}` } },
          "permission.rules": [{ tool: "bash", target: `x${evil}*`, effect: "allow" }],
        }),
      ),
  },
  { args: ["config", "--json"] },
  { args: ["models"] },
  { args: ["models", "--json"] },
  { args: ["permissions"] },
  { args: ["permissions", "remove", evil] },
  { args: ["doctor"] },
  { args: ["doctor", "--json"] },
  { args: ["trust", "--off"] },
  { args: ["trust"] },
  // Tabs, search and review.
  { args: ["tabs", "open", name] },
  { args: ["tabs", "open", evil] },
  { args: ["tabs", "front", evil] },
  { args: ["tabs", "--json"] },
  { args: ["tabs", "close", evil] },
  { args: ["search", "one"] },
  { args: ["search", "three", "--json"] },
  { args: ["search", "one", "--file", evil] },
  { args: ["review"], prepare: ({ turn }) => turn(edits("5")) },
  { args: ["review", "--json"] },
  { args: ["review", "show"] },
  { args: ["review", "show", evil] },
  { args: ["review", "accept", "--file", evil] },
  { args: ["review", "accept", evil] },
  { args: ["review", "reject", "--file", name], isOwnWords: true },
  { args: ["review", "undo"], isOwnWords: true },
  {
    args: ["review", "step"],
    options: { person: ({ types }) => types("x?\u0001aq") },
  },
  { args: ["review", "undo", evil], isOwnWords: true },
  { args: ["review", "resolve", evil, "--keep"] },
  { args: ["review", "resolve", name, "--reload"] },
  {
    args: ["review"],
    prepare: ({ turn, folder }) =>
      turn(edits("6")).then(() => writeFileSync(join(folder, name), `disk ${evil}\n`)),
  },
  { args: ["review", "accept", "--all"], isOwnWords: true },
  { args: ["checkpoints"] },
  { args: ["checkpoints", "--json"] },
  { args: ["checkpoints", evil] },
  { args: ["rollback", evil, "--yes"] },
  { args: ["rollback", "CHECKPOINT", "--dry-run"] },
  { args: ["rollback", "CHECKPOINT"], options: { person: answering("n") } },
  // Sessions.
  { args: ["sessions"] },
  { args: ["sessions", "--all"] },
  { args: ["sessions", "--json"] },
  { args: ["sessions", "show", evil] },
  { args: ["sessions", "show", "ID"] },
  { args: ["sessions", "rename", "ID", evil] },
  { args: ["sessions"] },
  { args: ["sessions", "export", "ID"] },
  { args: ["sessions", "export", "ID", `${evil}.html`] },
  { args: ["sessions", "export", "ID", `${evil}.html`] },
  { args: ["sessions", "export", "ID", `${evil}/x.md`] },
  { args: ["sessions", "export", "ID", `${evil}/x.md`], options: { env: { STET_LOG: "stderr" } } },
  { args: ["sessions", "import", evil] },
  { args: ["sessions", "import", name] },
  { args: ["sessions", "fork", "ID"], isOwnWords: true },
  { args: ["sessions", "branch", "ID", evil] },
  {
    args: ["sessions", "compact", "ID"],
    replies: [{ text: `Summary ${evil}` }, { text: `Summary ${evil}` }],
  },
  { args: ["sessions", "prompts"] },
  { args: ["sessions", "prompts", "do"] },
  { args: ["sessions", "remove", evil] },
  // Agents and jobs. What runs is listed in commands/jobs.test.ts.
  {
    args: ["agents"],
    prepare: ({ home }) => {
      const agents = join(home, "config", "stet", "agents");
      mkdirSync(agents, { recursive: true });
      const front = { description: `Reads ${evil}`, tools: [evil], model: evil };
      writeFileSync(
        join(agents, `one${evil}.md`),
        `---\n${JSON.stringify({ ...front, name: "one" })}\n---\nRead.\n`,
      );
      writeFileSync(join(agents, "two.md"), `---\n${evil}\n---\n`);
    },
  },
  { args: ["agents", "--json"] },
  { args: ["jobs"], isOwnWords: true },
  { args: ["jobs", "stop", evil] },
  { args: ["jobs", "--session", evil], isOwnWords: true },
  // Servers.
  { args: ["serve", "--root", evil] },
  { args: ["serve", "--host", evil] },
  { args: ["serve", "--tls-cert", evil, "--tls-key", evil] },
  { args: ["serve", "--store", evil], isOwnWords: true },
  { args: ["work", "--store", `postgres://u:p@127.0.0.1:1/${evil}`], isOwnWords: true },
  { args: ["work", "--store", evil], isOwnWords: true },
  {
    args: ["serve", "--port", "0"],
    options: {
      person: async ({ sees, interrupts }) => {
        await sees(/token/);
        interrupts();
      },
    },
  },
  ...["bash", "zsh", "fish"].map((shell) => ({ args: ["completions", shell], isOwnWords: true })),
  { args: ["completions", evil] },
  { args: ["--help"], isOwnWords: true },
];

/** What is left of a screen for a terminal to obey, or for a person to overlook. */
function acting(screen: string): string[] {
  const own = movements.reduce((left, movement) => left.replaceAll(movement, ""), screen);
  return [...new Set([...own].filter((letter) => visible(letter, "everything") !== letter))].map((letter) =>
    inspect(letter),
  );
}

const pictures = /␛|␇|⟨U\+202E⟩|\\u001b|\\u202e/;

test("no command lets a terminal be steered by names, contents, models, servers or configuration", async (t) => {
  const at = await place(t);
  const called = new Set<string>();
  const problems: string[] = [];
  let hostile = 0;
  for (const [index, { args, options = {}, replies = [], prepare, isOwnWords = false }] of cases.entries()) {
    await prepare?.(at);
    const words: string[] = [];
    for (const word of args) {
      if (word === "ID") words.push(await newest(at, "sessions"));
      else if (word === "CHECKPOINT") words.push(await newest(at, "checkpoints"));
      else words.push(word);
    }
    at.replies = [...replies];
    const { screen } = await at.run(words, { isTerminal: true, ...options });
    called.add(`${args[0]} ${args[1]}`).add(String(args[0]));
    const label = `${index}: stet ${visible(args.join(" "), "everything").slice(0, 60)}`;
    for (const found of acting(screen)) problems.push(`${label} prints ${found}`);
    if (pictures.test(screen)) hostile += 1;
    else if (!isOwnWords) problems.push(`${label} shows nothing hostile: ${screen}`);
  }
  assert.deepEqual(problems, []);
  assert.ok(hostile >= 46, `${hostile} outputs with hostile text`);
  const all = Object.entries<CommandEntry>(commandTable).flatMap(([command, { verbs = {} }]) =>
    Object.keys(verbs).length === 0
      ? [command]
      : Object.keys(verbs).map((verb) => (verb === "list" ? command : `${command} ${verb}`)),
  );
  assert.deepEqual(
    all.filter((command) => !called.has(command)),
    [],
    "every command is tried",
  );
  t.diagnostic(`${cases.length} outputs, ${hostile} of them with hostile text`);
});

/** The codes of our own styles, each start and each end. */
const ownCodes = new Set(Object.values(inspect.colors).flatMap((pair) => (pair ?? []).map(String)));
// biome-ignore lint/suspicious/noControlCharactersInRegex: styles begin with one
const styleCodes = /\u001b\[([0-9;]*)m/g;

test("on a real terminal in colours nothing comes out but our own styles and movements", async (t) => {
  const at = await place(t);
  const env = { NO_COLOR: "", COLORTERM: "truecolor" };
  const inTerminal = { as: "process", isTerminal: true, env } as const;
  const turned = await at.turn([call(`tool${evil}`, {}), ...edits("2")], [], inTerminal);
  const shown = await at.run(["review", "show"], inTerminal);
  const asked = await at.turn([call("bash", { command: `touch '${evil}'` }), said], ["--permission", "ask"], {
    ...inTerminal,
    person: answering("n\r"),
  });
  for (const { screen } of [turned, shown, asked]) {
    const codes = [...screen.matchAll(styleCodes)].map(([, code = ""]) => code);
    assert.ok(codes.length > 0, screen);
    const isOwn = (code: string) => code !== "41" && code.split(";").every((part) => ownCodes.has(part));
    assert.deepEqual(
      codes.filter((code) => !isOwn(code)),
      [],
    );
    const plain = screen.replace(styleCodes, "").replaceAll("\r\n", "\n");
    assert.deepEqual(acting(plain), []);
    assert.match(plain, pictures);
  }
});

test("a session that is exported into a pipe is exact, and on a screen it is visible", async (t) => {
  const at = await place(t);
  await at.turn([said]);
  const id = await newest(at, "sessions");
  assert.ok((await at.run(["sessions", "export", id])).out.includes(`Said ${evil}.`));
  assert.deepEqual(acting((await at.run(["sessions", "export", id], { isTerminal: true })).screen), []);
});

test("an answer in a pipe steers nothing, and keeps what writing needs", async (t) => {
  const at = await place(t);
  const { out } = await at.turn([{ text: `\u05d0\u200f 👩\u200d🚒 so\u00adft ${evil}` }]);
  assert.match(out, /^\u05d0\u200f 👩\u200d🚒 so\u00adft ␛\]52;/);
  assert.doesNotMatch(out, /[[\p{Cc}\u202e]--\n]/v);
});
