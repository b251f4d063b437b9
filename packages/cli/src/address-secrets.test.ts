// A password in an address of a model's server is shown nowhere.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startScriptedModel } from "@stet/testkit/scripted-model";
import { StetProject } from "@stet/testkit/stet-project";

const secret = "hunter2";

test("no command shows the password or the key in a server's address, whatever its form", async (t) => {
  const model = await startScriptedModel(() => ({ fault: { status: 404 } }));
  t.after(() => model.close());
  const { host } = new URL(model.url);
  const addresses = [
    `http://user:${secret}@${host}/v1`,
    `http://${secret}@${host}/v1`,
    `http://${host}/v1?key=${secret}`,
    `http://${host}/v1#${secret}`,
    `http://user:${secret}@127.0.0.1:1/v1`,
    `http://user:${secret}@not a host/v1`,
    `http://user:${secret}@127.0.0.1:99999/v1`,
    `ftp://user:${secret}@${host}/v1`,
    `user:${secret}@${host}`,
    `//user:${secret}@${host}`,
  ];
  const commands = [
    ["models"],
    ["models", "--json"],
    ["config"],
    ["config", "--json"],
    ["doctor"],
    ["-p", "hello", "--model", "openai-compatible/x"],
    ["-p", "hello", "--model", "openai-compatible/x", "--mode", "json"],
    ["-p", "hello", "--model", "ollama/x"],
    ["search", "one"],
    ["sessions", "show", "latest"],
  ];
  const shown: string[] = [];
  for (const address of addresses)
    for (const embeddings of ["off", "openai-compatible/e"]) {
      const project = new StetProject(t, { "a.md": "one\n" });
      const config = join(project.environment.XDG_CONFIG_HOME ?? "", "stet");
      mkdirSync(config, { recursive: true });
      const providers = { "openai-compatible": { baseURL: address }, ollama: { baseURL: address } };
      const retry = { "retry.enabled": false };
      writeFileSync(join(config, "config.json"), JSON.stringify({ providers, embeddings, ...retry }));
      for (const command of commands) {
        const { screen } = await project.stet(command);
        if (screen.includes(secret)) shown.push(`${address}: ${command.join(" ")}: ${screen}`);
      }
    }
  assert.deepEqual(shown, []);
});
