import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type ModelScript, startScriptedModel } from "@stet/testkit/scripted-model";
import { TestService } from "@stet/testkit/test-service";
import { TestWorkspace } from "@stet/testkit/workspace";

/** A scripted server, and its address as one of this machine and as one of somewhere else. */
async function serve(t: TestContext, script: ModelScript) {
  const model = await startScriptedModel(script);
  t.after(() => model.close());
  const { port } = new URL(model.url);
  // Connects to this machine, but is no loopback address, as that of another machine is none.
  return { ...model, here: `${model.url}/v1`, elsewhere: `http://0.0.0.0:${port}/v1` };
}

const always = (text: string): ModelScript => [1, 2, 3, 4].map(() => ({ text }));

/** Nobody listens there any more. */
async function closedPort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  assert.ok(typeof address === "object" && address !== null);
  return `http://127.0.0.1:${address.port}/v1`;
}

async function run(t: TestContext, settings: Record<string, unknown>, model = "") {
  const place = new TestWorkspace(t, { "a.txt": "one\n" });
  const service = await TestService.configured(t, place, settings);
  const id = await service.run(await service.session(), "hello", model === "" ? {} : { model });
  const { events, job } = await service.until(id, "completed", "failed");
  return {
    job,
    place,
    chosen: events.filter((event) => event.type === "model.chosen").map((event) => event.data),
  };
}

test("in mode local nothing is sent to a remote model, whatever else is configured", async (t) => {
  const remote = await serve(t, always("from afar"));
  const providers = { away: { baseURL: remote.elsewhere } };
  const cases = [
    { model: "away/m" },
    { model: "away/m", localModel: "away/m" },
    { model: "away/m", localModel: "ollama/m", providers: { ollama: { baseURL: "http://192.0.2.1:11434" } } },
    { localModel: "practice", model: "away/m", fallbackModels: ["away/m"], asked: "away/m" },
  ];
  for (const { asked = "", providers: more = {}, ...settings } of cases) {
    const { job } = await run(
      t,
      { agentMode: "local", providers: { ...providers, ...more }, ...settings },
      asked,
    );
    assert.equal(job.status, "failed", JSON.stringify(settings));
    assert.match(
      job.error.message,
      /The mode is local, and requests to \S+ would go to http:\/\/(?:0\.0\.0\.0|192\.0\.2\.1)/,
    );
  }
  assert.equal(remote.requests.length, 0);
  assert.deepEqual(remote.otherPaths, [], "nor is it asked what its models can do");
});

test("in mode local the local model answers, also where the remote one cannot be used and fallbacks are elsewhere", async (t) => {
  const [local, remote] = [await serve(t, always("from here")), await serve(t, always("from afar"))];
  const { job, chosen } = await run(t, {
    agentMode: "local",
    localModel: "near/m",
    model: "openai/gpt-5",
    fallbackModels: ["away/m"],
    providers: { near: { baseURL: local.here }, away: { baseURL: remote.elsewhere } },
  });
  assert.equal(job.status, "completed");
  assert.equal(job.answered_by, "near/m");
  assert.deepEqual([local.requests.length, remote.requests.length], [1, 0]);
  assert.deepEqual([local.otherPaths, remote.otherPaths], [["/v1/models"], []]);
  assert.deepEqual(chosen, [
    { mode: "local", target: "local", model: "near/m", trigger: "start", reason: "The mode is local." },
  ]);
});

test("a local server that sends its client elsewhere is not followed", async (t) => {
  const remote = await serve(t, always("from afar"));
  const local = createServer((request, response) => {
    response
      .writeHead(307, { location: `${remote.elsewhere}${(request.url ?? "").replace("/v1", "")}` })
      .end();
  });
  await new Promise<void>((resolve) => local.listen(0, "127.0.0.1", resolve));
  t.after(() => local.close());
  const address = local.address();
  assert.ok(typeof address === "object" && address !== null);
  const { job } = await run(t, {
    agentMode: "local",
    localModel: "near/m",
    "retry.enabled": false,
    providers: { near: { baseURL: `http://127.0.0.1:${address.port}/v1` } },
  });
  assert.equal(job.status, "failed");
  assert.equal(remote.requests.length, 0);
});

test("hybrid_auto goes on remotely where the local model is not there, not known, or is no model at all", async (t) => {
  const refusing = (status: number, message: string): ModelScript => [
    { fault: { status, body: JSON.stringify({ error: { message, type: "invalid_request_error" } }) } },
  ];
  const cases: [string, string][] = [
    ["off", await closedPort()],
    ["unknown", (await serve(t, refusing(404, 'model "m" not found'))).here],
    ["web page", (await serve(t, [{ fault: { html: true } }])).here],
    ["twice overloaded", (await serve(t, [{ fault: { status: 503 } }, { fault: { status: 503 } }])).here],
  ];
  for (const [name, baseURL] of cases) {
    const remote = await serve(t, always("from afar"));
    const { job, chosen } = await run(t, {
      agentMode: "hybrid_auto",
      localModel: "near/m",
      model: "away/m",
      providers: { near: { baseURL }, away: { baseURL: remote.elsewhere } },
    });
    assert.equal(job.status, "completed", `${name}: ${JSON.stringify(job.error)}`);
    assert.equal(job.answered_by, "away/m", name);
    assert.deepEqual(
      chosen.map(({ model, trigger }) => [model, trigger]),
      [
        ["near/m", "start"],
        ["away/m", "local_failed"],
      ],
      name,
    );
    assert.equal(remote.requests.length, 1);
  }
});

