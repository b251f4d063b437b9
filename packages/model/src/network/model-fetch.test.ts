import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { type TestContext, test } from "node:test";
import type { ModelFailure } from "@stet/protocol/model-stream";
import { startScriptedModel } from "@stet/testkit/scripted-model";
import { isModelFailure, type ModelSources, resolveModel } from "../providers.ts";
import { type RetryEvent, withRetry } from "../retry.ts";

const question = {
  system: "",
  messages: [{ role: "user" as const, content: "Say something.", timestamp: 0 }],
  tools: [],
};

async function listening(t: TestContext, server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  return address.port;
}

function answering(t: TestContext, answer: RequestListener): Promise<number> {
  return listening(t, createServer(answer));
}

/** The answer or the failure of one question, and the retries that came before it. */
async function ask(name: string, sources: ModelSources) {
  const model = await resolveModel(name, sources);
  assert.ok(!isModelFailure(model));
  const emitted: RetryEvent[] = [];
  const settings = { baseDelayMs: 1, maxDelayMs: 2 };
  const retrying = withRetry(model, [], { settings, onEvent: (event) => emitted.push(event) });
  let text = "";
  let failure: ModelFailure | undefined;
  for await (const event of retrying.stream(question)) {
    if (event.type === "text_end") text = event.text;
    if (event.type === "error") failure = event.failure;
  }
  const retries = emitted.filter((event) => event.type === "auto_retry_start");
  return { text, failure, retries };
}

