import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import type { Operations } from "@stet/protocol/api/operation";
import { faultReply } from "@stet/protocol/api/route";
import { Fault, type FaultCode, faultCodes } from "@stet/protocol/fault";
import { ApiFixture, servedRoot } from "@stet/testkit/api-fixture";
import { statusOf } from "./fault-reply.ts";

const json = { "content-type": "application/json" };

test("a link signs one browser in: with a cookie that scripts and other sites cannot use", async (t) => {
  const fixture = await ApiFixture.open(t);
  const login = { method: "POST", headers: json, body: JSON.stringify({ token: fixture.access.token }) };
  const answer = await fixture.call("/api/login", login);
  assert.equal(answer.status, 200);
  const [set = ""] = answer.headers["set-cookie"] ?? [];
  const [pair = "", ...attributes] = set.split("; ");
  assert.deepEqual(attributes.sort(), ["HttpOnly", "Max-Age=2592000", "Path=/", "SameSite=Strict"]);
  assert.ok(pair.startsWith(`stet-${fixture.port}=`));
  assert.ok(!pair.includes(fixture.access.token) && !answer.text.includes(fixture.access.token));
  assert.equal((await fixture.call("/api/tabs", { headers: { cookie: pair } })).status, 200);

  const again = await fixture.call("/api/login", login);
  assert.equal(again.status, 403);
  assert.match(JSON.parse(again.text).suggestion, /new link/);
  assert.equal((await fixture.call("/api/tabs", { headers: fixture.bearer })).status, 200);

  const out = { method: "POST", headers: { ...json, cookie: pair, origin: fixture.url }, body: "{}" };
  assert.equal((await fixture.call("/api/logout", out)).status, 200);
  assert.equal((await fixture.call("/api/tabs", { headers: { cookie: pair } })).status, 401);
});

test("a window of another folder is refused, and whoever names none is not", async (t) => {
  const fixture = await ApiFixture.open(t);
  const asked = (root: string) =>
    fixture.call("/api/tabs", { headers: { ...fixture.bearer, "stet-root": encodeURIComponent(root) } });
  assert.equal((await asked(servedRoot)).status, 200);
  const answer = await asked("/home/anna/größe");
  assert.equal(answer.status, 409);
  assert.equal(JSON.parse(answer.text).error, "other_folder");
  assert.equal((await fixture.call("/api/tabs", { headers: fixture.bearer })).status, 200);
});

test("nobody signs a browser in from another site, with a form, or with a guess", async (t) => {
  const fixture = await ApiFixture.open(t);
  const body = JSON.stringify({ token: fixture.access.token });
  const post = (headers: Record<string, string>, text = body) =>
    fixture.call("/api/login", { method: "POST", headers, body: text });
  assert.equal((await post({ ...json, origin: "https://example.com" })).status, 403);
  assert.equal((await post({ ...json, host: "evil.example" })).status, 403);
  assert.equal((await post({ "content-type": "text/plain" })).status, 415);
  assert.equal((await post(json, "{}")).status, 400);
  assert.equal((await post(json, JSON.stringify({ token: "x".repeat(5000) }))).status, 413);
  for (let count = 0; count < 10; count += 1) {
    assert.equal((await post(json, JSON.stringify({ token: `guess ${count}` }))).status, 401);
  }
  const limited = await post(json, JSON.stringify({ token: "another guess" }));
  assert.equal(limited.status, 429);
  assert.ok(Number(limited.headers["retry-after"]) > 0);
  assert.equal((await fixture.call("/api/tabs", { headers: fixture.bearer })).status, 200);
  assert.equal((await post(json)).status, 200);
});

test("a browser that asks whether another origin may is told no, whatever it asks for", async (t) => {
  const fixture = await ApiFixture.open(t);
  const asks = { origin: "https://example.com", "access-control-request-method": "POST" };
  const answers = [
    await fixture.call("/api/tabs", { method: "OPTIONS", headers: asks }),
    await fixture.call("/api/login", { method: "OPTIONS", headers: asks }),
    await fixture.call("/api/tabs", { method: "OPTIONS", headers: { ...asks, origin: fixture.url } }),
    await fixture.call("/", { method: "OPTIONS", headers: asks }),
  ];
  for (const { status, headers } of answers) {
    assert.equal(status, 403);
    assert.deepEqual(
      Object.keys(headers).filter((name) => name.startsWith("access-control")),
      [],
    );
  }
  const plain = await fixture.call("/api/tabs", { method: "OPTIONS", headers: fixture.bearer });
  assert.equal(plain.status, 405);
  assert.equal(plain.headers.allow, "GET, HEAD, POST");
});