test("hybrid_auto: a model that the request names answers", async (t) => {
  const [local, remote, other] = [
    await serve(t, always("from here")),
    await serve(t, always("from afar")),
    await serve(t, always("from another")),
  ];
  const settings = {
    agentMode: "hybrid_auto",
    localModel: "near/m",
    model: "away/m",
    providers: {
      near: { baseURL: local.here },
      away: { baseURL: remote.elsewhere },
      other: { baseURL: other.elsewhere },
    },
  };
  const { job, chosen } = await run(t, settings, "other/n");
  assert.equal(job.answered_by, "other/n");
  assert.deepEqual(
    chosen.map(({ model, reason }) => [model, reason]),
    [["other/n", "The request names it."]],
  );
  assert.deepEqual([local.requests.length, remote.requests.length, other.requests.length], [0, 0, 1]);
});

test("another model that takes over is told as a choice, in the job and in the session", async (t) => {
  const [first, second] = [
    await serve(t, [{ fault: { status: 503 } }]),
    await serve(t, always("the second")),
  ];
  const { job, chosen, place } = await run(t, {
    model: "one/m",
    "retry.fallbackChains": { "one/*": ["two/n"] },
    fallbackModels: ["practice"],
    providers: { one: { baseURL: first.here }, two: { baseURL: second.here } },
  });
  assert.equal(job.answered_by, "two/n");
  assert.deepEqual(
    chosen.map(({ model, trigger }) => [model, trigger]),
    [
      ["one/m", "start"],
      ["two/n", "fallback"],
    ],
  );
  const [file = ""] = globSync("data/sessions/**/*.jsonl", { cwd: place.folder });
  const kept = readFileSync(join(place.folder, file), "utf8");
  assert.match(kept, /"type":"model_change"[^\n]*"model":"two\/n"[^\n]*"role":"temporary"/);
});

test("hybrid_auto: a conversation that the local model cannot take is not sent to it", async (t) => {
  const [local, remote] = [await serve(t, always("from here")), await serve(t, always("from afar"))];
  const { job, chosen } = await run(t, {
    agentMode: "hybrid_auto",
    localModel: "near/m",
    model: "away/m",
    providers: {
      near: { baseURL: local.here, models: { m: { contextWindow: 500 } } },
      away: { baseURL: remote.elsewhere },
    },
  });
  assert.equal(job.answered_by, "away/m");
  assert.equal(local.requests.length, 0);
  assert.deepEqual(
    chosen.map(({ trigger }) => trigger),
    ["start", "context_overflow"],
  );
});

test("what a call that could not be read has cost is counted", async (t) => {
  const model = await serve(t, [
    { toolCalls: [{ name: "read_file", arguments: '{"file_path": ' }], usage: { input: 100, output: 10 } },
    { text: "Done.", usage: { input: 200, output: 20 } },
  ]);
  const { job } = await run(t, { model: "near/m", providers: { near: { baseURL: model.here } } });
  assert.deepEqual([job.usage.input, job.usage.output, job.usage.cost_known], [300, 30, false]);
});

test("a job is sent as spans to the collector that the environment names", async (t) => {
  const sent = Promise.withResolvers<string>();
  const collector = createServer(async (request, response) => {
    sent.resolve(Buffer.concat(await Array.fromAsync(request)).toString());
    response.end();
  });
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
  t.after(() => collector.close());
  const address = collector.address();
  assert.ok(typeof address === "object" && address !== null);
  const place = new TestWorkspace(t, { "a.txt": "one\n" });
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${address.port}` };
  const service = await TestService.configured(t, place, {}, environment);
  const id = await service.run(await service.session(), "List the files");
  await service.until(id, "completed");
  const body = await sent.promise;
  assert.match(body, /"invoke_agent"/);
  assert.match(body, /"chat practice"/);
});

test("a fallback that cannot be used, for want of a key or by its name, does not stop the model before it", async (t) => {
  const one = await serve(t, always("from one"));
  const { job } = await run(t, {
    model: "one/m",
    fallbackModels: ["openai/m", "nobody/m"],
    providers: { one: { baseURL: one.here } },
  });
  assert.equal(job.status, "completed", JSON.stringify(job.error));
  assert.equal(one.requests.length, 1);
});
