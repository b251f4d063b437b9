// Every route that changes something, against everyone who must not. The cases come from the table of routes, so a new
// route is guarded or fails here.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiFixture, type Call } from "@stet/testkit/api-fixture";
import { routeNames, sampleRequest } from "@stet/testkit/route-samples";
import { openApi } from "./openapi.ts";

const json = { "content-type": "application/json" };
const changing = routeNames.map(sampleRequest).filter(({ method }) => method !== "GET");
const reading = routeNames.map(sampleRequest).filter(({ method }) => method === "GET");
const limit = 2000;
const tooLong = JSON.stringify({ filler: "x".repeat(limit) });

interface Attack {
  readonly who: string;
  readonly status: number;
  readonly error: string;
  readonly call: (fixture: ApiFixture, body: string | undefined, cookie: string) => Call;
}

const attacks: readonly Attack[] = [
  {
    who: "someone without a token",
    status: 401,
    error: "not_signed_in",
    call: (_, body) => ({ headers: json, body }),
  },
  {
    who: "a page of another site, with the browser's cookie",
    status: 403,
    error: "foreign_request",
    call: (_, body, cookie) => ({ headers: { ...json, cookie, origin: "https://example.com" }, body }),
  },
  {
    who: "a page on another port of this machine, with the cookie",
    status: 403,
    error: "foreign_request",
    call: (fixture, body, cookie) => ({
      headers: { ...json, cookie, origin: `http://127.0.0.1:${fixture.port === 1 ? 2 : 1}` },
      body,
    }),
  },
  {
    who: "a sandboxed page, with the cookie",
    status: 403,
    error: "foreign_request",
    call: (_, body, cookie) => ({ headers: { ...json, cookie, origin: "null" }, body }),
  },
  {
    who: "a page of another site that has the token",
    status: 403,
    error: "foreign_request",
    call: (fixture, body) => ({
      headers: { ...json, ...fixture.bearer, origin: "https://example.com" },
      body,
    }),
  },
  {
    who: "a browser whose cookie comes with nothing that shows where from",
    status: 403,
    error: "foreign_request",
    call: (_, body, cookie) => ({ headers: { ...json, cookie }, body }),
  },
  {
    who: "a browser that says the request came from another site",
    status: 403,
    error: "foreign_request",
    call: (_, body, cookie) => ({ headers: { ...json, cookie, "sec-fetch-site": "same-site" }, body }),
  },
  {
    who: "a name that was rebound to this machine",
    status: 403,
    error: "foreign_request",
    call: (fixture, body) => ({
      headers: { ...json, ...fixture.bearer, host: `evil.example:${fixture.port}` },
      body,
    }),
  },
  {
    who: "the right name with another port",
    status: 403,
    error: "foreign_request",
    call: (fixture, body) => ({ headers: { ...json, ...fixture.bearer, host: "127.0.0.1:1" }, body }),
  },
  {
    who: "a form of a page of ours",
    status: 415,
    error: "wrong_content_type",
    call: (fixture, _, cookie) => ({
      headers: { cookie, origin: fixture.url, "content-type": "application/x-www-form-urlencoded" },
      body: "a=b",
    }),
  },
  {
    who: "JSON that is announced as text",
    status: 415,
    error: "wrong_content_type",
    call: (fixture, body) => ({
      headers: { ...fixture.bearer, "content-type": "text/plain" },
      body: body ?? "{}",
    }),
  },
  {
    who: "a body without a type",
    status: 415,
    error: "wrong_content_type",
    call: (fixture, body) => ({ headers: { ...fixture.bearer }, body: body ?? "{}" }),
  },
  {
    who: "a body that is too large",
    status: 413,
    error: "body_too_large",
    call: (fixture) => ({ headers: { ...json, ...fixture.bearer }, body: tooLong }),
  },
  {
    who: "a body that is too large and does not say so",
    status: 413,
    error: "body_too_large",
    call: (fixture) => ({ headers: { ...json, ...fixture.bearer }, body: tooLong, isChunked: true }),
  },
  {
    who: "a body that is no JSON",
    status: 400,
    error: "invalid_arguments",
    call: (fixture) => ({ headers: { ...json, ...fixture.bearer }, body: "{" }),
  },
];

test("every route that changes something refuses everyone who must not use it, and its operation is not called", async (t) => {
  const fixture = await ApiFixture.open(t, { limits: { max_body_bytes: limit } });
  const cookie = await fixture.signIn();
  for (const { name, method, path, body } of changing) {
    for (const { who, status, error, call } of attacks) {
      const answer = await fixture.call(path, { method, ...call(fixture, body, cookie) });
      assert.equal(answer.status, status, `${name}: ${who}: ${answer.text}`);
      assert.equal(JSON.parse(answer.text).error, error, `${name}: ${who}`);
      assert.equal(answer.headers["access-control-allow-origin"], undefined);
    }
  }
  assert.deepEqual(fixture.reached, []);
});

