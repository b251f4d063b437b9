import assert from "node:assert/strict";
import { test } from "node:test";
import { isFault } from "@stet/protocol/fault";
import { parseWebAddress } from "./web-address.ts";

function parsed(path: string) {
  const target = parseWebAddress(path);
  assert.ok(target !== undefined && !isFault(target), path);
  return { url: target.url.href, selector: target.selector, isRaw: target.isRaw };
}

test("a port is a port, and a selector a selector", () => {
  const none = { selector: undefined, isRaw: false };
  assert.deepEqual(parsed("https://example.org"), { url: "https://example.org/", ...none });
  assert.deepEqual(parsed("www.example.org/a"), { url: "https://www.example.org/a", ...none });
  assert.deepEqual(parsed("http://localhost:8080"), { url: "http://localhost:8080/", ...none });
  assert.deepEqual(parsed("http://localhost:8080:5-9"), {
    url: "http://localhost:8080/",
    selector: { from: 5, to: 9 },
    isRaw: false,
  });
  assert.deepEqual(parsed("https://example.org:raw"), {
    url: "https://example.org/",
    selector: undefined,
    isRaw: true,
  });
  assert.deepEqual(parsed("https://example.org/a:10+5"), {
    url: "https://example.org/a",
    selector: { from: 10, to: 14 },
    isRaw: false,
  });
  assert.deepEqual(parsed("https://example.org/a?b=c:raw"), {
    url: "https://example.org/a?b=c",
    selector: undefined,
    isRaw: true,
  });
  assert.deepEqual(parsed("https://[2606:2800::1]/x#part"), { url: "https://[2606:2800::1]/x", ...none });
});

test("what is no page, or would take a password along, is not asked", () => {
  for (const path of ["ftp://example.org", "file:///etc/passwd", "example.org", "data.www.x"]) {
    assert.equal(parseWebAddress(path), undefined, path);
  }
  for (const path of [
    "https://",
    "https://user:secret@example.org/",
    "http://user@example.org",
    "http://a b/",
  ]) {
    const fault = parseWebAddress(path);
    assert.ok(isFault(fault), path);
    assert.doesNotMatch(fault.message, /secret/);
  }
});
