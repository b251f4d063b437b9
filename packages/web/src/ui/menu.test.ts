import assert from "node:assert/strict";
import { test } from "node:test";
import { placeOf } from "./menu.ts";

const fixture = { width: 390, height: 700 };
const box = { width: 200, height: 300 };

test("a menu opens below its place where there is room", () => {
  assert.deepEqual(placeOf({ left: 50, top: 80, bottom: 100 }, box, fixture), { left: 50, top: 100 });
});

test("a menu at the lower edge opens upwards, and one at the right edge stays in the window", () => {
  assert.deepEqual(placeOf({ left: 380, top: 650, bottom: 680 }, box, fixture), { left: 182, top: 350 });
});

test("a menu that fits neither above nor below is moved", () => {
  const tall = { width: 200, height: 600 };
  assert.deepEqual(placeOf({ left: 8, top: 300, bottom: 320 }, tall, fixture), { left: 8, top: 92 });
});
