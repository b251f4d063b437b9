import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ApiFixture } from "@stet/testkit/api-fixture";
import { temporaryFolder } from "@stet/testkit/temporary";
import { plainPage } from "./plain-page.ts";

test("the page needs no token, loads only itself, and holds no script in its HTML", async (t) => {
  const fixture = await ApiFixture.open(t);
  const page = await fixture.call("/");
  assert.equal(page.status, 200);
  assert.equal(page.headers["content-type"], "text/html; charset=utf-8");
  const policy = String(page.headers["content-security-policy"]);
  assert.match(policy, /script-src 'self';/);
  assert.doesNotMatch(policy, /unsafe|\*|https?:/);
  assert.doesNotMatch(page.text, /<script(?![^>]*src=)|\son\w+=|<style/);
  const assets = [...page.text.matchAll(/(?:src|href)="(\/stet[^"]+)"/g)].map(([, path]) => path ?? "");
  assert.deepEqual(assets, ["/stet.svg", "/stet.css", "/stet.js"]);
  for (const path of assets) assert.equal((await fixture.call(path)).status, 200);
  const script = (await fixture.call("/stet.js")).text;
  assert.doesNotMatch(script, /innerHTML|outerHTML|insertAdjacentHTML|document\.write/);
});

test("a folder is served as the page, with types, and nothing outside of it", async (t) => {
  const base = temporaryFolder(t, {
    "secret.txt": "secret",
    "page/index.html": '<meta name="nonce" content="__STYLE_NONCE__">',
    "page/assets/app.js": "export {};",
    "page/assets/look.css": "p {}",
    "page/data.bin": "bytes",
    "page/.hidden": "secret",
    "page/.git/config": "secret",
  });
  symlinkSync(join(base, "secret.txt"), join(base, "page/link.txt"));
  symlinkSync(base, join(base, "page/up"));
  const fixture = await ApiFixture.open(t, { page: join(base, "page") });
  const types = {
    "/": "text/html; charset=utf-8",
    "/index.html": "text/html; charset=utf-8",
    "/assets/app.js": "text/javascript; charset=utf-8",
    "/assets/look.css": "text/css; charset=utf-8",
    "/data.bin": "application/octet-stream",
  };
  for (const [path, type] of Object.entries(types)) {
    const { status, headers } = await fixture.call(path);
    assert.deepEqual([status, headers["content-type"]], [200, type], path);
  }
  const outside = [
    "/../secret.txt",
    "/assets/../../secret.txt",
    "/..%2fsecret.txt",
    "/%2e%2e/secret.txt",
    "/%2e%2e%2fsecret.txt",
    "/..\\secret.txt",
    "/assets/..%5c..%5csecret.txt",
    "//secret.txt",
    `/${base}/secret.txt`,
    "/link.txt",
    "/up/secret.txt",
    "/.hidden",
    "/.git/config",
    "/assets",
    "/assets/",
    "/index.html%00.txt",
    "/__proto__",
    "/constructor",
  ];
  for (const path of outside) {
    const { status, text } = await fixture.call(path);
    assert.ok(status === 404 || status === 400, `${path}: ${status}`);
    assert.doesNotMatch(text, /^secret/);
  }
});

test("each time the page is loaded, style elements get another nonce, the same as in the policy", async (t) => {
  const folder = temporaryFolder(t, { "index.html": "__STYLE_NONCE__" });
  const fixture = await ApiFixture.open(t, { page: folder });
  const [one, other] = [await fixture.call("/"), await fixture.call("/")];
  assert.notEqual(one.text, other.text);
  assert.ok(one.headers["content-security-policy"]?.includes(`style-src 'self' 'nonce-${one.text}'`));
  assert.equal(one.headers["cache-control"], "no-store");
});

test("a file that the browser has is not sent again", async (t) => {
  const fixture = await ApiFixture.open(t);
  const { etag = "" } = (await fixture.call("/stet.css")).headers;
  const again = await fixture.call("/stet.css", { headers: { "if-none-match": etag } });
  assert.deepEqual([again.status, again.text], [304, ""]);
});

/** Runs the page's script with a browser that has only what it needs. */
async function openPage(hash: string, answers: Readonly<Record<string, { ok: boolean; body: unknown }>>) {
  const happened: string[] = [];
  const elements: Record<string, { textContent: string; hidden: boolean }> = {};
  const element = (id: string) => {
    elements[id] ??= { textContent: "", hidden: true };
    return elements[id];
  };
  const run = new (Object.getPrototypeOf(async () => {}).constructor)(
    ...["document", "location", "history", "fetch"],
    plainPage["stet.js"],
  );
  await run(
    { getElementById: element },
    { hash, pathname: "/" },
    { replaceState: (_: unknown, __: unknown, path: string) => happened.push(`address ${path}`) },
    async (path: string, { body = "" }: { body?: string }) => {
      happened.push(`${path} ${body}`.trim());
      return { ok: answers[path]?.ok, json: async () => answers[path]?.body };
    },
  );
  return { happened, elements };
}

test("the token leaves the address before it is exchanged, and what the server tells is shown as text", async () => {
  const root = "/home/<img src=x onerror=alert(1)>";
  const { happened, elements } = await openPage("#token=abc", {
    "/api/login": { ok: true, body: { signed_in: true } },
    "/api/workspace": { ok: true, body: { root, open_hunks: 2, jobs_running: 0 } },
  });
  assert.deepEqual(happened, ["address /", '/api/login {"token":"abc"}', "/api/workspace"]);
  assert.equal(elements.root?.textContent, root);
  assert.equal(elements.workspace?.hidden, false);
});

test("a link that was used is told with what to do, unless the browser is signed in anyway", async () => {
  const used = { ok: false, body: { message: "This link was used.", suggestion: "Press Enter." } };
  const stranger = { ok: false, body: { message: "The API needs its token.", suggestion: "Open the link." } };
  const refused = await openPage("#token=abc", { "/api/login": used, "/api/workspace": stranger });
  assert.equal(refused.elements.state?.textContent, "This link was used.");
  assert.equal(refused.elements.advice?.textContent, "Press Enter.");
  const again = await openPage("#token=abc", {
    "/api/login": used,
    "/api/workspace": { ok: true, body: { root: "/home", open_hunks: 0, jobs_running: 0 } },
  });
  assert.match(again.elements.state?.textContent ?? "", /signed in/);
  const without = await openPage("", { "/api/workspace": stranger });
  assert.deepEqual(without.happened, ["/api/workspace"]);
  assert.equal(without.elements.state?.textContent, "The API needs its token.");
});
