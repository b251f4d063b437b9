// From no model to an answer in the terminal, on a real screen: a local server by one key, a provider by its key, an error that
// leads to its field.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type ModelScript, startScriptedModel } from "@stet/testkit/scripted-model";
import { StetProject } from "@stet/testkit/stet-project";
import { hasTmux, TmuxPane } from "@stet/testkit/tmux";

const skip = hasTmux ? false : "tmux is not installed";
const secret = "sk-test-0a1b2c3d4e5f60718293";
const nobody = "http://127.0.0.1:1";

async function folder(t: TestContext, script: ModelScript, models: readonly string[]) {
  const model = await startScriptedModel(script, { models });
  t.after(() => model.close());
  const project = new StetProject(t, { "n.txt": "one\n" });
  const home = join(project.folder, "..");
  const open = (env: NodeJS.ProcessEnv, size: { columns?: number; rows?: number } = {}, ...args: string[]) =>
    TmuxPane.start(t, args, {
      cwd: project.folder,
      env: {
        ...project.environment,
        OLLAMA_HOST: nobody,
        LMSTUDIO_BASE_URL: nobody,
        LLAMACPP_BASE_URL: nobody,
        VLLM_BASE_URL: nobody,
        LANG: "C.UTF-8",
        ...env,
      },
      ...size,
    });
  return { model, project, home, open };
}

function filesWith(root: string, text: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(text));
}

test("with a server on this machine, Enter is all that a first answer needs", { skip }, async (t) => {
  const { open, model } = await folder(t, [{ text: "Here I am." }], ["qwen3:8b"]);
  const stet = await open({ OLLAMA_HOST: model.url });
  await stet.sees(/Which model shall answer\?[\s\S]*❯ ollama\/qwen3:8b/);
  await stet.press("Enter");
  await stet.sees(/ollama\/qwen3:8b answers from now on/);
  await stet.says("Are you there?");
  await stet.sees(/Here I am\./);
});

test("without a server, a provider is connected by its key, which is shown and kept nowhere else", {
  skip,
}, async (t) => {
  const { open, model, home } = await folder(t, [{ text: "Here I am." }], ["gpt-x", "gpt-y"]);
  const stet = await open({ OPENAI_BASE_URL: `${model.url}/v1` });
  await stet.sees(/Which model shall answer/);
  await stet.press("Escape");
  await stet.sees(/Ask for a change/);
  await stet.says("/login openai-chat");
  await stet.sees(/Key of OpenAI/);
  await stet.types(secret);
  await stet.sees(/•{20}/);
  await stet.press("Enter");
  await stet.sees(/Which model of OpenAI[\s\S]*gpt-y/);
  await stet.types("gpt-y");
  await stet.sees(/❯ openai-chat\/gpt-y/);
  await stet.press("Enter");
  await stet.sees(/openai-chat\/gpt-y answers from now on/);
  await stet.says("Are you there?");
  await stet.sees(/Here I am\./);
  assert.equal(model.requests[0]?.headers.authorization, `Bearer ${secret}`);
  // Neither the past of the prompt nor the scrollback nor a report has it.
  await stet.press("Up");
  await stet.sees(/❯ Are you there\?\n─/);
  await stet.press("C-c");
  assert.ok(!(await stet.history()).includes(secret));
  await stet.says("/quit");
  await stet.sees(/left with 0/);
  assert.deepEqual(
    filesWith(home, secret).map((path) => path.slice(home.length)),
    ["/data/credentials.json"],
  );
});

test("a key that is refused in a turn is given anew by one key, and the message comes back", {
  skip,
}, async (t) => {
  const { model, open } = await folder(t, [{ text: "Now it works." }], ["m"]);
  const gate = createServer(async (request, response) => {
    if (request.headers.authorization !== `Bearer ${secret}`) {
      response.writeHead(401, { "content-type": "application/json" });
      return response.end(JSON.stringify({ error: { message: "Incorrect API key provided." } }));
    }
    const body = Buffer.concat(await Array.fromAsync(request));
    const reply = await fetch(`${model.url}${request.url}`, {
      method: String(request.method),
      headers: { "content-type": "application/json" },
      ...(request.method === "POST" ? { body } : {}),
    });
    response.writeHead(reply.status, { "content-type": reply.headers.get("content-type") ?? "" });
    return response.end(Buffer.from(await reply.arrayBuffer()));
  });
  await new Promise<void>((resolve) => gate.listen(0, "127.0.0.1", resolve));
  t.after(() => gate.close());
  const address = gate.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/v1`;
  const stet = await open(
    { OPENAI_BASE_URL: url, OPENAI_API_KEY: "sk-wrong", STET_MODEL: "openai-chat/m" },
    { columns: 50, rows: 40 },
  );
  await stet.sees(/Ask for a change/);
  await stet.says("Are you there?");
  await stet.sees(/refused the key[\s\S]*\/login openai-chat[\s\S]*❯ Tab: Give a key/);
  await stet.press("Tab");
  await stet.sees(/Key of OpenAI/);
  await stet.types(secret);
  await stet.press("Enter");
  await stet.sees(/is connected[\s\S]*❯ Are you there\?\n─/);
  await stet.press("Enter");
  await stet.sees(/Now it works\./);
});
