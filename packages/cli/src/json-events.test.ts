import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { startScriptedModel } from "@stet/testkit/scripted-model";
import type { ScriptedReply } from "@stet/testkit/scripted-model-reply";
import { StetProject } from "@stet/testkit/stet-project";

interface Event {
  readonly type: string;
  readonly id?: string;
  readonly files?: readonly { readonly path: string; readonly hunks: readonly { readonly id: string }[] }[];
  readonly paths?: readonly string[];
}

function eventsOf(out: string): Event[] {
  return out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

async function withModel(t: TestContext, replies: ScriptedReply[], project: StetProject) {
  const server = await startScriptedModel(replies);
  t.after(() => server.close());
  const env = { OPENAI_COMPATIBLE_BASE_URL: `${server.url}/v1` };
  return (args: string[]) =>
    project.stet(["--model", "openai-compatible/m", "--mode", "json", ...args], { env });
}

test("the first event names the session, and the last ones what can be decided and taken back", async (t) => {
  const project = new StetProject(t);
  const { out, code } = await project.stet(["-p", "Rename Tobias to Elias in novel.md", "--mode", "json"]);
  assert.equal(code, 0);
  const events = eventsOf(out);
  const [first] = events;
  assert.equal(first?.type, "session");
  const list = JSON.parse((await project.stet(["sessions", "--json"])).out);
  assert.equal(first?.id, list[0].id);
  const of = (type: string) => events.find((event) => event.type === type);
  assert.ok(of("turn_start") && of("tool_end") && of("turn_end"));
  assert.deepEqual(of("checkpoint")?.paths, ["novel.md"]);
  const [file] = of("review")?.files ?? [];
  assert.equal(file?.path, "novel.md");
  const hunk = file?.hunks[0]?.id ?? "";
  assert.match((await project.stet(["review", "accept", hunk])).out, /Accepted 1 hunk/);
  const checkpoint = of("checkpoint")?.id ?? "";
  assert.equal((await project.stet(["rollback", checkpoint, "--yes"])).code, 0);
  assert.doesNotMatch(project.read("novel.md"), /Elias/);
});

test("a retry is an event", async (t) => {
  const project = new StetProject(t, {});
  const replies: ScriptedReply[] = [{ fault: { status: 503 } }, { text: "Done." }];
  const stet = await withModel(t, replies, project);
  const { out, note } = await stet(["-p", "go"]);
  const types = eventsOf(out).map(({ type }) => type);
  assert.ok(types.includes("auto_retry_start") && types.includes("auto_retry_end"), `${types} ${note}`);
  assert.equal(types[0], "session");
});

test("retries and fallbacks have exactly the fields that programs know", async (t) => {
  const project = new StetProject(t, {});
  const down = await startScriptedModel(() => ({ fault: { status: 503 } }));
  const up = await startScriptedModel([{ text: "Done." }]);
  t.after(() => Promise.all([down.close(), up.close()]));
  const config = join(String(project.environment.XDG_CONFIG_HOME), "stet");
  mkdirSync(config, { recursive: true });
  const settings = {
    fallbackModels: ["second/m"],
    "retry.baseDelayMs": 1,
    "retry.requestMaxRetries": 1,
    providers: { first: { baseURL: `${down.url}/v1` }, second: { baseURL: `${up.url}/v1` } },
  };
  writeFileSync(join(config, "config.json"), JSON.stringify(settings));
  const words = ["--model", "first/m", "--mode", "json", "-p", "go"];
  const { out, note } = await project.stet(words);
  const shapes = new Map(eventsOf(out).map((event) => [event.type, Object.keys(event).sort()]));
  assert.deepEqual(shapes.get("retry_fallback_applied"), ["from", "role", "to", "type"], note);
  assert.deepEqual(shapes.get("retry_fallback_succeeded"), ["model", "role", "type"]);
  assert.match(note, /second\/m answers\. first\/m failed: /);
});

test("what a retry waits for, and how it ended, have exactly their fields", async (t) => {
  const project = new StetProject(t, {});
  const stet = await withModel(t, [{ fault: { status: 503 } }, { text: "Done." }], project);
  const { out } = await stet(["-p", "go"]);
  const shapes = new Map(eventsOf(out).map((event) => [event.type, Object.keys(event).sort()]));
  assert.deepEqual(shapes.get("auto_retry_start"), [
    "attempt",
    "delayMs",
    "errorMessage",
    "maxAttempts",
    "type",
  ]);
  assert.deepEqual(shapes.get("auto_retry_end"), ["attempt", "success", "type"]);
});

test("what is accepted at once is told with its paths", async (t) => {
  const project = new StetProject(t);
  const words = ["-p", "Rename Tobias to Elias in novel.md", "--mode", "json", "--review", "none"];
  const events = eventsOf((await project.stet(words)).out);
  assert.deepEqual(events.at(-1), { type: "saved", paths: ["novel.md"] });
});
