import assert from "node:assert/strict";
import { test } from "node:test";
import { openCodeFixture } from "@stet/testkit/code-fixture";
import fc from "fast-check";
import { calc } from "./calc.ts";
import { evaluate } from "./expression.ts";

const right: readonly [string, number][] = [
  ["1 + 2 * 3", 7],
  ["(1 + 2) * 3", 9],
  ["2 ** 3 ** 2", 512],
  ["-2 ** 2", -4],
  ["2 ** -1", 0.5],
  ["--3", 3],
  [".5 + 1e3", 1000.5],
  ["2.5E-3", 0.0025],
  ["0xff + 0b101 + 0o17", 275],
  ["10 % 4", 2],
  ["7 / 2", 3.5],
  ["-0", 0],
  [" ( ( 4 ) ) ", 4],
];

for (const [expression, value] of right) {
  test(`${expression} is ${value}`, () => assert.equal(evaluate(expression), value));
}

const wrong: readonly [string, RegExp][] = [
  ["", /Expression is empty/],
  ["  ", /Expression is empty/],
  ["2 + x", /Invalid character "x"/],
  ["sqrt(16)", /Invalid character "s"/],
  ["0x", /Invalid number/],
  ["1e", /Invalid number/],
  ["1.2.3", /Invalid number/],
  ["2 +", /Unexpected end/],
  ["2 3", /Unexpected token/],
  [")", /Unexpected token/],
  ["(2", /Missing closing parenthesis/],
  ["1 / 0", /not a finite number/],
  ["10 ** 400", /not a finite number/],
  ["(".repeat(5000), /Nested too deeply/],
  ["1".repeat(20_000), /More than/],
];

for (const [expression, message] of wrong) {
  test(`${JSON.stringify(expression.slice(0, 20))} is refused`, () => {
    const value = evaluate(expression);
    assert.ok(typeof value !== "number");
    assert.match(value.message, message);
  });
}

test("sums and products are those of the language itself", () => {
  const part = fc.integer({ min: 1, max: 99 }).map(String);
  const operator = fc.constantFrom("+", "-", "*", "/", "%");
  fc.assert(
    fc.property(fc.array(fc.tuple(part, operator)), part, (parts, last) => {
      const expression = `${parts.map(([number, mark]) => `${number} ${mark} `).join("")}${last}`;
      const expected = new Function(`return ${expression}`)() as number;
      assert.ok(Object.is(evaluate(expression), expected === 0 ? 0 : expected));
    }),
  );
});

test("one wrong expression refuses the batch and is named", async (t) => {
  const fixture = await openCodeFixture(t, [calc]);
  const good = { expression: "6 * 7", prefix: "= ", suffix: " km" };
  assert.equal((await fixture.call("calc", { calculations: [good] })).text, "= 42 km");
  const answer = await fixture.call("calc", { calculations: [good, { ...good, expression: "6 * y" }] });
  assert.equal(answer.error, "invalid_arguments");
  assert.match(answer.text, /6 \* y.*Nothing was calculated/);
});
