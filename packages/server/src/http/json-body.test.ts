import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { jsonBody } from "./json-body.ts";

const read = (data: unknown): unknown => JSON.parse(Buffer.from(jsonBody(data)).toString());
const long = '“Quoted” \\ "straight"\n\ttab \u007f\u0080ÿ\u2028 𝄞\u0001 é '.repeat(2000);

test("a long text arrives as it is, whatever characters it has", () => {
  const opened = { revision: 3, text: long };
  const data = { "näme ☃": 1, text: long, after: [null, { deep: "ünï ☃" }], none: undefined, opened };
  assert.ok(Buffer.isBuffer(jsonBody(data)));
  assert.deepEqual(read(data), JSON.parse(JSON.stringify(data)));
  assert.equal(Buffer.from(jsonBody({ text: long })).toString(), JSON.stringify({ text: long }));
});

test("half of a surrogate pair is not replaced by another character", () => {
  const data = { text: `${long}\ud834` };
  assert.deepEqual(read(data), data);
});

test("any reply is the same JSON as without the shortcut", () => {
  const unit = fc.string({ unit: "binary", maxLength: 40 });
  fc.assert(
    fc.property(unit, fc.jsonValue(), (text, other) => {
      const data = { other, text: text.repeat(2000) };
      assert.equal(Buffer.from(jsonBody(data)).toString(), JSON.stringify(data));
      assert.equal(Buffer.from(jsonBody(other)).toString(), JSON.stringify(other));
    }),
    { numRuns: 200 },
  );
});
