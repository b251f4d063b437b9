import assert from "node:assert/strict";
import { test } from "node:test";
import { isFault } from "@stet/protocol/fault";
import { Access } from "./access.ts";

const minute = 60_000;
const day = 24 * 60 * minute;

function errorOf(value: unknown): string | undefined {
  return isFault(value) ? value.error : undefined;
}

function opened(access: Access, carried = access.token): string {
  const session = access.exchange(carried);
  assert.ok(typeof session === "string");
  return session;
}

test("each start has another token of 32 bytes", () => {
  const [one, other] = [new Access(), new Access()];
  assert.notEqual(one.token, other.token);
  assert.equal(Buffer.from(one.token, "base64url").length, 32);
});

test("the token is exchanged once, and stays a bearer", () => {
  const access = new Access();
  const session = opened(access);
  assert.notEqual(session, access.token);
  assert.equal(errorOf(access.exchange(access.token)), "link_used");
  assert.equal(access.checkBearer(access.token), undefined);
  assert.equal(access.checkSession(session), undefined);
  assert.equal(errorOf(access.checkSession(access.token)), "not_signed_in");
  assert.equal(errorOf(access.checkBearer(session)), "not_signed_in");
});

test("a new link's code is exchanged once within an hour, and is no bearer", () => {
  let now = 0;
  const access = new Access({ now: () => now });
  const [code, late] = [access.newCode(), access.newCode()];
  assert.equal(errorOf(access.checkBearer(code)), "not_signed_in");
  opened(access, code);
  assert.ok(isFault(access.exchange(code)));
  now = 61 * minute;
  assert.equal(errorOf(access.exchange(late)), "link_used");
  opened(access);
});

test("a session lives while it is used, and ends after thirty idle days", () => {
  let now = 0;
  const access = new Access({ now: () => now });
  const session = opened(access);
  now = 29 * day;
  assert.equal(access.checkSession(session), undefined);
  now = 58 * day;
  assert.equal(access.checkSession(session), undefined);
  now = 89 * day;
  assert.equal(errorOf(access.checkSession(session)), "not_signed_in");
  now = 58 * day;
  assert.equal(errorOf(access.checkSession(session)), "not_signed_in");
});

test("a session that was signed out is over", () => {
  const access = new Access();
  const session = opened(access);
  access.endSession(session);
  assert.equal(errorOf(access.checkSession(session)), "not_signed_in");
});

test("ten wrong tokens in a minute are told so, more are told to wait, and the right one always works", () => {
  let now = 0;
  const access = new Access({ now: () => now });
  const tries = Array.from({ length: 12 }, (_, at) => {
    now = at * 1000;
    return errorOf(at % 2 === 0 ? access.checkBearer(`wrong${at}`) : access.exchange(`wrong${at}`));
  });
  assert.deepEqual(tries, [...Array(10).fill("not_signed_in"), "too_many_attempts", "too_many_attempts"]);
  const refused = access.checkBearer("wrong");
  assert.equal(refused?.details.retry_after_seconds, 49);
  assert.equal(access.checkBearer(access.token), undefined);
  opened(access);
  now = 60_000;
  assert.equal(errorOf(access.checkBearer("wrong")), "not_signed_in");
});

test("many sign-ins do not grow the list of sessions for ever: the oldest goes", () => {
  const access = new Access();
  const first = opened(access);
  for (let count = 0; count < 100; count += 1) opened(access, access.newCode());
  assert.equal(errorOf(access.checkSession(first)), "not_signed_in");
});
