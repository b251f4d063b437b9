import assert from "node:assert/strict";
import { test } from "node:test";
import { Site } from "./site.ts";

function isForeign(site: Site, host: string, origin?: string, url = `http://${host}/`): boolean {
  const headers = new Headers({ host, ...(origin === undefined ? {} : { origin }) });
  return site.foreignFault(headers, url) !== undefined;
}

test("only the names and the port that are served are ours", () => {
  const site = new Site();
  site.servedAt(["127.0.0.1", "localhost", "::1", "Desk.example"], 7878, false);
  for (const host of ["127.0.0.1:7878", "localhost:7878", "[::1]:7878", "desk.example:7878"])
    assert.ok(!isForeign(site, host, `http://${host}`), host);
  for (const host of [
    "127.0.0.1",
    "127.0.0.1:7879",
    "localhost.evil.example:7878",
    "evil.example:7878",
    "0.0.0.0:7878",
  ])
    assert.ok(isForeign(site, host), host);
  const ours = "127.0.0.1:7878";
  for (const origin of [
    "https://127.0.0.1:7878",
    "http://127.0.0.1",
    "http://127.0.0.1:7878.evil.example",
    "null",
    "",
  ])
    assert.ok(isForeign(site, ours, origin), origin);
});

test("the scheme's own port is left out, as browsers do", () => {
  const site = new Site();
  site.servedAt(["desk.example"], 443, true);
  assert.ok(!isForeign(site, "desk.example", "https://desk.example", "https://desk.example/"));
  assert.ok(!isForeign(site, "desk.example:443", "https://desk.example", "https://desk.example:443/"));
  assert.ok(isForeign(site, "desk.example", "https://desk.example:7878", "https://desk.example/"));
});

test("two servers of one machine have cookies of their own", () => {
  const [one, other] = [new Site(), new Site()];
  one.servedAt(["127.0.0.1"], 7878, false);
  other.servedAt(["127.0.0.1"], 7879, false);
  assert.notEqual(one.cookieName, other.cookieName);
});
