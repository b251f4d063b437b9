import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { createServer as createRawServer } from "node:net";
import { type TestContext, test } from "node:test";
import { createGzip } from "node:zlib";
import { Fault, isFault } from "@stet/protocol/fault";
import { type FetchOptions, fetchPage, maxPageBytes } from "./fetch-page.ts";

async function serve(t: TestContext, listener: RequestListener, host = "127.0.0.1"): Promise<number> {
  const server = createServer(listener).listen(0, host);
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  return address.port;
}

function options(more: Partial<FetchOptions> = {}): FetchOptions {
  const { signal } = new AbortController();
  return { mayAsk: () => true, signal, permit: async () => undefined, ...more };
}

function refusal(result: unknown): Fault {
  assert.ok(isFault(result), "expected a fault");
  return result;
}

test("redirects are followed, five at most, and each is asked for", async (t) => {
  const port = await serve(t, (request, response) => {
    const left = Number(request.url?.slice(1));
    if (left === 0) response.end("there");
    else response.writeHead(302, { location: `http://127.0.0.1:${port}/${left - 1}` }).end();
  });
  const asked: string[] = [];
  const permit = async (url: URL) => {
    asked.push(url.href);
    return undefined;
  };
  const page = await fetchPage(new URL(`http://localhost:${port}/5`), options({ permit }));
  assert.ok(!isFault(page));
  assert.equal(page.bytes.toString(), "there");
  assert.equal(page.redirects.length, 5);
  assert.deepEqual(asked, [`http://127.0.0.1:${port}/4`]);
  const fault = refusal(await fetchPage(new URL(`http://localhost:${port}/6`), options()));
  assert.equal(fault.error, "page_failed");
  assert.match(fault.message, /more than 5 times/);
});

test("a page that redirects to itself is given up", async (t) => {
  const port = await serve(t, (_, response) => response.writeHead(301, { location: "/again" }).end());
  assert.match(
    refusal(await fetchPage(new URL(`http://127.0.0.1:${port}/`), options())).message,
    /redirects/,
  );
});

test("a redirect to a machine that may not be asked is refused before anything is sent there", async (t) => {
  let requests = 0;
  const secret = await serve(t, () => (requests += 1), "127.0.0.2");
  const mayAsk = (address: string) => address !== "127.0.0.2";
  for (const location of [
    `http://127.0.0.2:${secret}/`,
    `http://name.test:${secret}/`,
    `//127.0.0.2:${secret}/x`,
  ]) {
    const port = await serve(t, (_, response) => response.writeHead(302, { location }).end());
    const resolve = async () => [{ address: "127.0.0.2", family: 4 }];
    const fault = refusal(
      await fetchPage(new URL(`http://127.0.0.1:${port}/`), options({ mayAsk, resolve })),
    );
    assert.equal(fault.error, "not_allowed", location);
  }
  assert.equal(requests, 0);
});

test("a name that leads to an allowed and a refused machine is refused", async () => {
  const resolve = async () => [
    { address: "93.184.216.34", family: 4 },
    { address: "127.0.0.1", family: 4 },
  ];
  const mayAsk = (address: string) => address !== "127.0.0.1";
  const fault = refusal(await fetchPage(new URL("http://mixed.test/"), options({ mayAsk, resolve })));
  assert.equal(fault.error, "not_allowed");
});

test("a name is looked up once, and the connection goes where it was judged", async (t) => {
  const port = await serve(t, (request, response) =>
    response.end(`${request.headers.host} at ${request.socket.localAddress}`),
  );
  let lookups = 0;
  const resolve = async () => {
    lookups += 1;
    return [{ address: lookups === 1 ? "127.0.0.1" : "127.0.0.9", family: 4 }];
  };
  const page = await fetchPage(new URL(`http://rebind.test:${port}/`), options({ resolve }));
  assert.ok(!isFault(page));
  assert.equal(page.bytes.toString(), `rebind.test:${port} at 127.0.0.1`);
  assert.equal(lookups, 1);
});

test("a redirect to another kind of address, or with a password, is refused", async (t) => {
  for (const location of [
    "file:///etc/passwd",
    "ftp://example.org/",
    "http://user:pass@127.0.0.1/",
    "javascript:1",
    "http://[",
  ]) {
    const port = await serve(t, (_, response) => response.writeHead(302, { location }).end());
    assert.equal(
      refusal(await fetchPage(new URL(`http://127.0.0.1:${port}/`), options())).error,
      "page_failed",
      location,
    );
  }
});

