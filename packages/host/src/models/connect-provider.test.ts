import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { startScriptedModel } from "@stet/testkit/scripted-model";
import { TestService } from "@stet/testkit/test-service";
import { TestWorkspace } from "@stet/testkit/workspace";

const secret = "sk-test-51b2c3d4e5f60718";

async function setUp(t: TestContext, settings: object = {}, environment: NodeJS.ProcessEnv = {}) {
  const place = new TestWorkspace(t, { "a.md": "one\n" });
  const nobody = "http://127.0.0.1:1";
  const local = { OLLAMA_HOST: nobody, LMSTUDIO_BASE_URL: nobody, LLAMACPP_BASE_URL: nobody };
  const api = await TestService.configured(t, place, { ...settings }, { ...local, ...environment });
  const keyFile = join(place.dataFolder, "credentials.json");
  const config = () => JSON.parse(readFileSync(join(place.folder, "stet", "config.json"), "utf8"));
  return { api, place, keyFile, config };
}

async function serve(t: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  server.unref();
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}

/** The address of a server that was there a moment ago. */
async function closedPort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}

const models = JSON.stringify({ data: [{ id: "one", context_length: 50_000 }, { id: "two" }] });

test("a provider is connected by its key, which is in a private file, is used, and never comes out again", async (t) => {
  const server = await startScriptedModel([{ text: "Hello." }], { models: ["gpt-x"] });
  t.after(() => server.close());
  const { api, keyFile } = await setUp(t, {}, { OPENAI_BASE_URL: `${server.url}/v1` });
  const body = { provider: "openai-chat", values: { key: ` ${secret} ` } };
  const connected = await api.ok("POST", "/api/models/connect", body);
  assert.equal(connected.kept_in, "file");
  assert.match(connected.note, /only your account can read.*because STET_KEYCHAIN is off/);
  assert.equal(connected.provider.is_ready, true);
  assert.match(connected.provider.why, /Its key is in a private file\./);
  assert.deepEqual(
    connected.provider.models.map((model: { name: string }) => model.name),
    ["openai-chat/gpt-x"],
  );
  assert.equal(statSync(keyFile).mode & 0o777, 0o600);
  assert.ok(readFileSync(keyFile, "utf8").includes(secret));
  const listed = await api.ok("GET", "/api/models");
  const config = await api.ok("GET", "/api/config");
  const { events } = await api.ok("GET", "/api/workspace/events");
  assert.doesNotMatch(JSON.stringify([connected, listed, config, events]), new RegExp(secret));
  const tried = await api.ok("POST", "/api/models/test", { model: "openai-chat/gpt-x" });
  assert.equal(tried.text, "Hello.");
  assert.equal(server.requests[0]?.headers.authorization, `Bearer ${secret}`);
  const [provider] = (await api.ok("GET", "/api/models")).providers.filter(
    ({ name }: { name: string }) => name === "openai-chat",
  );
  assert.equal(provider.models[0].speed.answers, 1, "how fast it was is shown in the list");
});

test("a key that is refused, an address that is none, and a server that is not there are told at their field, and nothing is kept", async (t) => {
  const refusing = await serve(t, (_, response) => {
    response.writeHead(401, { "content-type": "application/json" });
    response.end(
      JSON.stringify({ error: { message: `Incorrect API key: ${secret}`, code: "invalid_api_key" } }),
    );
  });
  const page = await serve(t, (_, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end("<!doctype html><p>Welcome</p>");
  });
  const elsewhere = await serve(t, (_, response) => {
    response.writeHead(302, { location: "http://127.0.0.1:1/v1/models" });
    response.end();
  });
  const { api, keyFile, config } = await setUp(t);
  const cases: [Record<string, string>, string, RegExp][] = [
    [{ address: `${refusing}/v1`, key: secret }, "key", /refused the key/],
    [{ address: `${page}/v1`, key: secret }, "address", /web page/],
    [{ address: `${elsewhere}/v1`, key: secret }, "address", /redirect|elsewhere|another/i],
    [{ address: `${await closedPort()}/v1`, key: secret }, "server", /Nothing is listening/],
    [{ address: "my server", key: secret }, "address", /not an address/],
    [{ address: `${refusing}/v1`, key: "sk-test\n51b2" }, "key", /no spaces/],
    [{ key: secret }, "address", /address|base URL/],
  ];
  for (const [values, field, message] of cases) {
    const replied = await api.call("POST", "/api/models/connect", { provider: "gateway", values });
    assert.notEqual(replied.status, 200, JSON.stringify(values));
    assert.equal(replied.body.details.field, field, JSON.stringify([values, replied.body]));
    assert.match(replied.body.message, message);
    assert.doesNotMatch(JSON.stringify(replied.body), new RegExp(secret));
  }
  assert.throws(() => readFileSync(keyFile), /ENOENT/);
  assert.deepEqual(config(), {});
});

