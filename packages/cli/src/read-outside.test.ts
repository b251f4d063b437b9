import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { startScriptedModel } from "@stet/testkit/scripted-model";
import { StetProject } from "@stet/testkit/stet-project";

test("a file outside the folder is read in mode full, and where a rule allows it; otherwise it is refused", async (t) => {
  const project = new StetProject(t, { "a.md": "one\n" });
  const outside = join(dirname(project.folder), "notes", "log.txt");
  mkdirSync(dirname(outside));
  writeFileSync(outside, "said outside\n");
  const model = await startScriptedModel((request) =>
    request.messages.at(-1)?.role === "toolResult"
      ? { text: "Done." }
      : { toolCalls: [{ name: "read", arguments: { path: outside } }] },
  );
  t.after(() => model.close());
  const env = { OPENAI_COMPATIBLE_BASE_URL: `${model.url}/v1`, STET_MODEL: "openai-compatible/scripted" };
  const answer = async (...args: string[]) => {
    await project.stet(["-p", "read it", "--toolset", "code", ...args], { env });
    return model.requests.at(-1)?.messages.at(-1)?.text ?? "";
  };
  assert.match(await answer(), /not_permitted|not allow|permission/i);
  assert.match(await answer("--permission", "full"), /said outside/);
  const config = join(project.environment.XDG_CONFIG_HOME ?? "", "stet");
  mkdirSync(config, { recursive: true });
  const rule = { tool: "read", target: `${dirname(outside)}/*`, effect: "allow" };
  writeFileSync(join(config, "config.json"), JSON.stringify({ "permission.rules": [rule] }));
  assert.match(await answer(), /said outside/);
});
