import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { type TestContext, test } from "node:test";
import { openCodeFixture } from "@stet/testkit/code-fixture";
import { read } from "../read.ts";

interface Answer {
  readonly type?: string;
  readonly body: string | Buffer;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

async function fixture(t: TestContext, pages: Readonly<Record<string, Answer>>, privatePages = true) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? "");
    const page = pages[request.url ?? ""];
    if (page?.type !== undefined) response.setHeader("content-type", page.type);
    for (const [name, value] of Object.entries(page?.headers ?? {})) response.setHeader(name, value);
    response.writeHead(page?.status ?? (page === undefined ? 404 : 200)).end(page?.body ?? "nothing here");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  const opened = await openCodeFixture(t, [read], { settings: { privatePages } });
  const base = `http://127.0.0.1:${address.port}`;
  return { ...opened, base, requests, get: (path: string) => opened.call("read", { path: base + path }) };
}

const article = `<!doctype html><html><head><title>On Ducks</title><script>document.write("scripted")</script></head><body>
  <nav><a href="/menu">Menu</a></nav>
  <article><h1>On Ducks</h1>${"<p>Ducks are birds that swim, and there is <b>much</b> to say about them, at length, in a paragraph.</p>".repeat(6)}
  <p>See <a href="/more?a=1">more</a> and <a href="javascript:steal()">this</a>.</p>
  <table><tr><th>kind</th><th>size</th></tr><tr><td>teal</td><td>small</td></tr></table>
  <pre><code class="language-js">quack();\n</code></pre></article>
  <footer>Copyright</footer></body></html>`;

