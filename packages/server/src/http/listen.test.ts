import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { request } from "node:https";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { defaultLimits } from "@stet/host/limits";
import type { Operations } from "@stet/protocol/api/operation";
import { isFault } from "@stet/protocol/fault";
import { ApiFixture } from "@stet/testkit/api-fixture";
import { temporaryFolder } from "@stet/testkit/temporary";
import { Hono } from "hono";
import { Access } from "./access.ts";
import { type AppEnvironment, createApp } from "./app.ts";
import { isLoopback, type ListenOptions, listen, serverTimes } from "./listen.ts";
import { Site } from "./site.ts";
import { EventStreams } from "./streams.ts";

function start(t: TestContext, options: Partial<ListenOptions>, app = new Hono<AppEnvironment>()) {
  const parts = { limits: defaultLimits, site: new Site(), streams: new EventStreams(defaultLimits) };
  const listening = listen(app, { port: 0, host: "127.0.0.1", ...parts, ...options });
  t.after(async () => {
    const server = await listening;
    if (!isFault(server)) await server.close();
  });
  return listening;
}

test("other machines are let in only with TLS or when that is said in full", async (t) => {
  for (const host of ["0.0.0.0", "::", "192.0.2.1", "example.com", "127.0.0.1.example.com"]) {
    const refused = await start(t, { host });
    assert.ok(isFault(refused));
    assert.equal(refused.error, "not_allowed");
    assert.match(refused.suggestion, /--tls-cert.*--allow-unencrypted-network/);
  }
  const open = await start(t, { host: "0.0.0.0", allowsUnencryptedNetwork: true });
  assert.ok(!isFault(open));
  for (const host of ["127.0.0.1", "127.1.2.3", "::1", "localhost"]) assert.ok(isLoopback(host));
});

test("a port that is taken is told, and 0 takes one that is free", async (t) => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  t.after(() => other.close());
  const { port } = other.address() as { port: number };
  const refused = await start(t, { port });
  assert.ok(isFault(refused));
  assert.equal(refused.error, "address_in_use");
  const free = await start(t, { port: 0 });
  assert.ok(!isFault(free));
  assert.equal(free.url, `http://127.0.0.1:${free.port}`);
});

function silentConnections(t: TestContext, port: number, count: number) {
  return Array.from({ length: count }, () => {
    const socket = connect(port, "127.0.0.1");
    t.after(() => socket.destroy());
    const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()));
    // Where too many come at once, the system may refuse some.
    socket.on("error", () => {});
    return { socket, closed };
  });
}

test("whoever sends headers or a body too slowly is cut off", async (t) => {
  const { headersTimeout, requestTimeout, connectionsCheckingInterval } = serverTimes;
  assert.ok(
    headersTimeout <= 15_000 && requestTimeout <= 300_000 && connectionsCheckingInterval < headersTimeout,
  );
  const times = { headersTimeout: 50, requestTimeout: 100, connectionsCheckingInterval: 10 };
  const fixture = await ApiFixture.open(t, { times });
  const begun = `HTTP/1.1\r\nHost: 127.0.0.1:${fixture.port}`;
  assert.match(await fixture.raw(`GET / ${begun}`), /^HTTP\/1\.1 408 /);
  const slow = `POST /api/login ${begun}\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{"a`;
  assert.match(await fixture.raw(slow), /^HTTP\/1\.1 408 /);
  assert.deepEqual(fixture.errors, []);
});

test("a connection on which nothing comes is closed, and hundreds of them leave room for the owner", async (t) => {
  const limits = { max_requests_at_once: 40, max_streams_at_once: 60 };
  const quick = await ApiFixture.open(t, { times: { headersTimeout: 50 }, limits });
  const silent = silentConnections(t, quick.port, 5);
  await Promise.all(silent.map(({ closed }) => closed));

  const fixture = await ApiFixture.open(t, { limits });
  const [oldest] = silentConnections(t, fixture.port, 400);
  for (let time = 0; time < 5; time += 1) {
    const { status } = await fixture.call("/api/workspace", { headers: fixture.bearer });
    assert.equal(status, 200);
  }
  await oldest?.closed;
  assert.deepEqual(fixture.errors, []);
});

test("headers without end are cut off at the limit", async (t) => {
  const fixture = await ApiFixture.open(t);
  const reply = await fixture.raw(
    `GET / HTTP/1.1\r\nHost: 127.0.0.1:${fixture.port}\r\nX: ${"x".repeat(70_000)}\r\n\r\n`,
  );
  assert.match(reply, /^HTTP\/1\.1 431 /);
  const long = await fixture.call(`/api/search?query=${"x".repeat(50_000)}`, { headers: fixture.bearer });
  assert.equal(long.status, 413);
});

test("closing does not wait for a connection on which nothing comes", async (t) => {
  const fixture = await ApiFixture.open(t);
  const socket = connect(fixture.port, "127.0.0.1");
  t.after(() => socket.destroy());
  socket.on("error", () => {});
  await new Promise<void>((resolve) =>
    socket.on("connect", () => socket.write("GET / HTTP/1.1\r\nHost:", () => resolve())),
  );
  const closed = new Promise((resolve) => socket.on("close", resolve));
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const closing = fixture.close();
  t.mock.timers.tick(3500);
  await closing;
  await closed;
});

test("over TLS the cookie is sent over TLS only, and the origin is https", async (t) => {
  const folder = temporaryFolder(t);
  const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  const made = spawnSync("openssl", [
    ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"],
    ...["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
    ...["-keyout", key, "-out", cert],
  ]);
  if (made.error !== undefined || made.status !== 0)
    return t.skip("openssl is not there to make a certificate");
  const tls = { cert: readFileSync(cert, "utf8"), key: readFileSync(key, "utf8") };
  const access = new Access();
  const [site, streams] = [new Site(), new EventStreams(defaultLimits)];
  const operations = new Proxy({}, { get: () => async () => ({}) }) as Operations;
  const app = createApp({ operations, access, limits: defaultLimits, site, streams });
  const server = await start(t, { tls, site, streams }, app);
  assert.ok(!isFault(server));
  assert.match(server.url, /^https:/);
  const login = (origin: string) =>
    new Promise<{ status: number; cookies: string[] | undefined; body: string }>((resolve, reject) => {
      const headers = { "content-type": "application/json", origin };
      const sent = request(
        `${server.url}/api/login`,
        { method: "POST", headers, ca: tls.cert },
        async (reply) =>
          resolve({
            status: reply.statusCode ?? 0,
            cookies: reply.headers["set-cookie"],
            body: await text(reply),
          }),
      );
      sent.on("error", reject);
      sent.end(JSON.stringify({ token: access.token }));
    });
  assert.equal((await login(server.url.replace("https", "http"))).status, 403);
  const { status, cookies } = await login(server.url);
  assert.equal(status, 200);
  assert.match(cookies?.[0] ?? "", /^__Host-stet-\d+=.*; Secure/);

  const broken = await start(t, { tls: { cert: "nonsense", key: tls.key } });
  assert.ok(isFault(broken));
  assert.equal(broken.error, "invalid_arguments");
});
