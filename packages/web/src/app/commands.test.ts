import assert from "node:assert/strict";
import { test } from "node:test";
import { Commands, commandsOf, type PressedKey, pressedKeys, shownKeys } from "./commands.ts";

const pressed = (key: string, code: string, held: Partial<PressedKey> = {}): PressedKey => {
  return { key, code, metaKey: false, ctrlKey: false, altKey: false, shiftKey: false, ...held };
};

test("a letter with Alt is meant by its place, whatever the system makes of it", () => {
  assert.ok(pressedKeys(pressed("∑", "KeyW", { altKey: true })).includes("Alt-w"));
});

test("a capital is the same key as the small letter", () => {
  const keys = pressedKeys(pressed("F", "KeyF", { ctrlKey: true, shiftKey: true }));
  assert.ok(keys.includes("Mod-Shift-f"));
});

test("keys without a letter keep their names", () => {
  assert.deepEqual(pressedKeys(pressed("PageDown", "PageDown", { altKey: true, shiftKey: true })), [
    "Alt-Shift-PageDown",
  ]);
  assert.deepEqual(pressedKeys(pressed("F6", "F6")), ["F6"]);
});

test("keys are shown as people write them", () => {
  assert.equal(shownKeys("Mod-Shift-f"), "Ctrl+Shift+F");
  assert.equal(shownKeys("Mod-/"), "Ctrl+/");
  assert.equal(shownKeys("Mod--"), "Ctrl+-");
  assert.equal(shownKeys("Alt-PageDown"), "Alt+Page Down");
});

test("a command that cannot be used now is not listed, and is known all the same", () => {
  const commands = new Commands();
  const remove = commands.add(
    commandsOf("G")(
      "a",
      "A",
      "",
      () => false,
      () => {},
    ),
  );
  assert.equal(commands.list().length, 0);
  assert.equal(commands.all().length, 1);
  remove();
  assert.equal(commands.all().length, 0);
});
