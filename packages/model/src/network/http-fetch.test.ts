import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { type TestContext, test } from "node:test";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { httpFetch } from "./http-fetch.ts";
import { proxyFor } from "./proxy.ts";

const send = httpFetch({});

async function listening(t: TestContext, server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  return `http://127.0.0.1:${address.port}`;
}

const answering = (t: TestContext, answer: RequestListener) => listening(t, createServer(answer));

/** The error of a promise, with the error below it. */
async function failureOf(
  promise: Promise<unknown>,
): Promise<{ name: string; message: string; cause: string }> {
  try {
    await promise;
  } catch (error) {
    assert.ok(error instanceof Error || error instanceof DOMException);
    const { cause } = error;
    return { name: error.name, message: error.message, cause: cause instanceof Error ? cause.message : "" };
  }
  return assert.fail("it did not fail");
}

test("method, headers and body arrive, and status, headers and body come back", async (t) => {
  const url = await answering(t, async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request)).toString();
    response.writeHead(418, "Teapot", { "x-many": ["a", "b"], "content-type": "text/plain" });
    response.end(
      `${request.method} ${request.url} ${request.headers["x-key"]} ${request.headers["content-length"]} ${body}`,
    );
  });
  const reply = await send(`${url}/v1?a=b`, { method: "POST", headers: { "X-Key": "k" }, body: "größer" });
  assert.equal(reply.status, 418);
  assert.equal(reply.statusText, "Teapot");
  assert.equal(reply.headers.get("x-many"), "a, b");
  assert.equal(await reply.text(), "POST /v1?a=b k 8 größer");
});

test("an answer without a body has none", async (t) => {
  const url = await answering(t, (_request, response) => {
    response.writeHead(204).end();
  });
  const reply = await send(url);
  assert.equal(reply.body, null);
});

test("pieces arrive as they are sent", async (t) => {
  const open: ServerResponse[] = [];
  const url = await answering(t, (_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("one");
    open.push(response);
  });
  const reply = await send(url);
  assert.ok(reply.body !== null);
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  assert.equal((await reader.read()).value, "one");
  open[0]?.end("two");
  assert.equal((await reader.read()).value, "two");
  assert.equal((await reader.read()).done, true);
});

test("a reader that does not read holds the server back", async (t) => {
  let written = 0;
  const piece = Buffer.alloc(65_536);
  const total = 1024;
  const url = await answering(t, async (_request, response) => {
    for (let at = 0; at < total; at += 1) {
      written += 1;
      if (!response.write(piece)) await once(response, "drain");
    }
    response.end();
  });
  const reply = await send(url);
  let before = -1;
  // Until the buffers on the way are full.
  while (before !== written) {
    before = written;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  assert.ok(written < total, `${written} pieces were taken`);
  assert.equal((await reply.arrayBuffer()).byteLength, total * piece.length);
});

test("aborting ends a request before its answer, in its body, and before it was sent", async (t) => {
  let closed = 0;
  let stopping = new AbortController();
  const url = await answering(t, (request, response) => {
    request.socket.on("close", () => {
      closed += 1;
    });
    if (request.url === "/body") response.writeHead(200).write("begun");
    else stopping.abort();
  });
  assert.equal((await failureOf(send(`${url}/silent`, stopping))).name, "AbortError");
  stopping = new AbortController();
  const reply = await send(`${url}/body`, stopping);
  const rest = reply.text();
  stopping.abort();
  assert.equal((await failureOf(rest)).name, "AbortError");
  while (closed < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal((await failureOf(send(url, { signal: AbortSignal.abort() }))).name, "AbortError");
  const timeout = { signal: AbortSignal.timeout(20) };
  assert.equal((await failureOf(send(`${url}/silent`, timeout))).name, "TimeoutError");
});

test("cancelling a body closes its connection", async (t) => {
  const closed = Promise.withResolvers<void>();
  const url = await answering(t, (request, response) => {
    request.socket.on("close", () => closed.resolve());
    response.writeHead(200).write("begun");
  });
  await (await send(url)).body?.cancel();
  await closed.promise;
});

test("an answer that breaks off is an error, whether its length was told or not", async (t) => {
  for (const headers of [{}, { "content-length": 100 }]) {
    const url = await answering(t, (request, response) => {
      response.writeHead(200, headers);
      response.write("some");
      setTimeout(() => request.socket.destroy(), 20);
    });
    assert.equal((await failureOf((await send(url)).text())).message, "terminated");
  }
});

test("a server that is not there, or closes at once, is told with the system's reason", async (t) => {
  const gone = createServer();
  const url = await listening(t, gone);
  gone.close();
  await once(gone, "close");
  const failure = await failureOf(send(url));
  assert.equal(failure.message, "fetch failed");
  assert.match(failure.cause, /ECONNREFUSED/);
  const closing = await answering(t, (request) => request.socket.destroy());
  assert.match((await failureOf(send(closing))).cause, /socket hang up/);
});

test("connections are used again, and one that was closed meanwhile is replaced", async (t) => {
  const ports: (number | undefined)[] = [];
  const server = createServer((request, response) => {
    ports.push(request.socket.remotePort);
    response.end("ok");
  });
  const url = await listening(t, server);
  for (let at = 0; at < 2; at += 1) await (await send(url)).text();
  assert.equal(ports[0], ports[1]);
  server.closeIdleConnections();
  assert.equal(await (await send(url, { method: "POST", body: "x" })).text(), "ok");
});

test("an idle connection keeps no process alive", async (t) => {
  const { spawn } = await import("node:child_process");
  const url = await answering(t, (_request, response) => void response.end("ok"));
  const script = `import { httpFetch } from ${JSON.stringify(new URL("./http-fetch.ts", import.meta.url).href)};
    console.log(await (await httpFetch({})(${JSON.stringify(url)})).text());`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [code] = await once(child, "exit");
  assert.equal(code, 0);
});

test("redirects lead to the same host only, and repeat a request where they say so", async (t) => {
  const other = await answering(t, (_request, response) => void response.end("elsewhere"));
  const url = await answering(t, async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request)).toString();
    if (request.url === "/end") return response.end(`${request.method} ${body}`);
    const [, status, to = "/end"] = /^\/(\d+)\/?(.*)$/.exec(request.url ?? "") ?? [];
    response
      .writeHead(Number(status), {
        location: to === "" ? "/end" : to === "again" ? request.url : decodeURIComponent(to),
      })
      .end();
  });
  const post = { method: "POST", body: "words" };
  assert.equal(await (await send(`${url}/307`, post)).text(), "POST words");
  assert.equal(await (await send(`${url}/302`, post)).text(), "GET ");
  assert.match(
    (await failureOf(send(`${url}/307/${encodeURIComponent(other)}`, post))).cause,
    /unexpected redirect/,
  );
  assert.match(
    (await failureOf(send(`${url}/308`, { ...post, redirect: "error" }))).cause,
    /unexpected redirect/,
  );
  assert.match((await failureOf(send(`${url}/307/again`, post))).cause, /unexpected redirect/);
});