test("requests go through the proxy of the environment, but for this machine and what NO_PROXY names", async (t) => {
  const model = await startScriptedModel([{ text: "Hello." }, { text: "Hello." }, { text: "Hello." }]);
  t.after(() => model.close());
  const asked: string[] = [];
  const { port } = new URL(model.url);
  const proxy = await answering(t, async (request, response) => {
    // Plain HTTP goes to a proxy with its whole address.
    asked.push(new URL(request.url ?? "").host);
    const chunks = await Array.fromAsync(request);
    const answer = await fetch(`${model.url}${new URL(request.url ?? "").pathname}`, {
      method: request.method ?? "GET",
      headers: { "content-type": "application/json" },
      body: Buffer.concat(chunks),
    });
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  const through = (baseURL: string, more = {}) =>
    ask("far/m", {
      environment: {
        HTTP_PROXY: `http://127.0.0.1:${proxy}`,
        HTTPS_PROXY: `http://127.0.0.1:${proxy}`,
        ...more,
      },
      providers: { far: { baseURL } },
    });
  assert.equal((await through("http://models.example/v1")).text, "Hello.");
  assert.deepEqual(asked, ["models.example"]);
  assert.equal((await through(`http://127.0.0.1:${port}/v1`)).text, "Hello.");
  assert.equal((await through(`http://0.0.0.0:${port}/v1`, { NO_PROXY: "0.0.0.0" })).text, "Hello.");
  assert.equal(asked.length, 1);
});

test("a request to an https address asks the proxy for a tunnel", async (t) => {
  const tunnels: string[] = [];
  const server = createServer();
  server.on("connect", (request, socket) => {
    tunnels.push(request.url ?? "");
    socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
  });
  const port = await listening(t, server);
  const environment = { HTTPS_PROXY: `http://127.0.0.1:${port}`, OPENAI_API_KEY: "key" };
  const { failure } = await ask("openai/gpt-5", { environment });
  assert.equal(failure?.kind, "network");
  assert.ok(tunnels.every((target) => target === "api.openai.com:443") && tunnels.length > 0);
});

test("a host that does not exist is tried once more, and then told", async () => {
  const { failure, retries } = await ask("far/m", {
    environment: {},
    providers: { far: { baseURL: "http://no-such-host.invalid/v1" } },
  });
  assert.equal(retries.length, 1);
  assert.match(
    failure?.message ?? "",
    /^The host of http:\/\/no-such-host\.invalid cannot be found\. Check the base URL/,
  );
});

test("a server that answers in another format is told in a sentence, at once or after one more try", async (t) => {
  const cases: [string, string, number, RegExp][] = [
    [
      "application/json",
      '{"id":"x","choices":[]}',
      0,
      /^far\/m answered with plain JSON instead of a stream\. Check/,
    ],
    [
      "application/json",
      '{"error":{"message":"streaming is off"}}',
      0,
      /plain JSON instead of a stream \(streaming is off\)\./,
    ],
    ["text/plain", "<!doctype html><p>Sign in</p>", 0, /^far\/m answered with a web page instead/],
    [
      "text/event-stream",
      'data: {"some":"thing","choices":7}\n\n',
      1,
      /^far\/m sent an answer that cannot be read \(it has another format\)\. Check/,
    ],
    ["text/event-stream", "data: {nonsense\n\n", 1, /^far\/m sent an answer that cannot be read/],
    ["text/event-stream", "", 1, /^far\/m answered with nothing that is a model's answer/],
  ];
  for (const [type, body, tries, expected] of cases) {
    const port = await answering(t, (_request, response) => {
      response.writeHead(200, { "content-type": type }).end(body);
    });
    const { failure, retries } = await ask("far/m", {
      environment: {},
      providers: { far: { baseURL: `http://127.0.0.1:${port}/v1` } },
    });
    assert.match(failure?.message ?? "", expected);
    assert.ok((failure?.message.length ?? 0) < 400, failure?.message);
    assert.equal(retries.length, tries, body);
  }
});

test("a stream under another name is read", async (t) => {
  const port = await answering(t, (_request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const delta = (content: string) =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
    response.write(delta("Hel"));
    response.end(
      `${delta("lo.")}data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`,
    );
  });
  const { text } = await ask("far/m", {
    environment: {},
    providers: { far: { baseURL: `http://127.0.0.1:${port}/v1` } },
  });
  assert.equal(text, "Hello.");
});

test("a port of another protocol is told at once", async () => {
  const { failure, retries } = await ask("far/m", {
    environment: {},
    providers: { far: { baseURL: "http://models.example:6000/v1" } },
  });
  assert.equal(retries.length, 0);
  assert.match(
    failure?.message ?? "",
    /The port of http:\/\/models\.example:6000 belongs to another protocol/,
  );
});

test("how long a model may be silent is set for its provider, and the sentence names the setting", async (t) => {
  const model = await startScriptedModel([
    { fault: { stallAfterBytes: 0 } },
    { text: "Hello.", fault: { stallAfterBytes: 300 } },
  ]);
  t.after(() => model.close());
  for (const [setting, timeout] of [
    ["firstTokenMs", { firstTokenMs: 40 }],
    ["idleMs", { idleMs: 50 }],
  ] as const) {
    const far = { baseURL: `${model.url}/v1`, timeout };
    const slow = await resolveModel("far/m", { environment: {}, providers: { far } });
    assert.ok(!isModelFailure(slow));
    const last = (await Array.fromAsync(slow.stream(question))).at(-1);
    assert.ok(last?.type === "error");
    assert.match(last.failure.message, new RegExp(`raise providers\\.far\\.timeout\\.${setting}\\.$`));
  }
});

test("a configured price is charged, and one that nobody knows is said to be unknown", async (t) => {
  const usage = { input: 1_000_000, output: 1_000_000 };
  const model = await startScriptedModel([
    { text: "Hello.", usage },
    { text: "Hello.", usage },
  ]);
  t.after(() => model.close());
  for (const [models, expected] of [
    [{ m: { price: { input: 1, output: 2 } } }, { total: 3, isUnknown: undefined }],
    [{}, { total: 0, isUnknown: true }],
  ] as const) {
    const providers = { far: { baseURL: `${model.url}/v1`, models } };
    const priced = await resolveModel("far/m", { environment: {}, providers });
    assert.ok(!isModelFailure(priced));
    const last = (await Array.fromAsync(priced.stream(question))).at(-1);
    assert.ok(last?.type === "done");
    const { total, isUnknown } = last.message.usage.cost;
    assert.deepEqual({ total, isUnknown }, expected);
  }
});
