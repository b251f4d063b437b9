// What one turn in the terminal loads: not the server, nothing that only HTTP needs, and nothing of agents where none is sent.
// And a server that starts: nothing of what agents do, or of what goes on between turns.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type TestContext, test } from "node:test";
import { startScriptedModel } from "@stet/testkit/scripted-model";
import type { ScriptedReply } from "@stet/testkit/scripted-model-reply";
import { StetProject } from "@stet/testkit/stet-project";
import { temporaryFolder } from "@stet/testkit/temporary";

/** The modules of a turn that ends well, by their addresses. */
async function modulesOf(
  t: TestContext,
  replies: readonly ScriptedReply[],
  args: readonly string[],
): Promise<string[]> {
  const model = await startScriptedModel(replies);
  t.after(() => model.close());
  const project = new StetProject(t, { "n.txt": "one\n" });
  const coverage = temporaryFolder(t);
  const env = { OPENAI_COMPATIBLE_BASE_URL: `${model.url}/v1`, NODE_V8_COVERAGE: coverage };
  const words = ["--model", "openai-compatible/m", "--review", "none", "-p", ...args];
  const ended = await project.stet(words, { env, as: "process" });
  assert.deepEqual([ended.code, project.read("n.txt")], [0, "zero\none\n"], ended.note);
  return loadedIn(coverage);
}

/** From what V8 has counted at the end of a process. */
function loadedIn(coverage: string): string[] {
  return readdirSync(coverage).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(coverage, name), "utf8")) as {
      result: { url: string }[];
    };
    return result.map(({ url }) => url);
  });
}

const edit = { file_path: "n.txt", operation: "insert", start_line: 1, new_text: "zero" };
const editing: readonly ScriptedReply[] = [
  { toolCalls: [{ name: "edit_file", arguments: edit }] },
  { text: "Done." },
];

test("a turn in the terminal loads neither the server nor hono nor the schemas of routes", async (t) => {
  const loaded = await modulesOf(t, editing, ["Edit."]);
  assert.ok(loaded.some((url) => url.includes("/packages/host/src/turn/prepare-turn.ts")));
  const unwanted = /\/packages\/(server|postgres)\/|\/node_modules\/(hono|@hono)\/|\/src\/api\/routes\.ts$/;
  assert.deepEqual(
    loaded.filter((url) => unwanted.test(url)),
    [],
  );
});

test("a turn that sends no agent loads nothing of agents and of what goes on between turns", async (t) => {
  const loaded = await modulesOf(t, editing, ["Edit."]);
  const ofAgents =
    /\/packages\/(host\/src\/(agents|open-sessions)|(tools|agent)\/src\/(agents|background|timers))\//;
  assert.deepEqual(
    loaded.filter((url) => ofAgents.test(url)),
    [],
  );
});

test("a turn of toolset code that sends no agent opens no session for them", async (t) => {
  const write = { path: "n.txt", content: "zero\none\n" };
  const replies = [
    { toolCalls: [{ name: "read", arguments: { path: "n.txt" } }] },
    { toolCalls: [{ name: "write", arguments: write }] },
    { text: "Done." },
  ];
  const loaded = await modulesOf(t, replies, ["Write.", "--toolset", "code", "--permission", "full"]);
  const names = loaded.flatMap(
    (url) => /\/packages\/(host\/src\/(?:agents|open-sessions)\/.*)$/.exec(url)?.[1] ?? [],
  );
  assert.deepEqual(names.toSorted(), [
    "host/src/agents/agent-ids.ts",
    "host/src/agents/agent-outputs.ts",
    "host/src/agents/discover-agents.ts",
    "host/src/open-sessions/on-demand-session.ts",
  ]);
  const ofTimers = /\/node_modules\/croner\/|\/cron-expression\.ts$|\/code\/background\/(?!job\.ts$)/;
  assert.deepEqual(
    loaded.filter((url) => ofTimers.test(url)),
    [],
  );
});

test("a server that starts loads nothing that works with agents and timers", async (t) => {
  const { folder: cwd, environment } = new StetProject(t, { "n.txt": "one\n" });
  const coverage = temporaryFolder(t);
  const main = join(import.meta.dirname, "main.ts");
  const args = ["--disable-warning=ExperimentalWarning", main, "serve", "--port", "0", "--json"];
  const env = { ...environment, NODE_V8_COVERAGE: coverage };
  const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
  t.after(() => child.kill("SIGKILL"));
  await once(createInterface(child.stdout), "line");
  child.kill("SIGTERM");
  assert.deepEqual(await once(child, "close"), [0, null]);
  const loaded = loadedIn(coverage);
  assert.ok(loaded.some((url) => url.includes("/packages/host/src/open-sessions/open-sessions.ts")));
  const work =
    /\/packages\/(host\/src\/(agents\/(agent-tree|child-)|open-sessions\/open-session\.ts)|tools\/src\/agents\/|agent\/src\/(background\/|timers\/(?!clock\.ts)))|\/agent-folders\/agent-folder\.ts$|\/node_modules\/croner\//;
  assert.deepEqual(
    loaded.filter((url) => work.test(url)),
    [],
  );
});
