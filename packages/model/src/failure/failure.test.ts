// Errors as providers and Node really shape them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { classifyFailure, isLasting } from "./failure.ts";

const context = {
  provider: "acme",
  model: "m1",
  baseURL: "https://api.acme.test/v1",
  keyVariable: "ACME_KEY",
};

function apiError(statusCode: number, body: unknown, headers: Record<string, string> = {}) {
  const message = "message";
  return Object.assign(new Error(typeof body === "string" ? message : JSON.stringify(body)), {
    name: "AI_APICallError",
    statusCode,
    responseHeaders: headers,
    responseBody: typeof body === "string" ? body : JSON.stringify(body),
    url: "https://api.acme.test/v1/chat",
  });
}

function systemError(code: string, url = "http://127.0.0.1:8000/v1/chat") {
  const cause = Object.assign(new Error(`connect ${code}`), { code });
  return Object.assign(new Error(`Cannot connect to API: connect ${code}`), {
    name: "AI_APICallError",
    cause,
    url,
  });
}

test("status and type decide before words do", () => {
  const cases = [
    [apiError(500, { error: { message: "rate limit exceeded while timing out" } }), "server"],
    [apiError(529, { error: { type: "overloaded_error" } }), "overloaded"],
    [apiError(413, "too large"), "context_overflow"],
    [
      apiError(400, { error: { message: "API key not valid. Please pass a valid API key." } }),
      "authentication",
    ],
    [apiError(402, { error: { message: "Payment required" } }), "authentication"],
    [apiError(404, { error: { message: "The model `m1` does not exist" } }), "not_found"],
    [
      apiError(400, { error: { message: "prompt is too long: 210000 tokens > 200000 maximum" } }),
      "context_overflow",
    ],
    [
      apiError(400, { error: { message: "the request exceeds the available context size" } }),
      "context_overflow",
    ],
    [apiError(401, { error: { message: "context window exceeded" } }), "authentication"],
    [systemError("ECONNREFUSED"), "network"],
    [systemError("ENOTFOUND"), "network"],
    [systemError("ECONNRESET"), "network"],
    [systemError("UND_ERR_HEADERS_TIMEOUT"), "timeout"],
    [new TypeError("terminated"), "network"],
    [{ type: "overloaded_error", message: "Overloaded" }, "overloaded"],
    [{ type: "error", error: { type: "server_error", message: "The server had an error" } }, "server"],
    [{ message: "x", type: "rate_limit_error", statusCode: 429 }, "rate_limit"],
    [{ code: 503, status: "UNAVAILABLE", message: "The model is overloaded." }, "overloaded"],
    ["Too many requests", "rate_limit"],
    [undefined, "unknown"],
    [null, "unknown"],
  ] as const;
  for (const [error, kind] of cases) {
    const failure = classifyFailure(error, context);
    assert.equal(failure.kind, kind, failure.message);
    assert.match(failure.message, /\.$|stet models$/, "a sentence");
  }
});

test("what the server asked to wait is found in every header that is used for it", () => {
  const wait = (headers: Record<string, string>, body: unknown = {}) =>
    classifyFailure(apiError(429, body, headers), context).retryAfterMs;
  assert.equal(wait({ "Retry-After-Ms": "1500" }), 1500);
  assert.equal(wait({ "retry-after": "2" }), 2000);
  assert.equal(wait({ "x-ratelimit-reset-ms": "300" }), 300);
  const inTen = wait({ "x-ratelimit-reset": String(Math.ceil(Date.now() / 1000) + 10) }) ?? 0;
  assert.ok(inTen > 8000 && inTen <= 11_000, `${inTen}`);
  const date = wait({ "retry-after": new Date(Date.now() + 20_000).toUTCString() }) ?? 0;
  assert.ok(date > 17_000 && date <= 20_000, `${date}`);
  assert.equal(wait({}, { error: { details: [{ retryDelay: "17s" }] } }), 17_000);
  assert.equal(wait({ "retry-after": "soon" }), undefined);
});

test("the sentence names what to put right, and never shows a key", () => {
  const refused = classifyFailure(
    apiError(401, { error: { message: "Incorrect API key provided: sk-proj-abcdef123456." } }),
    context,
  );
  assert.match(refused.message, /Check ACME_KEY/);
  assert.ok(!refused.message.includes("abcdef"), refused.message);
  const page = classifyFailure(apiError(404, "<!doctype html><title>nginx</title>"), context);
  assert.match(page.message, /nothing at https:\/\/api.acme.test\/v1\/chat.*base URL/);
  const unknown = classifyFailure(apiError(404, { error: { message: "model not found" } }), context);
  assert.match(unknown.message, /does not know the model m1/);
  const full = classifyFailure(apiError(413, "too large"), context);
  assert.match(full.message, /longer than m1 can take.* stet sessions compact, start a new session, or/);
});

test("a server of this machine that is not running is not waited for; one far away is", () => {
  assert.ok(isLasting(classifyFailure(systemError("ECONNREFUSED"), context)));
  assert.ok(!isLasting(classifyFailure(systemError("ECONNREFUSED", "https://api.acme.test"), context)));
});