test("a page is told as Markdown, below a head that says what it is", async (t) => {
  const { get, base } = await fixture(t, { "/ducks": { type: "text/html; charset=utf-8", body: article } });
  const { text, details } = await get("/ducks");
  assert.match(
    text,
    new RegExp(`^URL: ${base}/ducks\nContent-Type: text/html; charset=utf-8\nMethod: readable\n\n---\n`),
  );
  assert.match(text, /^# On Ducks$/m);
  assert.match(text, /there is \*\*much\*\* to say/);
  assert.ok(text.includes(`[more](${base}/more?a=1)`));
  assert.match(text, /\| kind \| size \|/);
  assert.match(text, /```js\nquack\(\);\n```/);
  assert.doesNotMatch(text, /scripted|javascript|steal|Menu|Copyright/);
  assert.equal((details as { method: string }).method, "readable");
});

test("raw is the page as it came", async (t) => {
  const { call, base } = await fixture(t, { "/ducks": { type: "text/html", body: article } });
  const { text } = await call("read", { path: `${base}/ducks:raw` });
  assert.match(text, /Method: raw-html/);
  assert.match(text, /document\.write/);
});

test("JSON, text, other encodings and pages without a type are told as text", async (t) => {
  const { get } = await fixture(t, {
    "/json": { type: "application/problem+json", body: '{"a":[1,2]}' },
    "/broken": { type: "application/json", body: "{a:" },
    "/latin": { type: "text/plain; charset=ISO-8859-1", body: Buffer.from("caf\u00e9", "latin1") },
    "/meta": {
      type: "text/html",
      body: Buffer.from('<html><meta charset="windows-1251"><p>\u00cf\u00f0\u00e8</p></html>', "latin1"),
    },
    "/none": { body: "plain words" },
    "/odd": { type: "text/plain; charset=klingon", body: "words" },
    "/xml": { type: "application/xml", body: "<a/>" },
    "/fragment": { type: "text/html", body: "<p>only a <i>piece</i></p>" },
    "/empty": { type: "text/html", body: "<html><body><script>app()</script></body></html>" },
  });
  assert.match((await get("/json")).text, /Method: json[\s\S]*"a": \[\n {4}1,/);
  assert.match((await get("/broken")).text, /\{a:/);
  assert.match((await get("/latin")).text, /café/);
  assert.match((await get("/meta")).text, /При/);
  assert.match((await get("/none")).text, /plain words/);
  assert.match((await get("/odd")).text, /words/);
  assert.match((await get("/xml")).text, /<a\/>/);
  assert.match((await get("/fragment")).text, /only a \*piece\*/);
  assert.match((await get("/empty")).text, /Notes: The page has no text of its own/);
});

test("feeds are told as a list, and raw as they came", async (t) => {
  const rss = `<?xml version="1.0"?><!-- made by a program --><rss version="2.0"><channel><title>Ducks &amp; more</title>
    <description>News</description><item><title>Teal</title><link>/teal</link><pubDate>Mon, 02 Nov 2026</pubDate>
    <description><![CDATA[<p>A <b>small</b> duck.</p>]]></description></item>
    <item><title>Eider</title><link>javascript:steal()</link><description>&lt;p&gt;Soft.&lt;/p&gt;</description></item></channel></rss>`;
  const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title>Geese</title><entry><title>Brant</title>
    <link rel="edit" href="/edit"/><link href="/brant"/><updated>2026-11-02</updated><summary>Dark.</summary></entry></feed>`;
  const { get, base } = await fixture(t, {
    "/rss": { type: "application/rss+xml", body: rss },
    "/atom": { type: "text/xml", body: atom },
  });
  const ducks = (await get("/rss")).text;
  assert.match(ducks, /Method: feed/);
  assert.ok(
    ducks.includes(
      `# Ducks & more\n\nNews\n\n## Teal\n${base}/teal\nMon, 02 Nov 2026\nA **small** duck.\n\n## Eider\nSoft.`,
    ),
    ducks,
  );
  assert.ok((await get("/atom")).text.includes(`# Geese\n\n## Brant\n${base}/brant\n2026-11-02\nDark.`));
  assert.match((await get("/rss:raw")).text, /<rss version/);
});

test("images are shown, other kinds are a notice, documents are converted", async (t) => {
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  const { get } = await fixture(t, {
    "/dot.png": { type: "image/png", body: png },
    "/film": { type: "video/mp4", body: Buffer.alloc(2048) },
    "/doc.rtf": { type: "application/rtf", body: "{\\rtf1 Hello \\b there\\b0 .}" },
    "/bad.pdf": { type: "application/pdf", body: "no pdf" },
    "/file.rtf": { type: "application/octet-stream", body: "{\\rtf1 Named}" },
    "/large.png": { type: "image/png", body: Buffer.alloc(6 * 1024 * 1024) },
  });
  const image = await get("/dot.png");
  assert.deepEqual(
    image.content.map(({ type }) => type),
    ["text", "image"],
  );
  assert.match((await get("/film")).text, /\[Cannot show video\/mp4 content \(2\.0 KB\)\]/);
  assert.match((await get("/doc.rtf")).text, /Hello there\./);
  assert.match((await get("/file.rtf")).text, /Named/);
  assert.match((await get("/bad.pdf")).text, /\[Cannot read \.pdf file: it is not a PDF\]/);
  assert.match((await get("/large.png")).text, /its bytes are no picture/);
});

test("an error of the server is an answer that says so", async (t) => {
  const { get } = await fixture(t, {
    "/down": { status: 503, type: "text/html", body: "<h1>Down for <i>now</i></h1>" },
  });
  const missing = await get("/missing");
  assert.equal(missing.error, undefined);
  assert.match(missing.text, /Method: failed\nNotes: HTTP 404 Not Found/);
  assert.match((await get("/down")).text, /Method: failed\nNotes: HTTP 503[\s\S]*Down for \*now\*/);
});

test("300 lines are shown, the rest is kept, and reading on does not ask the server again", async (t) => {
  const body = Array.from({ length: 1000 }, (_, index) => `row ${index + 1}`).join("\n");
  const { get, base, requests, context } = await fixture(t, { "/long": { type: "text/plain", body } });
  const first = await get("/long");
  assert.match(first.text, /row 300\n/);
  assert.doesNotMatch(first.text, /row 301\b/);
  assert.ok(first.text.includes(`Read ${base}/long:301 to go on`));
  assert.match(first.text, /The full text is at artifact:\/\/1/);
  assert.ok(context.readArtifact);
  const part = await get("/long:500-502");
  assert.match(part.text, /row 500\nrow 501\nrow 502/);
  assert.match((await get("/long:5000")).text, /behind the end/);
  assert.deepEqual(requests, ["/long"]);
  await get("/long");
  assert.deepEqual(requests, ["/long", "/long"]);
});

test("twenty pages are kept, the one that was read longest ago goes first", async (t) => {
  const pages = Object.fromEntries(
    Array.from({ length: 22 }, (_, index) => [`/${index}`, { type: "text/plain", body: "x" }]),
  );
  const { get, requests } = await fixture(t, pages);
  for (let index = 0; index < 21; index += 1) await get(`/${index}`);
  await get("/20:1-1");
  assert.equal(requests.length, 21);
  await get("/0:1-1");
  assert.equal(requests.length, 22);
});

test("pages of this machine are not read unless the person allows it", async (t) => {
  const { call, base, requests } = await fixture(t, { "/": { body: "secret" } }, false);
  const port = new URL(base).port;
  for (const path of [
    base,
    `http://localhost:${port}/`,
    `http://[::ffff:127.0.0.1]:${port}/`,
    `http://0x7f000001:${port}/`,
    `http://2130706433:${port}/`,
    `http://0:${port}/`,
    "http://169.254.169.254/latest/meta-data/",
    "http://[::1]/",
  ]) {
    const answer = await call("read", { path });
    assert.equal(answer.error, "not_allowed", path);
    assert.match(answer.text, /the setting web\.privateAddresses/);
  }
  assert.deepEqual(requests, []);
});

test("an address with a password is refused without repeating it", async (t) => {
  const { call } = await fixture(t, {});
  const answer = await call("read", { path: "https://user:hunter2@example.org/" });
  assert.equal(answer.error, "invalid_path");
  assert.doesNotMatch(answer.text, /hunter2/);
});

test("a page of ten thousand nested elements does not stop the reader", async (t) => {
  const { get } = await fixture(t, { "/deep": { type: "text/html", body: `${"<div>".repeat(10_000)}deep` } });
  const answer = await get("/deep");
  assert.equal(answer.error, undefined);
  assert.match(answer.text, /Method: (?:raw-html|html|readable)/);
});
