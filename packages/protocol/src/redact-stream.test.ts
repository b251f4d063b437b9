import assert from "node:assert/strict";
import { test } from "node:test";
import { runs } from "@stet/testkit/depth";
import fc from "fast-check";
import { redactor } from "./redact.ts";
import { RedactedStream } from "./redact-stream.ts";

const redact = redactor(["correct-horse-battery"]);
const token = `ghp_${"aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA1bC2dE3f"}`;
const key = `-----BEGIN RSA PRIVATE${" KEY"}-----\n${"aB3d".repeat(16)}\n${"aB3d".repeat(9)}\n-----END RSA PRIVATE${" KEY"}-----`;

function streamed(text: string, cuts: readonly number[]): string {
  const stream = new RedactedStream(redact);
  let released = "";
  let from = 0;
  for (const cut of [...new Set(cuts.map((each) => each % (text.length + 1)))].sort((a, b) => a - b)) {
    released += stream.add(text.slice(from, cut));
    from = cut;
  }
  return released + stream.add(text.slice(from)) + stream.end();
}

test("however a text is cut, nothing secret gets through, and nothing else is lost", () => {
  const pieces = [
    token,
    key,
    "correct-horse-battery",
    "Authorization: Bearer abcdefgh12345678abcdefgh",
    "DB_PASSWORD=hunter2hunter2",
    "plain words",
    "\n",
    " ",
    "----- a line -----",
    "word".repeat(20),
    '{"a": "b"}',
  ];
  const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(" "));
  const cuts = fc.array(fc.nat({ max: 2000 }), { maxLength: 40 });
  fc.assert(
    fc.property(texts, cuts, (text, at) => {
      assert.equal(streamed(text, at), redact(text));
    }),
    { numRuns: runs(500) },
  );
});

test("words are passed on as they end, and a long line does not wait for its end", () => {
  const stream = new RedactedStream(redact);
  assert.equal(stream.add("Hello wor"), "Hello ");
  assert.equal(stream.add("ld, I am"), "world, I ");
  assert.equal(stream.end(), "am");
  let released = 0;
  for (let index = 0; index < 5000; index += 1) released += stream.add("x ".repeat(5)).length;
  assert.ok(released > 49_000);
  for (let index = 0; index < 100; index += 1) released += stream.add("y".repeat(1000)).length;
  assert.ok(released > 100_000, "a word without an end is not held back for ever");
});