test("a body that is compressed all the same is read", async (t) => {
  const kinds = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };
  for (const [encoding, compress] of Object.entries(kinds)) {
    const url = await answering(t, (_request, response) => {
      response.writeHead(200, { "content-encoding": encoding }).end(compress("plain"));
    });
    assert.equal(await (await send(url)).text(), "plain");
  }
});

test("HTTPS goes through a tunnel of the proxy, with its credentials, and the tunnel is used again", async (t) => {
  const tunnels: string[] = [];
  const { createServer: createSecure } = await import("node:https");
  const { selfSigned } = await import("@stet/testkit/certificate");
  const target = createSecure(selfSigned, (_request, response) => void response.end("secret"));
  const proxy = createServer();
  proxy.on("connect", (request, socket) => {
    tunnels.push(`${request.url} ${request.headers["proxy-authorization"]}`);
    const { port } = new URL(secure);
    const onward = connect(Number(port), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      socket.pipe(onward).pipe(socket);
    });
    onward.on("error", () => socket.destroy());
  });
  const secure = await listening(t, target);
  const way = (await listening(t, proxy)).replace("//", "//me:pass@");
  const through = httpFetch({ HTTPS_PROXY: way });
  const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
  t.after(() => {
    if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
  });
  for (let at = 0; at < 2; at += 1)
    assert.equal(await (await through("https://models.example/v1")).text(), "secret");
  assert.deepEqual(tunnels, [`models.example:443 Basic ${Buffer.from("me:pass").toString("base64")}`]);
});

test("which proxy leads to an address", () => {
  const environment = {
    HTTP_PROXY: "one:1",
    https_proxy: "http://two:2",
    NO_PROXY: "a.example, .b.example,*.c.example:444",
  };
  const proxyOf = (url: string, given = environment) => proxyFor(new URL(url), given)?.host;
  assert.equal(proxyOf("http://x.example"), "one:1");
  assert.equal(proxyOf("https://x.example"), "two:2");
  assert.equal(proxyOf("https://x.example", { ...environment, https_proxy: "" }), "one:1");
  assert.equal(proxyOf("https://a.example"), undefined);
  assert.equal(proxyOf("https://sub.a.example"), undefined);
  assert.equal(proxyOf("https://nota.example"), "two:2");
  assert.equal(proxyOf("https://b.example"), undefined);
  assert.equal(proxyOf("https://c.example"), "two:2");
  assert.equal(proxyOf("https://x.c.example:444"), undefined);
  assert.equal(proxyOf("http://localhost:9"), undefined);
  assert.equal(proxyOf("http://x.example", { ...environment, NO_PROXY: "*" }), undefined);
});
