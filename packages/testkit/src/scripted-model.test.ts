// What the official clients hear from the scripted model, in each format, streamed and whole.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { type ModelScript, startScriptedModel } from "./scripted-model.ts";
import { hear, type Judge, judges, question } from "./scripted-model-judges.ts";
import type { ScriptedReply } from "./scripted-model-reply.ts";

async function start(t: TestContext, script: ModelScript) {
  const model = await startScriptedModel(script);
  t.after(() => model.close());
  return model;
}

async function hearReply(t: TestContext, judge: Judge, reply: ScriptedReply) {
  const model = await start(t, [reply]);
  return hear(judge.client(model.url));
}

for (const judge of judges) {
  test(`${judge.name}: text arrives whole, in deltas of the size that was asked`, async (t) => {
    const heard = await hearReply(t, judge, { text: "Grüße an 世界 🌍!", chunkSize: 4 });
    assert.equal(heard.text, "Grüße an 世界 🌍!");
    assert.equal(heard.textDeltas, 4);
    assert.equal(heard.finish, "stop");
    assert.deepEqual(heard.errors, []);
  });

  test(`${judge.name}: thinking is heard apart from text`, async (t) => {
    const heard = await hearReply(t, judge, { thinking: "First I look around.", text: "Done." });
    assert.equal(heard.thinking, judge.hearsThinking ? "First I look around." : "");
    assert.equal(heard.text, "Done.");
    assert.deepEqual(heard.errors, []);
  });

  test(`${judge.name}: one call, with the id of the script`, async (t) => {
    const heard = await hearReply(t, judge, {
      text: "I read it.",
      toolCalls: [{ name: "read", arguments: { path: "naïve.md", line: 3 }, id: "mine" }],
    });
    assert.equal(heard.text, "I read it.");
    assert.deepEqual(heard.toolCalls, [{ id: "mine", name: "read", input: '{"path":"naïve.md","line":3}' }]);
    assert.equal(heard.finish, "tool-calls");
  });

  test(`${judge.name}: parallel calls stay apart, also of one tool and without arguments`, async (t) => {
    const heard = await hearReply(t, judge, {
      toolCalls: [
        { name: "read", arguments: { path: "a.md" } },
        { name: "read", arguments: { path: "b.md" } },
        { name: "list", arguments: {} },
      ],
      chunkSize: 3,
    });
    assert.deepEqual(heard.toolCalls, [
      { id: "call_0_0", name: "read", input: '{"path":"a.md"}' },
      { id: "call_0_1", name: "read", input: '{"path":"b.md"}' },
      { id: "call_0_2", name: "list", input: "{}" },
    ]);
    assert.equal(heard.finish, "tool-calls");
    assert.deepEqual(heard.errors, []);
  });

  test(`${judge.name}: broken arguments are shown as the format can`, async (t) => {
    const heard = await hearReply(t, judge, { toolCalls: [{ name: "read", arguments: '{"path": "a' }] });
    const shown = { id: "call_0_0", name: "read", input: '{"path": "a' };
    assert.deepEqual(heard.toolCalls, judge.showsBrokenArguments ? [shown] : []);
    assert.equal(heard.finish, judge.showsBrokenArguments ? "tool-calls" : "error");
  });

  test(`${judge.name}: an answer that was cut off says so`, async (t) => {
    const heard = await hearReply(t, judge, { text: "And then", stop: "length" });
    assert.equal(heard.text, "And then");
    assert.equal(heard.finish, "length");
  });

  test(`${judge.name}: an answer without a word ends like any other`, async (t) => {
    const heard = await hearReply(t, judge, {});
    assert.deepEqual([heard.text, heard.finish, heard.errors], ["", "stop", []]);
  });

  test(`${judge.name}: tokens are counted, cached ones apart`, async (t) => {
    const usage = { input: 7, output: 9, cacheRead: 5, cacheWrite: 3, thinking: 2 };
    const heard = await hearReply(t, judge, { text: "Hi.", usage });
    assert.deepEqual(heard.usage, {
      input: judge.hearsCacheWrites
        ? { total: 15, noCache: 7, cacheRead: 5, cacheWrite: 3 }
        : { total: 15, noCache: 10, cacheRead: 5, cacheWrite: undefined },
      output: { total: 9, text: 7, reasoning: 2 },
    });
  });

  test(`${judge.name}: the same reply, not streamed`, async (t) => {
    const reply: ScriptedReply = {
      thinking: "Hm.",
      text: "Grüße.",
      toolCalls: [{ name: "read", arguments: { path: "a.md" } }],
      usage: { input: 7, output: 9, cacheRead: 5 },
    };
    const model = await start(t, [reply]);
    const { content, finishReason, usage } = await judge.client(model.url).doGenerate(question);
    const said = content.map((part) => {
      if (part.type === "text" || part.type === "reasoning") return [part.type, part.text];
      return part.type === "tool-call" ? [part.type, part.toolCallId, part.toolName, part.input] : [];
    });
    const spoken = [
      ["reasoning", "Hm."],
      ["text", "Grüße."],
      ["tool-call", "call_0_0", "read", '{"path":"a.md"}'],
    ];
    // The compatible client lists text before thinking.
    assert.deepEqual(said.toSorted(), (judge.hearsThinking ? spoken : spoken.slice(1)).toSorted());
    assert.equal(finishReason.unified, "tool-calls");
    assert.deepEqual(
      [usage.inputTokens.total, usage.inputTokens.cacheRead, usage.outputTokens.total],
      [12, 5, 9],
    );
    assert.equal(model.requests[0]?.isStreamed, false);
  });

  test(`${judge.name}: a script that ran out names the request it has no reply for`, async (t) => {
    const model = await start(t, [{ text: "Only this." }]);
    const client = judge.client(model.url);
    assert.equal((await hear(client)).text, "Only this.");
    assert.match(String((await hear(client)).errors[0]), /The script has no reply 1: it ends after 1/);
    assert.equal(model.requests.length, 2);
  });
}