test("a gateway by address and key is a provider of its own, and what was in the configuration stays", async (t) => {
  const keys: (string | undefined)[] = [];
  const url = await serve(t, (request, response) => {
    keys.push(request.headers.authorization);
    response.setHeader("content-type", "application/json");
    response.end(models);
  });
  const before = { review: "turn", providers: { other: { baseURL: "http://127.0.0.1:9/v1" } } };
  const { api, config } = await setUp(t, before);
  const values = { address: `${url}/v1/`, key: secret };
  const connected = await api.ok("POST", "/api/models/connect", { provider: "gateway", values });
  assert.deepEqual(keys, [`Bearer ${secret}`, `Bearer ${secret}`]);
  assert.equal(connected.provider.models[0].context_window, 50_000);
  assert.deepEqual(config(), {
    review: "turn",
    providers: { ...before.providers, gateway: { baseURL: `${url}/v1` } },
  });
  const gone = await api.ok("DELETE", "/api/models/connect/gateway");
  assert.equal(gone.forgotten, 1);
  assert.deepEqual(gone.provider.keys, []);
});

test("a kept key is sent to the address that it was tried with, and nowhere else", async (t) => {
  const url = await serve(t, (_, response) => {
    response.setHeader("content-type", "application/json");
    response.end(models);
  });
  const seen: (string | undefined)[] = [];
  const thief = await serve(t, (request, response) => {
    seen.push(request.headers.authorization);
    response.setHeader("content-type", "application/json");
    response.end(models);
  });
  const { api } = await setUp(t);
  await api.ok("POST", "/api/models/connect", {
    provider: "openai",
    values: { address: `${url}/v1`, key: secret },
  });
  const body = { provider: "openai", values: { address: `${thief}/v1` } };
  const replied = await api.call("POST", "/api/models/connect", body);
  assert.equal(replied.body.details.field, "key");
  assert.match(replied.body.message, /was kept for .* and is not sent to/);
  assert.deepEqual(seen, []);
});

test("a server without a list of models is connected, and says that nothing was tried, unless a model is named", async (t) => {
  const server = await startScriptedModel([{ text: "Ready." }]);
  t.after(() => server.close());
  const bare = await serve(t, (_, response) => {
    response.writeHead(404, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: "no such path" }));
  });
  const { api } = await setUp(t);
  const values = { address: `${bare}/v1` };
  const untested = await api.ok("POST", "/api/models/connect", { provider: "bare", values });
  assert.match(untested.note, /no list of models, so nothing could be tried/);
  const wrong = await api.call("POST", "/api/models/connect", { provider: "bare", values, model: "any" });
  assert.equal(wrong.status, 502, "a model of a server that has nothing there fails its trial");
});

test("a second key joins the first, and either can be forgotten alone", async (t) => {
  const url = await serve(t, (_, response) => {
    response.setHeader("content-type", "application/json");
    response.end(models);
  });
  const { api } = await setUp(t, { providers: { mine: { baseURL: `${url}/v1` } } });
  const connect = (key: string, is_added: boolean) =>
    api.ok("POST", "/api/models/connect", { provider: "mine", values: { key }, is_added });
  await connect("key-number-one", false);
  const two = await connect("key-number-two", true);
  assert.equal(two.provider.keys.length, 2);
  assert.match(two.provider.why, /2 keys take turns/);
  const [first] = two.provider.keys;
  const one = await api.ok("DELETE", `/api/models/connect/mine?key=${first.id}`);
  assert.equal(one.provider.keys.length, 1);
  assert.equal((await connect("key-number-three", false)).provider.keys.length, 1, "it replaces the other");
});

test("in mode local nothing is asked elsewhere, also not to connect it", async (t) => {
  const { api } = await setUp(t, { agentMode: "local" });
  const body = { provider: "far", values: { address: "http://192.0.2.1/v1" } };
  const replied = await api.call("POST", "/api/models/connect", body);
  assert.equal(replied.body.details.field, "address");
  assert.match(replied.body.message, /mode is local/);
});