test("a host that the person does not allow is not asked", async (t) => {
  let requests = 0;
  const other = await serve(t, (_, response) => {
    requests += 1;
    response.end();
  });
  const port = await serve(t, (_, response) =>
    response.writeHead(302, { location: `http://localhost:${other}/` }).end(),
  );
  const permit = async () => new Fault("not_allowed", "No.", "Ask.");
  assert.equal(
    refusal(await fetchPage(new URL(`http://127.0.0.1:${port}/`), options({ permit }))).error,
    "not_allowed",
  );
  assert.equal(requests, 0);
});

test("a page that drips, or never answers, ends with the time", async (t) => {
  const port = await serve(t, (request, response) => {
    if (request.url === "/silent") return;
    const timer = setInterval(() => response.write("x"), 20);
    response.on("close", () => clearInterval(timer));
  });
  for (const path of ["drip", "silent"]) {
    const started = performance.now();
    const fault = refusal(
      await fetchPage(new URL(`http://127.0.0.1:${port}/${path}`), options({ milliseconds: 300 })),
    );
    assert.match(fault.message, /longer than 0\.3 seconds/);
    assert.ok(performance.now() - started < 2000);
  }
});

test("the person can stop it, while it is looked up, too", async (t) => {
  const port = await serve(t, () => {});
  const url = new URL(`http://127.0.0.1:${port}/`);
  assert.equal(refusal(await fetchPage(url, options({ signal: AbortSignal.timeout(100) }))).error, "aborted");
  const resolve = () => new Promise<never>(() => {});
  const named = options({ signal: AbortSignal.timeout(100), resolve });
  assert.equal(refusal(await fetchPage(new URL("http://slow.test/"), named)).error, "aborted");
  assert.equal(refusal(await fetchPage(url, options({ signal: AbortSignal.abort() }))).error, "aborted");
});

test("a body without end, and a packed one of a gigabyte, are cut at 20 MB", async (t) => {
  const port = await serve(t, (request, response) => {
    const out = request.url === "/packed" ? createGzip() : response;
    if (out !== response) {
      response.setHeader("content-encoding", "gzip");
      out.pipe(response);
    }
    const chunk = Buffer.alloc(1024 * 1024);
    let left = 1024;
    const more = () => {
      while (left > 0 && !response.destroyed) {
        left -= 1;
        if (!out.write(chunk)) return void out.once("drain", more);
      }
      out.end();
    };
    more();
  });
  for (const path of ["plain", "packed"]) {
    const page = await fetchPage(new URL(`http://127.0.0.1:${port}/${path}`), options());
    assert.ok(!isFault(page), path);
    assert.equal(page.bytes.length, maxPageBytes);
    assert.equal(page.isCut, true);
  }
});

test("a body that ends too early, one that is not what it says, and headers without end are failures", async (t) => {
  const answers: Readonly<Record<string, string>> = {
    short: "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort",
    packed: "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nplain",
    headers: `HTTP/1.1 200 OK\r\n${`X-Long: ${"x".repeat(1000)}\r\n`.repeat(200)}\r\n`,
    nonsense: "220 mail.example.org ESMTP\r\n",
    nothing: "",
  };
  const server = createRawServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", (data) => {
      const path = /GET \/(\w+)/.exec(data.toString())?.[1] ?? "";
      socket.end(answers[path] ?? "");
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  for (const path of Object.keys(answers)) {
    const result = await fetchPage(new URL(`http://127.0.0.1:${address.port}/${path}`), options());
    assert.equal(refusal(result).error, "page_failed", path);
  }
});

test("where nothing answers, or no name leads, that is told", async (t) => {
  const port = await serve(t, () => {});
  const gone = await fetchPage(new URL(`http://127.0.0.3:${port}/`), options());
  assert.match(refusal(gone).message, /nothing answers there/);
  const resolve = async () => [];
  assert.match(
    refusal(await fetchPage(new URL("http://no.test/"), options({ resolve }))).message,
    /leads nowhere/,
  );
});