test("tokens are streamed only to a chat client that asked for them", async (t) => {
  const model = await start(t, [{ text: "Hi." }]);
  const body = JSON.stringify({ model: "scripted", stream: true, messages: [] });
  const response = await fetch(`${model.url}/v1/chat/completions`, { method: "POST", body });
  const text = await response.text();
  assert.doesNotMatch(text, /usage/);
  assert.match(text, /data: \[DONE\]\n\n$/);
});

test("one script serves several formats, and a function may look at the request", async (t) => {
  const model = await start(t, async (request, index) => ({
    text: `${index} ${request.format} ${request.model}`,
  }));
  const heard = [];
  for (const judge of judges) heard.push((await hear(judge.client(model.url))).text);
  const formats = judges.map((judge, index) => `${index} ${judge.format} scripted`);
  assert.deepEqual(heard, formats);
});

test("a script that throws tells the client why", async (t) => {
  const model = await start(t, () => {
    throw new Error("The test did not expect this request.");
  });
  for (const judge of judges)
    assert.match(String((await hear(judge.client(model.url))).errors[0]), /did not expect this request/);
});

test("models are listed as OpenAI, Anthropic and Ollama list them", async (t) => {
  const model = await startScriptedModel([], { models: ["one", "two"] });
  t.after(() => model.close());
  const list = async (path: string, headers = {}) =>
    JSON.stringify(await (await fetch(model.url + path, { headers })).json());
  assert.match(await list("/v1/models"), /^\{"object":"list","data":\[\{"id":"one","object":"model"/);
  assert.match(await list("/v1/models", { "anthropic-version": "2023-06-01" }), /"display_name":"two"/);
  assert.match(await list("/api/tags"), /^\{"models":\[\{"name":"one","model":"one"/);
  assert.match(await list("/v1/other"), /There is no GET \/v1\/other here/);
  assert.deepEqual(model.requests, []);
});

test("a model that nobody closed does not keep the process alive", async () => {
  const program = `
    const { startScriptedModel } = await import(${JSON.stringify(new URL("scripted-model.ts", import.meta.url).href)});
    const model = await startScriptedModel([{ text: "Hi." }]);
    const body = JSON.stringify({ model: "m", messages: [] });
    const response = await fetch(model.url + "/v1/chat/completions", { method: "POST", body });
    console.log((await response.json()).choices[0].message.content);`;
  const run = promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], {
    timeout: 5_000,
  });
  assert.equal((await run).stdout, "Hi.\n");
});
