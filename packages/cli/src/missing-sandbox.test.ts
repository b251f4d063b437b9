import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { StetProject } from "@stet/testkit/stet-project";

test("where commands run without a sandbox, the start says so, and that more is asked for", async (t) => {
  const project = new StetProject(t, { "a.md": "one\n" });
  const config = join(project.environment.XDG_CONFIG_HOME ?? "", "stet");
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, "config.json"), JSON.stringify({ "sandbox.enabled": false }));
  const notes = async (...args: string[]) => (await project.stet(["-p", "hello", ...args])).note;
  const line = /Commands run without a sandbox here, so more of them are asked for\. .*sandbox\.enabled/;
  assert.match(await notes("--toolset", "code"), line);
  assert.doesNotMatch(await notes("--toolset", "code", "--permission", "full"), line);
  assert.doesNotMatch(await notes("--toolset", "project"), line);
});
