// Esc, Ctrl-C and Ctrl-D: the same key stops, clears or leaves, by what goes on.

import assert from "node:assert/strict";
import { test } from "node:test";
import { parseKeyBindings } from "./bindings.ts";
import { ModeKeys } from "./mode-keys.ts";

function mode({ isEmpty = true, isBusy = false, isQueued = false, hasCommand = false } = {}) {
  const done: string[] = [];
  const state = { isEmpty, isBusy };
  const note = (what: string) => () => void done.push(what);
  const keys = new ModeKeys({
    keys: () => bindings,
    isPromptEmpty: () => state.isEmpty,
    clearPrompt() {
      done.push("clear");
      state.isEmpty = true;
    },
    stopWork() {
      if (state.isBusy) done.push("stop");
      return state.isBusy;
    },
    hasQueued: () => isQueued,
    doubleEscape: note("tree"),
    leave: note("leave"),
    suspend: note("suspend"),
    redraw: note("redraw"),
    nextPermission: note("permission"),
    takeBackQueued: note("take back"),
    sendAfter: note("send after"),
    openTree: note("open tree"),
    openLastTool: note("tool"),
    toggleThinking: note("thinking"),
    takeStep: note("step"),
    canPutAside: () => hasCommand && state.isEmpty,
    putAside: note("aside"),
  });
  const press = (...ids: string[]) => {
    for (const id of ids) {
      const input = { kind: "key", id, text: undefined, isRelease: false } as const;
      if (!keys.handleFirst(input)) keys.handle(input);
    }
    return done;
  };
  return { press, keys };
}

const bindings = parseKeyBindings("{}", "keys.json");

test("Esc stops what runs, clears what is written, and pressed twice on nothing opens the tree", () => {
  assert.deepEqual(mode({ isBusy: true }).press("escape", "escape"), ["stop", "stop"]);
  assert.deepEqual(mode({ isEmpty: false }).press("escape"), ["clear"]);
  assert.deepEqual(mode().press("escape", "escape"), ["tree"]);
});

test("an Esc that cleared a draft does not count for a double one", () => {
  assert.deepEqual(mode({ isEmpty: false }).press("escape", "escape"), ["clear"]);
});

test("three times Esc opens the tree once", () => {
  assert.deepEqual(mode().press("escape", "escape", "escape"), ["tree"]);
});

test("Ctrl-C clears, and twice in a moment leaves; Ctrl-D leaves only where nothing is written", () => {
  assert.deepEqual(mode({ isEmpty: false }).press("ctrl+c"), ["clear"]);
  assert.deepEqual(mode().press("ctrl+c", "ctrl+c"), ["clear", "leave"]);
  assert.deepEqual(mode().press("ctrl+d"), ["leave"]);
  assert.deepEqual(mode({ isEmpty: false }).press("ctrl+d"), []);
});

test("Up takes back what is queued, but only from an empty prompt", () => {
  assert.deepEqual(mode({ isQueued: true }).press("up"), ["take back"]);
  assert.deepEqual(mode({ isQueued: true, isEmpty: false }).press("up"), []);
  assert.deepEqual(mode().press("up"), []);
});

test("a key that is released does nothing", () => {
  const { press, keys } = mode();
  keys.handle({ kind: "key", id: "ctrl+d", text: undefined, isRelease: true });
  assert.deepEqual(press(), []);
});

test("Ctrl-B lets a command go on in the background, and moves the cursor where none runs or something is written", () => {
  assert.deepEqual(mode({ hasCommand: true }).press("ctrl+b"), ["aside"]);
  const input = { kind: "key", id: "ctrl+b", text: undefined, isRelease: false } as const;
  assert.equal(
    mode({ hasCommand: true, isEmpty: false }).keys.handleFirst(input),
    false,
    "left to the prompt",
  );
  assert.equal(mode().keys.handleFirst(input), false, "left to the prompt");
});