test("a wrong token is refused at every route, whichever it is", async (t) => {
  let now = 0;
  const fixture = await ApiFixture.open(t, { now: () => now });
  for (const { name, method, path, body } of [...changing, ...reading]) {
    const answer = await fixture.call(path, {
      method,
      headers: { ...json, authorization: "Bearer wrong" },
      body,
    });
    assert.equal(answer.status, 401, name);
    assert.equal(answer.headers["www-authenticate"], 'Bearer realm="stet"');
    now += 61_000;
  }
  assert.deepEqual(fixture.reached, []);
});

test("every route that changes something refuses a body of the wrong form", async (t) => {
  const fixture = await ApiFixture.open(t);
  for (const { name, shape, method, path } of changing) {
    if (shape.body === undefined) continue;
    for (const body of ["[]", '"text"', "null", "7"]) {
      const answer = await fixture.call(path, { method, headers: { ...json, ...fixture.bearer }, body });
      assert.equal(answer.status, 400, `${name}: ${body}`);
      assert.equal(JSON.parse(answer.text).error, "invalid_arguments");
    }
    // Where a field must be there, it must be there.
    if (shape.body.safeParse({}).success) continue;
    const answer = await fixture.call(path, { method, headers: { ...json, ...fixture.bearer }, body: "{}" });
    assert.equal(answer.status, 400, name);
    assert.equal(JSON.parse(answer.text).details.part, "body");
  }
  assert.deepEqual(fixture.reached, []);
});

test("every route takes its sample from a program with the token and from a page of ours with the cookie", async (t) => {
  const fixture = await ApiFixture.open(t);
  const cookie = await fixture.signIn();
  for (const { name, shape, method, path, body } of [...changing, ...reading]) {
    for (const headers of [
      fixture.bearer,
      { cookie, origin: fixture.url },
      { cookie, "sec-fetch-site": "same-origin" },
    ]) {
      const before = fixture.reached.length;
      const type: Record<string, string> = body === undefined ? {} : json;
      const reply = await fixture.open(path, { method, headers: { ...type, ...headers }, body });
      reply.destroy();
      assert.equal(reply.statusCode, 200, name);
      assert.equal(fixture.reached.length, before + 1, name);
      assert.equal(fixture.reached.at(-1)?.name, name);
      if (shape.isStream === true) assert.equal(reply.headers["content-type"], "text/event-stream");
    }
  }
});

test("every route that reads refuses someone without a token, and a page of another site", async (t) => {
  const fixture = await ApiFixture.open(t);
  const cookie = await fixture.signIn();
  for (const { name, path } of reading) {
    const calls: [number, Record<string, string>][] = [
      [401, {}],
      [401, { cookie: `${cookie}x` }],
      [403, { cookie, origin: "https://example.com" }],
      [403, { cookie, "sec-fetch-site": "cross-site" }],
      [403, { cookie, host: "evil.example" }],
    ];
    for (const [status, headers] of calls) {
      assert.equal(
        (await fixture.call(path, { headers })).status,
        status,
        `${name}: ${JSON.stringify(headers)}`,
      );
    }
  }
  assert.deepEqual(fixture.reached, []);
});

test("the description of the API holds every route, and all that it refers to", () => {
  const description = openApi();
  const paths = description.paths as Record<string, Record<string, { operationId: string }>>;
  for (const { name, shape } of [...changing, ...reading]) {
    const path = shape.path.replace(/:(\w+)/g, "{$1}");
    assert.equal(paths[path]?.[shape.method.toLowerCase()]?.operationId, name);
  }
  const ids = Object.values(paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  assert.equal(new Set(ids).size, ids.length);
  let references = 0;
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, part] of Object.entries(value)) {
      if (key === "$ref") {
        references += 1;
        let at: unknown = description;
        for (const step of String(part).slice(2).split("/")) at = (at as Record<string, unknown>)[step];
        assert.equal(typeof at, "object", String(part));
      } else visit(part);
    }
  };
  visit(description);
  assert.ok(references > ids.length);
  const { schemas } = description.components as { schemas: Record<string, unknown> };
  for (const name of ["Job", "Hunk", "Session", "Event", "EventType", "ErrorCode", "Question"]) {
    const copies = Object.entries(schemas).filter(([, schema]) => {
      return JSON.stringify(schema).includes(JSON.stringify(schemas[name]));
    });
    assert.deepEqual(
      copies.map(([copy]) => copy),
      [name],
      `${name} is there once, and referred to`,
    );
  }
  const events = (schemas.Event as { oneOf?: unknown[]; anyOf?: unknown[] }).oneOf ?? [];
  assert.ok(events.length > 30, "every event has a schema");
  const bodies = paths["/api/agent/sessions"]?.post as unknown as { requestBody: { required: boolean } };
  assert.equal(bodies.requestBody.required, false, "nothing has to be said");
  for (const path of Object.keys(paths)) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    for (const operation of Object.values(paths[path] ?? {})) {
      const { parameters = [] } = operation as {
        parameters?: { in: string; name: string; required: boolean }[];
      };
      const inPath = parameters.filter((parameter) => parameter.in === "path");
      assert.deepEqual(inPath.map(({ name }) => name).sort(), named.sort());
      assert.ok(inPath.every(({ required }) => required));
    }
  }
});
