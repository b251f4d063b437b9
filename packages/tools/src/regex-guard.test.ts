import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault, isFault } from "@stet/protocol/fault";
import { countedFromZero, guarded } from "./regex-guard.ts";

const withinTime = <T>(milliseconds: number, search: () => T) => guarded("x", milliseconds, search);

test("what ends in time gives its result, also twice and inside of each other", () => {
  assert.equal(
    withinTime(1000, () => withinTime(1000, () => 42)),
    42,
  );
  assert.equal(
    withinTime(1000, () => undefined),
    undefined,
  );
});

test("what runs forever is stopped, and the next work runs", () => {
  const forever = (): number => {
    for (let count = 0; ; count += 1) if (count < 0) return count;
  };
  assert.ok(isFault(withinTime(20, forever)));
  assert.ok(isFault(withinTime(20, () => /^(a+)+$/.test(`${"a".repeat(40)}b`))));
  assert.equal(
    withinTime(1000, () => "next"),
    "next",
  );
});

test("an exception of the work stays one", () => {
  assert.throws(
    () =>
      withinTime(1000, () => {
        throw new TypeError("a bug");
      }),
    /a bug/,
  );
});

test("an expression that takes too long is told as such, with the pattern", () => {
  const fault = guarded("(a+)+$", 20, (): number => {
    for (let count = 0; ; count += 1) if (count < 0) return count;
  });
  assert.ok(isFault(fault));
  assert.equal(fault.error, "invalid_regex");
  assert.deepEqual(fault.details, { pattern: "(a+)+$" });
});

test("lines in faults of a search count from 0", () => {
  const found = countedFromZero(
    new Fault("invalid_regex", "costly for line 8 here", "Do less.", { line: 8 }),
  );
  assert.ok(isFault(found));
  assert.equal(found.message, "costly for line 7 here");
  assert.equal(found.details.line, 7);
});