test("an upgrade passes the same checks and is then refused, and the connection ends", async (t) => {
  const fixture = await ApiFixture.open(t);
  const upgrade = (lines: string[]) =>
    fixture.raw(
      [
        "GET /api/workspace/stream HTTP/1.1",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        ...lines,
        "\r\n",
      ].join("\r\n"),
    );
  const host = `Host: 127.0.0.1:${fixture.port}`;
  const bearer = `Authorization: Bearer ${fixture.access.token}`;
  assert.match(await upgrade([host, bearer]), /^HTTP\/1\.1 426 /);
  assert.match(await upgrade([host, bearer, "Origin: https://example.com"]), /^HTTP\/1\.1 403 /);
  assert.match(await upgrade([`Host: evil.example:${fixture.port}`, bearer]), /^HTTP\/1\.1 403 /);
  assert.match(await upgrade([host, "Connection: close"]), /^HTTP\/1\.1 401 /);
  assert.deepEqual(fixture.reached, []);
});

test("an address in the request line counts as much as the Host header", async (t) => {
  const fixture = await ApiFixture.open(t);
  const ask = (target: string, host: string) =>
    fixture.raw(
      `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${fixture.access.token}\r\nConnection: close\r\n\r\n`,
    );
  const ours = `127.0.0.1:${fixture.port}`;
  assert.match(await ask("/api/tabs", ours), /^HTTP\/1\.1 200 /);
  assert.match(await ask("/api/tabs", `LOCALHOST:${fixture.port}`), /^HTTP\/1\.1 200 /);
  assert.match(await ask(`http://evil.example/api/tabs`, ours), /^HTTP\/1\.1 403 /);
  assert.match(await ask(`http://${ours}/api/tabs`, "evil.example"), /^HTTP\/1\.1 403 /);
  assert.match(await fixture.raw("GET /api/tabs HTTP/1.0\r\n\r\n"), /^HTTP\/1\.1 400 /);
  assert.match(await fixture.raw("GET /api/tabs HTTP/1.1\r\n\r\n"), /^HTTP\/1\.1 400 /);
});

test("no spelling of an address gets around the token", async (t) => {
  const fixture = await ApiFixture.open(t);
  const spellings = [
    ...[
      "/api/tabs/",
      "/API/tabs",
      "//api/tabs",
      "/api//tabs",
      "/./api/tabs",
      "/x/../api/tabs",
      "/%61pi/tabs",
    ],
    ...[
      "/api%2ftabs",
      "/api%2Ftabs",
      "/api/%74abs",
      "/api;/tabs",
      "/api/tabs;x",
      "/api/tabs%00",
      "/api/login/../tabs",
    ],
    ...[
      "/api/login%2f..%2ftabs",
      "/api/tabs?path=/api/login",
      "/api/tabs#/api/login",
      "/%2fapi/tabs",
      "/api%5ctabs",
    ],
  ];
  for (const path of spellings) {
    const { status } = await fixture.call(path);
    assert.ok([400, 401, 404].includes(status), `${path}: ${status}`);
  }
  assert.deepEqual(fixture.reached, []);
});

test("every reply carries the headers that keep browsers in check", async (t) => {
  const fixture = await ApiFixture.open(t, {
    operations: {
      listTabs: async () => {
        throw new Error("secret detail");
      },
    },
  });
  const answers = [
    await fixture.call("/"),
    await fixture.call("/stet.js"),
    await fixture.call("/nothing"),
    await fixture.call("/api/health"),
    await fixture.call("/api/health", { headers: fixture.bearer }),
    await fixture.call("/api/tabs", { headers: fixture.bearer }),
    await fixture.call("/api/health", { headers: { host: "evil.example" } }),
    await fixture.call("/api/health", { method: "DELETE", headers: fixture.bearer }),
  ];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 404, 401, 200, 500, 403, 405],
  );
  const stream = await fixture.open("/api/workspace/stream", { headers: fixture.bearer });
  stream.destroy();
  const malformed = await fixture.raw("nonsense\r\n\r\n");
  assert.match(malformed, /^HTTP\/1\.1 400 [\s\S]*content-security-policy: default-src 'none'/i);
  for (const { headers } of [...answers, stream]) {
    assert.match(String(headers["content-security-policy"]), /default-src 'none'.*frame-ancestors 'none'/);
    assert.equal(headers["x-content-type-options"], "nosniff");
    assert.equal(headers["x-frame-options"], "DENY");
    assert.equal(headers["referrer-policy"], "no-referrer");
    assert.equal(headers["cross-origin-opener-policy"], "same-origin");
    assert.equal(headers["cross-origin-resource-policy"], "same-origin");
    assert.match(headers["cache-control"] ?? "", /no-store|no-cache/);
    assert.equal(headers["x-powered-by"], undefined);
  }
});

test("a bug is told as a sentence, without what is inside", async (t) => {
  const fixture = await ApiFixture.open(t, {
    operations: {
      listTabs: async () => {
        throw new Error("secret detail");
      },
    },
  });
  const { status, text } = await fixture.call("/api/tabs", { headers: fixture.bearer });
  assert.equal(status, 500);
  assert.ok(faultReply.safeParse(JSON.parse(text)).success);
  assert.doesNotMatch(text, /secret|at .*\.ts/);
  assert.match(String(fixture.errors[0]), /secret detail/);
});

