import assert from "node:assert/strict";
import { test } from "node:test";
import { type Box, cardPosition } from "./card-position.ts";

const view = { width: 1280, height: 800 };
const card = { width: 320, height: 180 };

function isApart(target: Box): boolean {
  const { left, top } = cardPosition(target, card, view);
  const isInside = left >= 0 && top >= 0 && left + card.width <= 1280 && top + card.height <= 800;
  assert.ok(isInside, `the card is out of the window at ${left}, ${top}`);
  return (
    left + card.width <= target.left ||
    left >= target.left + target.width ||
    top + card.height <= target.top ||
    top >= target.top + target.height
  );
}

test("the card never covers what it talks about, wherever that is", () => {
  assert.ok(isApart({ left: 900, top: 650, width: 370, height: 120 }));
  assert.ok(isApart({ left: 0, top: 0, width: 48, height: 40 }));
  assert.ok(isApart({ left: 48, top: 0, width: 260, height: 760 }));
  assert.ok(isApart({ left: 600, top: 380, width: 80, height: 24 }));
  assert.ok(isApart({ left: 0, top: 300, width: 1280, height: 40 }));
});

test("where there is no room beside it, it covers as little as possible and stays in the window", () => {
  const { left, top } = cardPosition({ left: 0, top: 0, width: 390, height: 500 }, card, {
    width: 390,
    height: 700,
  });
  assert.ok(top >= 500 && left >= 0);
  const full = cardPosition({ left: 0, top: 0, width: 1280, height: 800 }, card, view);
  assert.ok(full.left + card.width <= 1280 && full.top + card.height <= 800);
});

test("it leaves the text around its target free where there is room beside that", () => {
  const target = { left: 820, top: 490, width: 76, height: 30 };
  const { left } = cardPosition(target, card, view, { left: 304, top: 72, width: 596, height: 700 });
  assert.ok(left >= 900);
});

test("without a target it stands in the lower left corner", () => {
  assert.deepEqual(cardPosition(undefined, card, view), { left: 56, top: 576 });
});
