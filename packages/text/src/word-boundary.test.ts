import assert from "node:assert/strict";
import { test } from "node:test";
import { boundaryFinder } from "./word-boundary.ts";

/** The content cut at its boundaries. */
function pieces(content: string): string[] {
  const isBoundary = boundaryFinder(content);
  const cut: string[] = [];
  let from = 0;
  for (let position = 1; position <= content.length; position += 1) {
    const unit = content.charCodeAt(position);
    const isInsidePair = unit >= 0xdc00 && unit < 0xe000;
    if (isInsidePair || !isBoundary(position)) continue;
    cut.push(content.slice(from, position));
    from = position;
  }
  return cut;
}

test("letters, marks, numbers and connectors are torn apart", () => {
  assert.deepEqual(pieces("Ahab's"), ["Ahab", "'", "s"]);
  assert.deepEqual(pieces("snake_case2 e\u0301te\u0301"), ["snake_case2", " ", "e\u0301te\u0301"]);
  assert.deepEqual(pieces("𝐀𝐁-x"), ["𝐀𝐁", "-", "x"]);
  assert.deepEqual(pieces("đẹp Việt"), ["đẹp", " ", "Việt"]);
});

test("scripts without spaces have no words", () => {
  assert.deepEqual(pieces("我喜欢猫"), ["我", "喜欢", "猫"]);
  assert.deepEqual(pieces("使用Git工具"), ["使用", "Git", "工具"]);
  assert.deepEqual(pieces("\nタワーで"), ["\n", "タワー", "で"]);
  assert.ok(pieces("ฉันรักแมว").length > 1, "Thai");
});

test("a boundary is looked up in the wrong line", () => {
  const content = "喜欢\n我喜欢猫\n喜欢";
  const isBoundary = boundaryFinder(content);
  const answers = [9, 1, 5, 4, 6, 3].map((position) => isBoundary(position));
  assert.deepEqual(answers, [false, false, false, true, true, true]);
});
