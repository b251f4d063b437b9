import assert from "node:assert/strict";
import { test } from "node:test";
import {
  appearanceByColorFgBg,
  colourMode,
  detectCapabilities,
  type Environment,
  hasSynchronizedOutput,
  isInMultiplexer,
  probesFor,
} from "./capabilities.ts";

const detect = (environment: Environment) => detectCapabilities(environment, "linux");

test("synchronized output: the person's word, the feature list, Windows Terminal, known terminals, otherwise off", () => {
  const table: readonly (readonly [Environment, boolean])[] = [
    [{ STET_NO_SYNC_OUTPUT: "1", STET_FORCE_SYNC_OUTPUT: "1", TERM: "xterm-kitty" }, false],
    [{ STET_TUI_SYNC_OUTPUT: "0", STET_FORCE_SYNC_OUTPUT: "1" }, false],
    [{ STET_TUI_SYNC_OUTPUT: "1", TMUX: "x" }, true],
    [{ STET_FORCE_SYNC_OUTPUT: "1" }, true],
    [{ STET_NO_SYNC_OUTPUT: "0", TERM: "xterm-kitty" }, true],
    [{ TERM_FEATURES: "T3CwLrMSc7UUw9Ts3BFGsSyHNoSxF", TMUX: "x" }, true],
    [{ TERM_FEATURES: "T3CwSyn" }, false],
    [{ WT_SESSION: "a", TMUX: "x" }, true],
    [{ TERM: "xterm-kitty" }, true],
    [{ TERM_PROGRAM: "ghostty" }, true],
    [{ TERM: "alacritty" }, true],
    [{ TERM: "xterm-kitty", TMUX: "x" }, false],
    [{ TERM: "xterm-256color" }, false],
    [{}, false],
  ];
  for (const [environment, expected] of table) {
    assert.equal(hasSynchronizedOutput(environment), expected, JSON.stringify(environment));
  }
});

test("multiplexers are known by their variables and by TERM", () => {
  for (const environment of [
    { TMUX: "/tmp/x" },
    { STY: "1.x" },
    { ZELLIJ: "0" },
    { TERM: "tmux-256color" },
    { TERM: "screen" },
    { TERM: "screen.xterm-256color" },
  ]) {
    assert.equal(isInMultiplexer(environment), true, JSON.stringify(environment));
  }
  assert.equal(isInMultiplexer({ TERM: "xterm-256color", TMUX: "" }), false);
});

test("kitty alone has its screen pushed into the history and its rectangles filled, and not in a multiplexer", () => {
  const kitty = detect({ TERM: "xterm-kitty" });
  assert.deepEqual([kitty.screenToScrollback, kitty.rectangularFill], [true, true]);
  assert.equal(detect({ TERM: "xterm-kitty", STET_NO_DECCARA: "1" }).rectangularFill, false);
  const inside = detect({ TERM: "tmux-256color", KITTY_WINDOW_ID: "1", TMUX: "x" });
  assert.deepEqual(
    [inside.screenToScrollback, inside.rectangularFill, inside.images],
    [false, false, "none"],
  );
  assert.equal(detect({ TERM_PROGRAM: "ghostty" }).screenToScrollback, false);
});

test("pictures by terminal; the person's word wins, also in a multiplexer", () => {
  assert.equal(detect({ TERM_PROGRAM: "WezTerm" }).images, "kitty");
  assert.equal(detect({ TERM_PROGRAM: "iTerm.app" }).images, "iterm2");
  assert.equal(detect({ TERM: "foot" }).images, "sixel");
  assert.equal(detect({ TERM: "xterm-256color" }).images, "none");
  assert.equal(detect({ TERM: "xterm-kitty", STET_FORCE_IMAGE_PROTOCOL: "off" }).images, "none");
  assert.equal(detect({ TMUX: "x", STET_FORCE_IMAGE_PROTOCOL: "sixel" }).images, "sixel");
  assert.equal(detect({ TERM: "xterm-kitty" }).kittyPlaceholders, true);
  assert.equal(detect({ TERM_PROGRAM: "WezTerm" }).kittyPlaceholders, false);
  assert.equal(detect({ TERM: "xterm-kitty", STET_NO_KITTY_PLACEHOLDERS: "1" }).kittyPlaceholders, false);
  assert.equal(detect({ TERM_PROGRAM: "WezTerm", STET_KITTY_PLACEHOLDERS: "1" }).kittyPlaceholders, true);
});

test("colours: NO_COLOR and FORCE_COLOR, then COLORTERM, then TERM", () => {
  const table: readonly (readonly [Environment, string])[] = [
    [{ NO_COLOR: "1", COLORTERM: "truecolor" }, "none"],
    [{ NO_COLOR: "", TERM: "xterm" }, "true"],
    [{ NO_COLOR: "1", FORCE_COLOR: "3" }, "true"],
    [{ FORCE_COLOR: "0", TERM: "xterm" }, "none"],
    [{ FORCE_COLOR: "1", TERM: "xterm" }, "16"],
    [{ FORCE_COLOR: "2", TERM: "xterm" }, "256"],
    [{ COLORTERM: "24bit", TERM: "dumb" }, "true"],
    [{ WT_SESSION: "a" }, "true"],
    [{ TERM: "dumb" }, "256"],
    [{ TERM: "linux" }, "256"],
    [{}, "256"],
    [{ TERM: "vt220" }, "16"],
    [{ TERM: "rxvt-16color" }, "16"],
    [{ TERM: "xterm-256color" }, "true"],
    [{ TERM: "xterm-256color", TERM_PROGRAM: "Apple_Terminal" }, "256"],
  ];
  for (const [environment, expected] of table) {
    assert.equal(colourMode(environment), expected, JSON.stringify(environment));
  }
  assert.equal(detectCapabilities({}, "win32").colours, "true");
});

test("COLORFGBG: a background below 8 is dark", () => {
  assert.equal(appearanceByColorFgBg("15;0"), "dark");
  assert.equal(appearanceByColorFgBg("0;default;15"), "light");
  assert.equal(appearanceByColorFgBg("15;default"), undefined);
  assert.equal(appearanceByColorFgBg(undefined), undefined);
});

test("notifications by terminal; a multiplexer has a bell; they can be turned off", () => {
  assert.equal(detect({ TERM: "xterm-kitty" }).notifications, "osc99");
  assert.equal(detect({ TERM: "foot" }).notifications, "osc777");
  assert.equal(detect({ TERM_PROGRAM: "iTerm.app" }).notifications, "osc9");
  assert.equal(detect({ TERM_PROGRAM: "iTerm.app", TMUX: "x" }).notifications, "bell");
  for (const value of ["off", "0", "false"]) {
    assert.equal(detect({ TERM: "xterm-kitty", STET_NOTIFICATIONS: value }).notifications, "none");
  }
});

test("terminals are not asked with strings that they would show", () => {
  assert.deepEqual(probesFor({ TERM: "dumb" }), []);
  assert.ok(!probesFor({ TERM: "linux" }).includes("background"));
  assert.ok(!probesFor({ TERM: "xterm-256color", TERM_PROGRAM: "Apple_Terminal" }).includes("graphics"));
  assert.ok(!probesFor({ TERM: "tmux-256color", TMUX: "x" }).includes("graphics"));
  assert.ok(probesFor({ TERM: "xterm-256color" }).includes("graphics"));
});
