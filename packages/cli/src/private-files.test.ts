// Who can read what Stet leaves behind: its own files only their owner, files of the workspace whoever the person's umask lets.

import assert from "node:assert/strict";
import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { type TestContext, test } from "node:test";
import { startScriptedModel } from "@stet/testkit/scripted-model";
import type { ScriptedReply } from "@stet/testkit/scripted-model-reply";
import { StetProject } from "@stet/testkit/stet-project";

/** A project of a person who set no folder of their own, and whose umask lets everybody read. */
function project(t: TestContext, umask = 0o022): StetProject {
  const former = process.umask(umask);
  t.after(() => process.umask(former));
  const made = new StetProject(t, { "a.md": "one\ntwo\n", "b.md": "three\n" });
  delete made.environment.STET_DATA_DIR;
  delete made.environment.XDG_CONFIG_HOME;
  return made;
}

const dataOf = ({ folder }: StetProject) => join(dirname(folder), ".local", "share", "stet");
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

/** Every file and folder that somebody else may read, write or enter, with its mode. */
function openToOthers(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .concat(folder)
    .filter((path) => (lstatSync(path).mode & 0o077) !== 0 && !lstatSync(path).isSymbolicLink())
    .map((path) => `${relative(folder, path)} ${modeOf(path)}`);
}

const firstCommands = [
  ["doctor"],
  ["tabs", "open", "a.md"],
  ["search", "two"],
  ["review"],
  ["checkpoints"],
  ["sessions", "prompts"],
  ["trust"],
  ["permissions"],
  ["-p", "Replace two by 2 in a.md", "--model", "practice"],
];

for (const command of firstCommands)
  test(`nobody else can read what is left by "stet ${command.join(" ")}" as the first command`, async (t) => {
    const place = project(t);
    await place.stet(command);
    assert.deepEqual(openToOthers(dataOf(place)), []);
  });

test("nobody else can read what the server leaves", async (t) => {
  const place = project(t);
  const { code, screen } = await place.stet(["serve", "--port", "0"], {
    isTerminal: true,
    person: async ({ sees, interrupts }) => {
      await sees(/http/);
      interrupts();
    },
  });
  assert.equal(code, 0, screen);
  const left = readdirSync(dataOf(place), { recursive: true }).map(String);
  assert.ok(
    left.some((path) => path.endsWith("server.sqlite")),
    left.join("\n"),
  );
  assert.deepEqual(openToOthers(dataOf(place)), []);
});

async function turn(
  t: TestContext,
  place: StetProject,
  replies: readonly ScriptedReply[],
  args: string[] = [],
) {
  const model = await startScriptedModel(replies);
  t.after(() => model.close());
  const env = { OPENAI_COMPATIBLE_BASE_URL: `${model.url}/v1`, STET_MODEL: "openai-compatible/scripted" };
  const words = ["-p", "do it", "--toolset", "code", "--permission", "full", ...args];
  const ended = await place.stet(words, { env });
  assert.equal(ended.code, 0, ended.screen);
}

const long = "x".repeat(200);

test("nobody else can read what a turn with commands, deletions and long outputs leaves, nor an export of it", async (t) => {
  const place = project(t);
  await turn(t, place, [
    {
      toolCalls: [
        { name: "bash", arguments: { command: `for i in $(seq 2000); do echo ${long}; done; rm b.md` } },
      ],
    },
    { toolCalls: [{ name: "write", arguments: { path: "c.md", content: "new\n" } }] },
    { text: "Done." },
  ]);
  await place.stet(["search", "new"]);
  const { out } = await place.stet(["sessions", "list", "--json"]);
  const [session]: { id: string }[] = JSON.parse(out);
  const exported = await place.stet(["sessions", "export", session?.id ?? "", "out.md"]);
  assert.equal(exported.code, 0, exported.screen);
  assert.equal(modeOf(join(place.folder, "out.md")), "600");
  assert.deepEqual(
    openToOthers(dataOf(place)).filter((path) => !path.includes("/deletions/")),
    [],
  );
});

test("files that an earlier version left open to others are closed by the next command", async (t) => {
  const place = project(t);
  await place.stet(["-p", "Replace two by 2 in a.md", "--model", "practice"]);
  const data = dataOf(place);
  const paths = readdirSync(data, { recursive: true, withFileTypes: true }).map((entry) =>
    join(entry.parentPath, entry.name),
  );
  const mark = paths.find((path) => path.endsWith("/.private"));
  if (mark !== undefined) chmodSync(mark, 0o600);
  for (const path of [data, ...paths]) chmodSync(path, statSync(path).isDirectory() ? 0o755 : 0o644);
  assert.notDeepEqual(openToOthers(data), []);
  await place.stet(["models"]);
  assert.deepEqual(openToOthers(data), []);
});

test("a data folder that the person made and named keeps its mode, and what else is in it is left alone", async (t) => {
  const place = project(t);
  const data = join(dirname(place.folder), "shared");
  mkdirSync(data, { mode: 0o755 });
  writeFileSync(join(data, "theirs.txt"), "theirs\n", { mode: 0o644 });
  mkdirSync(join(data, "projects"), { mode: 0o755 });
  await place.stet(["review"], { env: { STET_DATA_DIR: data } });
  assert.equal(modeOf(data), "755");
  assert.equal(modeOf(join(data, "theirs.txt")), "644");
  assert.equal(modeOf(join(data, "projects")), "700");
});

for (const [umask, file, folder] of [
  [0o022, "644", "755"],
  [0o077, "600", "700"],
] as const)
  test(`with umask ${umask.toString(8)} files of the workspace get ${file}, by tools and by commands`, async (t) => {
    const place = project(t, umask);
    await turn(t, place, [
      { toolCalls: [{ name: "write", arguments: { path: "made/tool.md", content: "new\n" } }] },
      { toolCalls: [{ name: "bash", arguments: { command: "mkdir run && echo new > run/command.md" } }] },
      { text: "Done." },
    ]);
    const modes = (...names: string[]) => names.map((name) => modeOf(join(place.folder, name)));
    assert.deepEqual(modes("made/tool.md", "run/command.md"), [file, file]);
    assert.deepEqual(modes("made", "run"), [folder, folder]);
    assert.equal(process.umask(), umask);
  });