test("a fault of an operation keeps its code, its details and its advice", async (t) => {
  const fault = new Fault("conflict", "Someone else changed the lines.", "Read them again.", { lines: [3] });
  const fixture = await ApiFixture.open(t, { operations: { listTabs: async () => fault } });
  const { status, text } = await fixture.call("/api/tabs", { headers: fixture.bearer });
  assert.equal(status, 409);
  assert.deepEqual(JSON.parse(text), { ...fault });
});

test("every code of a fault has a status that says whose turn it is", () => {
  for (const code of Object.keys(faultCodes) as FaultCode[]) {
    const status = statusOf(new Fault(code, "", ""));
    assert.ok(status >= 400 && status < 600, code);
    if (code.startsWith("unknown_")) assert.equal(status, 404, code);
    if (code === "search_timeout") assert.equal(status, 504);
  }
});

test("operations get parameters, query and body as the schemas make them, and where a stream goes on", async (t) => {
  const fixture = await ApiFixture.open(t);
  await fixture.call("/api/tabs/a%20b%2Fc/lines?start_line=7", { headers: fixture.bearer });
  const stream = await fixture.open("/api/agent/jobs/j1/stream", {
    headers: { ...fixture.bearer, "last-event-id": "41" },
  });
  const [, second] = fixture.reached;
  assert.deepEqual(fixture.reached[0]?.received, {
    params: { tab_id: "a b/c" },
    query: { start_line: 7 },
    body: {},
  });
  assert.equal(second?.caller.lastEventId, 41);
  assert.equal(second?.caller.signal.aborted, false);
  const aborted = once(second?.caller.signal ?? new EventTarget(), "abort");
  stream.destroy();
  await aborted;
});

test("what is not there is a fault, and so is the wrong method; HEAD is GET without a body", async (t) => {
  const fixture = await ApiFixture.open(t);
  const call = (path: string, method: string) => fixture.call(path, { method, headers: fixture.bearer });
  const missing = await call("/api/nothing", "GET");
  assert.deepEqual([missing.status, JSON.parse(missing.text).error], [404, "unknown_route"]);
  const wrong = await call("/api/tabs/t1", "PUT");
  assert.deepEqual([wrong.status, JSON.parse(wrong.text).error], [405, "wrong_method"]);
  assert.equal(wrong.headers.allow, "DELETE");
  const head = await call("/api/tabs", "HEAD");
  assert.deepEqual([head.status, head.text], [200, ""]);
  const before = fixture.reached.length;
  const stream = await call("/api/workspace/stream", "HEAD");
  assert.deepEqual([stream.status, stream.text], [200, ""]);
  assert.equal(fixture.reached.length, before);
  assert.equal((await fixture.call("/api/openapi.json")).status, 401);
  const description = await call("/api/openapi.json", "GET");
  assert.equal(JSON.parse(description.text).openapi, "3.1.0");
});

test("a reply that does not fit its schema is found where replies are checked", async (t) => {
  const fixture = await ApiFixture.open(t, { checksReplies: true });
  assert.equal((await fixture.call("/api/tabs", { headers: fixture.bearer })).status, 500);
  assert.equal(fixture.errors.length, 1);
});

test("more requests at once than the limit are sent away, and the next one is served", async (t) => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let entered = () => {};
  const inside = new Promise<void>((resolve) => {
    entered = resolve;
  });
  const fixture = await ApiFixture.open(t, {
    limits: { max_requests_at_once: 1 },
    operations: {
      listTabs: async () => {
        entered();
        await released;
        return { tabs: [], active_tab_id: null };
      },
    },
  });
  const first = fixture.call("/api/tabs", { headers: fixture.bearer });
  await inside;
  const second = await fixture.call("/api/health", { headers: fixture.bearer });
  assert.equal(second.status, 503);
  assert.equal(second.headers["retry-after"], "1");
  release();
  assert.equal((await first).status, 200);
  assert.equal((await fixture.call("/api/health", { headers: fixture.bearer })).status, 200);
});

test("the API works in memory, without a port", async (t) => {
  const fixture = await ApiFixture.open(t);
  const { createApp } = await import("./app.ts");
  const { defaultLimits } = await import("@stet/host/limits");
  const operations = new Proxy({}, { get: (_, name) => async () => ({ name }) }) as Operations;
  const app = createApp({
    operations,
    access: fixture.access,
    limits: defaultLimits,
  });
  const reply = await app.fetch(new Request("http://stet.local/api/tabs", { headers: fixture.bearer }));
  assert.deepEqual(await reply.json(), { name: "listTabs" });
  assert.equal((await app.fetch(new Request("http://stet.local/api/tabs"))).status, 401);
  assert.equal(
    (await app.fetch(new Request("http://other/api/tabs", { headers: fixture.bearer }))).status,
    403,
  );
});
