import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type TestContext, test } from "node:test";
import { type Fault, isFault } from "@stet/protocol/fault";
import { HttpEmbedder, type HttpEmbedderOptions } from "./http-embedder.ts";

interface Asked {
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: { model: string; input: string[]; encoding_format: string; dimensions?: number };
}

type Answer = (asked: Asked, response: ServerResponse, count: number) => void;

const quick = { baseDelayMs: 1, maxDelayMs: 2000 };

async function server(t: TestContext, answer: Answer, options: Partial<HttpEmbedderOptions> = {}) {
  const asked: Asked[] = [];
  const listener = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const one = {
      url: `${request.method} ${request.url}`,
      headers: request.headers,
      body: JSON.parse(Buffer.concat(chunks).toString()),
    };
    asked.push(one);
    answer(one, response, asked.length);
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    listener.closeAllConnections();
    listener.close();
  });
  const address = listener.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const baseURL = `http://127.0.0.1:${port}/v1`;
  const embedder = new HttpEmbedder({ baseURL, model: "small-embed", retry: quick, ...options });
  t.after(() => embedder.close());
  return { asked, embedder, baseURL };
}

function json(
  response: ServerResponse,
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

/** As OpenAI answers, but last text first. The vector says how long the text was. */
const proper: Answer = ({ body }, response) => {
  const data = body.input.map((text, index) => ({
    object: "embedding",
    index,
    embedding: [text.length, 3, 0],
  }));
  const usage = { prompt_tokens: 5, total_tokens: 5 };
  json(response, { object: "list", data: data.reverse(), model: body.model, usage });
};

async function faultOf(result: Promise<readonly Float32Array[] | Fault>): Promise<Fault> {
  const fault = await result;
  return isFault(fault) ? fault : assert.fail("vectors where a fault was expected");
}

test("texts are sent as OpenAI wants them, in batches, and their vectors come back in order", async (t) => {
  const { asked, embedder, baseURL } = await server(t, proper, {
    apiKey: "secret-key-1",
    headers: { "x-team": "stet" },
    batchSize: 2,
  });
  const vectors = await embedder.embed(["four", "", "x".repeat(20_000)]);
  assert.ok(!isFault(vectors));
  assert.equal(vectors.length, 3);
  assert.deepEqual(vectors[0], Float32Array.of(0.8, 0.6, 0), "in order, and of length 1");
  assert.deepEqual(asked[0]?.body, { model: "small-embed", input: ["four", " "], encoding_format: "float" });
  assert.equal(asked[1]?.body.input[0]?.length, 8000);
  assert.equal(asked.length, 2);
  assert.equal(asked[0]?.url, "POST /v1/embeddings");
  assert.equal(asked[0]?.headers.authorization, "Bearer secret-key-1");
  assert.equal(asked[0]?.headers["x-team"], "stet");
  assert.equal(embedder.id, `${new URL(baseURL).host}/v1/small-embed`);
});

test("shorter vectors can be asked for", async (t) => {
  const { asked, embedder } = await server(t, proper, { dimensions: 3 });
  assert.ok(!isFault(await embedder.embed(["x"])));
  assert.equal(asked[0]?.body.dimensions, 3);
  assert.match(embedder.id, /small-embed\/3$/);
});

test("a server that is busy is asked again, after as long as it says", async (t) => {
  const { asked, embedder } = await server(t, (one, response, count) => {
    if (count === 1) json(response, { error: { message: "slow down" } }, 429, { "retry-after-ms": "5" });
    else if (count === 2) json(response, { error: "loading" }, 503);
    else if (count === 3) response.destroy();
    else proper(one, response, count);
  });
  assert.ok(!isFault(await embedder.embed(["x"])));
  assert.equal(asked.length, 4);
});

test("a server that asks for more patience than anybody has is not waited for", async (t) => {
  const { asked, embedder } = await server(t, (_, response) =>
    json(response, { error: { message: "slow down" } }, 429, { "retry-after": "3600" }),
  );
  const fault = await faultOf(embedder.embed(["x"]));
  assert.equal(fault.error, "embeddings_unavailable");
  assert.match(fault.message, /429: slow down/);
  assert.equal(asked.length, 1);
});

test("a server that keeps failing is given up on", async (t) => {
  const retry = { ...quick, requestMaxRetries: 2 };
  const { asked, embedder } = await server(t, (_, response) => json(response, {}, 500), { retry });
  const fault = await faultOf(embedder.embed(["x"]));
  assert.match(fault.message, /500/);
  assert.equal(fault.details.status, 500);
  assert.equal(asked.length, 3);
});

test("a refused key is told without the key, and not tried again", async (t) => {
  const key = "plain.looking.key";
  const { asked, embedder } = await server(
    t,
    ({ headers }, response) =>
      json(
        response,
        { error: { message: `Incorrect key ${headers.authorization}, ${headers["x-token"]}` } },
        401,
      ),
    {
      apiKey: key,
      headers: { "x-token": "other.secret" },
      provider: "openai",
      keyVariable: "OPENAI_API_KEY",
    },
  );
  const fault = await faultOf(embedder.embed(["x"]));
  assert.match(fault.message, /401.*OPENAI_API_KEY/);
  assert.doesNotMatch(JSON.stringify(fault) + embedder.id, /plain\.looking|other\.secret/);
  assert.equal(asked.length, 1);
});

test("an unknown model and a text that is too long are told with the status", async (t) => {
  const { embedder } = await server(t, (_, response, count) =>
    count === 1
      ? json(response, { error: `model "small-embed" not found, try pulling it first` }, 404)
      : json(response, { error: { message: "maximum context length is 512 tokens" } }, 400),
  );
  assert.match((await faultOf(embedder.embed(["x"]))).message, /does not know the model small-embed \(404/);
  const fault = await faultOf(embedder.embed(["x"]));
  assert.match(fault.message, /texts of this length/);
  assert.equal(fault.details.status, 400);
});

test("a web page is not an answer", async (t) => {
  const { asked, embedder } = await server(t, (_, response) =>
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Welcome</title>"),
  );
  assert.match((await faultOf(embedder.embed(["x"]))).message, /web page.*base URL/);
  assert.equal(asked.length, 1);
});

test("an answer elsewhere is not followed", async (t) => {
  const elsewhere = await server(t, proper);
  const { embedder } = await server(
    t,
    (_, response) => response.writeHead(307, { location: `${elsewhere.baseURL}/embeddings` }).end(),
    { retry: { enabled: false } },
  );
  assert.equal((await faultOf(embedder.embed(["x"]))).error, "embeddings_unavailable");
  assert.equal(elsewhere.asked.length, 0);
});

const vector = (index: number, embedding: unknown) => ({ index, embedding });
const wrong: readonly [what: string, body: string, says: RegExp][] = [
  ["no JSON", "oops", /no list called data/],
  ["no data", `{"embeddings":[[1]]}`, /no list called data/],
  ["too few", JSON.stringify({ data: [vector(0, [1, 2])] }), /2 texts were sent, and 1 vectors/],
  ["a doubled index", JSON.stringify({ data: [vector(1, [1]), vector(1, [1])] }), /index 1 comes twice/],
  [
    "an index beyond",
    JSON.stringify({ data: [vector(0, [1]), vector(2, [1])] }),
    /index is not one of 0 to 1/,
  ],
  ["mixed lengths", JSON.stringify({ data: [vector(0, [1, 2]), vector(1, [1])] }), /1 dimensions where 2/],
  ["base64", JSON.stringify({ data: [vector(0, "AAAA"), vector(1, "AAAA")] }), /not a list of numbers/],
  ["null", JSON.stringify({ data: [vector(0, [1, null]), vector(1, [1, 2])] }), /not a finite number/],
  [
    "infinity",
    `{"data":[{"index":0,"embedding":[1e999]},{"index":1,"embedding":[1]}]}`,
    /not a finite number/,
  ],
  ["zeros", JSON.stringify({ data: [vector(0, [0, 0]), vector(1, [1, 2])] }), /zero/],
];
for (const [what, body, says] of wrong) {
  test(`an answer is refused for ${what}`, async (t) => {
    const { asked, embedder } = await server(t, (_, response) =>
      response.writeHead(200, { "content-type": "application/json" }).end(body),
    );
    const fault = await faultOf(embedder.embed(["one", "two"]));
    assert.equal(fault.error, "embeddings_unavailable");
    assert.match(fault.message, says);
    assert.equal(asked.length, 1, "it would be the same again");
  });
}

test("vectors of another length than before are refused", async (t) => {
  const { embedder } = await server(t, (_, response, count) =>
    json(response, { data: [{ embedding: Array.from({ length: count + 1 }, () => 1) }] }),
  );
  assert.ok(!isFault(await embedder.embed(["one"])), "without an index the order counts");
  assert.match((await faultOf(embedder.embed(["two"]))).message, /3 dimensions where 2 were expected/);
});

test("a server that does not answer in time is given up on", async (t) => {
  const { embedder } = await server(t, () => undefined, { timeoutMs: 20, retry: { enabled: false } });
  const fault = await faultOf(embedder.embed(["x"]));
  assert.equal(fault.details.kind, "timeout");
  assert.match(fault.message, /did not answer in time/);
});

test("aborting ends a request that is under way, and one that waits to be tried again", async (t) => {
  const control = new AbortController();
  const slow = await server(t, () => control.abort());
  assert.equal((await faultOf(slow.embedder.embed(["x"], control.signal))).error, "aborted");
  const later = new AbortController();
  const busy = await server(
    t,
    (_, response) => {
      json(response, {}, 503);
      setTimeout(() => later.abort(), 20);
    },
    { retry: { baseDelayMs: 50_000, maxDelayMs: 60_000 } },
  );
  assert.equal((await faultOf(busy.embedder.embed(["x"], later.signal))).error, "aborted");
  assert.equal((await faultOf(busy.embedder.embed(["x"], later.signal))).error, "aborted");
  assert.equal(busy.asked.length, 1);
});

test("closing ends what is under way", async (t) => {
  const { embedder } = await server(t, () => void embedder.close());
  assert.equal((await faultOf(embedder.embed(["x"]))).error, "aborted");
});

test("nobody at the address of this machine is told at once, with the address", async () => {
  const listener = createServer();
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const address = listener.address();
  const port = typeof address === "object" ? address?.port : undefined;
  await new Promise((resolve) => listener.close(resolve));
  let requests = 0;
  const embedder = new HttpEmbedder({
    baseURL: `http://127.0.0.1:${port}/v1`,
    model: "m",
    fetch: (...asked) => {
      requests++;
      return fetch(...asked);
    },
  });
  assert.match(
    (await faultOf(embedder.embed(["x"]))).message,
    /Nothing is listening at http:\/\/127\.0\.0\.1:/,
  );
  assert.equal(requests, 1);
});

test("a password in the address is refused and never shown", async () => {
  const embedder = new HttpEmbedder({ baseURL: "http://me:hidden@127.0.0.1:9/v1", model: "m" });
  const fault = await faultOf(embedder.embed(["x"]));
  assert.match(fault.message, /name or a password/);
  assert.doesNotMatch(JSON.stringify(fault) + embedder.id, /hidden/);
});