test("in mode local a provider far away is not asked either where it has its own address, and no code is asked for", async (t) => {
  let requests = 0;
  const url = await serve(t, (_, response) => {
    requests += 1;
    response.end("{}");
  });
  // A name that leads here, and that nobody may take for this machine.
  const far = url.replace("127.0.0.1", "0.0.0.0");
  const oauth = { deviceURL: `${far}/device`, tokenURL: `${far}/token`, clientId: "stet" };
  const { api } = await setUp(
    t,
    { agentMode: "local", providers: { corp: { baseURL: `${url}/v1`, oauth } } },
    { OPENAI_BASE_URL: `${far}/v1` },
  );
  const body = { provider: "openai", values: { key: secret } };
  const byKey = await api.call("POST", "/api/models/connect", body);
  const byCode = await api.call("POST", "/api/models/device-login", { provider: "corp" });
  for (const { body: fault } of [byKey, byCode]) assert.match(fault.message, /mode is local/);
  assert.equal(requests, 0);
});

test("where the address cannot be written, the key that was kept before is still the one that is used", async (t) => {
  const url = await serve(t, (_, response) => {
    response.setHeader("content-type", "application/json");
    response.end(models);
  });
  const { api, place, keyFile } = await setUp(t);
  const { mkdirSync, rmSync } = await import("node:fs");
  const values = { address: `${url}/v1`, key: secret };
  await api.ok("POST", "/api/models/connect", { provider: "mine", values });
  const before = readFileSync(keyFile, "utf8");
  // Where the new file would be written first.
  const blocked = `${join(place.folder, "stet", "config.json")}.${process.pid}.new`;
  mkdirSync(blocked);
  const other = { ...values, key: `${secret}-new` };
  const replied = await api.call("POST", "/api/models/connect", { provider: "mine", values: other });
  assert.match(replied.body.message, /config\.json could not be written/);
  assert.equal(readFileSync(keyFile, "utf8"), before);
  rmSync(blocked, { recursive: true });
});

test("where the key cannot be kept, the address is as it was", async (t) => {
  const url = await serve(t, (_, response) => {
    response.setHeader("content-type", "application/json");
    response.end(models);
  });
  const { api, keyFile, config } = await setUp(t, { model: "practice" });
  const { writeFileSync } = await import("node:fs");
  writeFileSync(keyFile, "{ broken");
  const values = { address: `${url}/v1`, key: secret };
  await api.call("POST", "/api/models/connect", { provider: "mine", values });
  assert.deepEqual(config(), { model: "practice", providers: {} });
});

test("a file of keys that is damaged is told, and left as it is", async (t) => {
  const url = await serve(t, (_, response) => {
    response.setHeader("content-type", "application/json");
    response.end(models);
  });
  const { api, keyFile } = await setUp(t);
  const { writeFileSync } = await import("node:fs");
  writeFileSync(keyFile, "{ broken");
  const values = { address: `${url}/v1`, key: secret };
  const replied = await api.call("POST", "/api/models/connect", { provider: "mine", values });
  assert.equal(replied.body.error, "store_damaged");
  assert.equal(readFileSync(keyFile, "utf8"), "{ broken");
});

test("secret options of a cloud are kept like a key, and its region in the configuration", async (t) => {
  const url = await serve(t, (_, response) => {
    response.writeHead(404, { "content-type": "application/json" });
    response.end("{}");
  });
  const { api, keyFile, config } = await setUp(t);
  const values = {
    region: "eu-central-1",
    accessKeyId: "AKIDEXAMPLE",
    secretAccessKey: "wJalrXUtnFEMIK7MDENG",
    address: url,
  };
  const connected = await api.ok("POST", "/api/models/connect", { provider: "bedrock", values });
  assert.equal(connected.provider.is_ready, true, connected.provider.why);
  assert.equal(connected.kept_in, "file");
  assert.doesNotMatch(JSON.stringify([config(), connected]), /wJalrXUtnFEMIK7MDENG/);
  assert.match(readFileSync(keyFile, "utf8"), /wJalrXUtnFEMIK7MDENG/);
  assert.deepEqual(config().providers.bedrock.options, {
    region: "eu-central-1",
    accessKeyId: "AKIDEXAMPLE",
  });
});
