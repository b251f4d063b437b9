// The screen as a person sees it, in a real terminal emulator.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { VirtualTerminal } from "@stet/testkit/virtual-terminal";
import { type Component, cursorMarker, type InputComponent } from "../component.ts";
import type { Input } from "../input/input.ts";
import { type Block, Transcript } from "../transcript/transcript.ts";
import { Tui } from "./tui.ts";

class Lines implements Component {
  rows: string[];
  constructor(...rows: string[]) {
    this.rows = rows;
  }
  render(): readonly string[] {
    return this.rows;
  }
}

class Prompt implements InputComponent {
  text = "";
  isFocused = false;
  render(): readonly string[] {
    return ["---", `> ${this.text}${this.isFocused ? cursorMarker : ""}`];
  }
  handleInput(input: Input): boolean {
    if (input.kind === "key" && input.text !== undefined) this.text += input.text;
    return true;
  }
}

class Message implements Block {
  rows: string[];
  isFinal: boolean;
  constructor(isFinal: boolean, ...rows: string[]) {
    this.isFinal = isFinal;
    this.rows = rows;
  }
  isTranscriptBlockFinalized(): boolean {
    return this.isFinal;
  }
  render(): readonly string[] {
    return [...this.rows];
  }
}

async function settle(terminal: VirtualTerminal): Promise<void> {
  await sleep(25);
  await terminal.flush();
}

function numbered(count: number, from = 1): string[] {
  return Array.from({ length: count }, (_, index) => `row ${index + from}`);
}

test("components stand below each other, and what was on the screen before is in the history", async () => {
  const terminal = new VirtualTerminal(20, 6);
  terminal.write("$ ls\r\na  b\r\n$ stet\r\n");
  const tui = new Tui(terminal);
  const prompt = new Prompt();
  tui.add(new Lines("hello"));
  tui.add(prompt);
  tui.setFocus(prompt);
  tui.start();
  await settle(terminal);
  assert.deepEqual(terminal.tape, ["$ ls", "a  b", "$ stet", "hello", "---", ">", "", "", ""]);
  assert.deepEqual(terminal.cursor, { row: 2, column: 2 });
  terminal.key("x");
  await Promise.resolve();
  await terminal.flush();
  assert.equal(terminal.screen[2], "> x", "a key is drawn at once");
  tui.stop();
});

test("a conversation that grows scrolls into the history row by row, once", async () => {
  const terminal = new VirtualTerminal(20, 6);
  const tui = new Tui(terminal);
  const transcript = new Transcript();
  const prompt = new Prompt();
  tui.add(transcript);
  tui.add(prompt);
  tui.setFocus(prompt);
  tui.start();
  for (let row = 1; row <= 30; row += 3) {
    transcript.add(new Message(true, ...numbered(3, row)));
    tui.requestRender();
    await settle(terminal);
  }
  assert.deepEqual(terminal.tape, [...numbered(30), "---", ">"]);
  tui.stop();
});

test("rows that may still change stay out of the history", async () => {
  const terminal = new VirtualTerminal(20, 6);
  const tui = new Tui(terminal);
  const transcript = new Transcript();
  const live = new Message(false, ...numbered(10));
  transcript.add(live);
  tui.add(transcript);
  tui.add(new Prompt());
  tui.start();
  await settle(terminal);
  assert.deepEqual(terminal.tape, ["row 7", "row 8", "row 9", "row 10", "---", ">"]);
  live.rows = numbered(10).map((row) => row.toUpperCase());
  live.isFinal = true;
  tui.requestRender();
  await settle(terminal);
  assert.deepEqual(terminal.tape, [...numbered(10).map((row) => row.toUpperCase()), "---", ">"]);
  tui.stop();
});

test("an overlay covers the window, and nothing of it is in the history", async () => {
  const terminal = new VirtualTerminal(20, 6);
  const tui = new Tui(terminal);
  const transcript = new Transcript();
  const prompt = new Prompt();
  tui.add(transcript);
  tui.add(prompt);
  tui.setFocus(prompt);
  tui.start();
  transcript.add(new Message(true, ...numbered(3)));
  await settle(terminal);
  const overlay = tui.showOverlay(new Lines("OVER", "LAY"), { anchor: "bottom" });
  await settle(terminal);
  assert.deepEqual(terminal.screen, ["row 1", "row 2", "row 3", "---", "OVER", "LAY"]);
  transcript.add(new Message(true, ...numbered(5, 4)));
  tui.requestRender();
  await settle(terminal);
  assert.deepEqual(terminal.history, []);
  overlay.close();
  await settle(terminal);
  assert.deepEqual(terminal.tape, [...numbered(8), "---", ">"]);
  tui.stop();
});

test("a component that fails is one row, and the others are there", async () => {
  const terminal = new VirtualTerminal(60, 6);
  const tui = new Tui(terminal);
  tui.add({
    render() {
      throw new Error("no such thing");
    },
  });
  tui.add(new Lines("below"));
  tui.start();
  await settle(terminal);
  assert.deepEqual(terminal.screen.slice(0, 2), [
    "This part of the screen could not be drawn: no such thing",
    "below",
  ]);
  tui.stop();
});

test("control bytes in a row are shown and not obeyed", async () => {
  const terminal = new VirtualTerminal(40, 4);
  const tui = new Tui(terminal);
  tui.add(new Lines("a\u001b[2Jb\u0007\tc\u001b[31mred", "next"));
  tui.start();
  await settle(terminal);
  assert.deepEqual(terminal.screen.slice(0, 2), ["a␛[2Jb␇ cred", "next"]);
  tui.stop();
});

test("after a stop the final rows stay above the cursor, and a start goes on below without showing them twice", async () => {
  const terminal = new VirtualTerminal(20, 6);
  const tui = new Tui(terminal);
  const transcript = new Transcript();
  tui.add(transcript);
  tui.add(new Prompt());
  transcript.add(new Message(true, ...numbered(3)));
  tui.start();
  await settle(terminal);
  tui.stop();
  await terminal.flush();
  assert.deepEqual(terminal.tape, ["row 1", "row 2", "row 3", "", "", ""]);
  terminal.write("$ fg\r\n");
  tui.start();
  await settle(terminal);
  assert.deepEqual(terminal.tape, ["row 1", "row 2", "row 3", "$ fg", "---", ">", "", "", "", ""]);
  tui.stop();
});

test("a slow terminal gets the newest frame when it can take one, not every frame in between", async () => {
  const terminal = new VirtualTerminal(20, 6);
  const tui = new Tui(terminal);
  const lines = new Lines("one");
  tui.add(lines);
  tui.start();
  await settle(terminal);
  terminal.hasBacklog = true;
  const written = terminal.writes.length;
  for (const row of ["two", "three", "four"]) {
    lines.rows = [row];
    tui.requestRender({ force: true });
    await settle(terminal);
  }
  assert.equal(terminal.writes.length, written);
  terminal.drain();
  await settle(terminal);
  assert.equal(terminal.screen[0], "four");
  assert.equal(terminal.writes.length, written + 1);
  tui.stop();
});

test("a reader who scrolled up keeps the rows in view while the conversation goes on", async () => {
  const terminal = new VirtualTerminal(20, 6);
  const tui = new Tui(terminal);
  const transcript = new Transcript();
  const prompt = new Prompt();
  transcript.add(new Message(true, ...numbered(40)));
  tui.add(transcript);
  tui.add(prompt);
  tui.setFocus(prompt);
  tui.start();
  await settle(terminal);
  terminal.scroll(-20);
  const view = terminal.view;
  for (let row = 41; row < 60; row += 3) {
    transcript.add(new Message(true, ...numbered(3, row)));
    tui.requestRender();
    await settle(terminal);
    assert.deepEqual(terminal.view, view);
  }
  assert.equal(terminal.isAtBottom, false);
  tui.stop();
});

test("a drag of the window's edge that replays is one paint, and a change of the height alone erases nothing", async () => {
  const terminal = new VirtualTerminal(40, 10);
  const tui = new Tui(terminal, { resize: "replay" });
  const transcript = new Transcript();
  transcript.add(new Message(true, ...numbered(30)));
  tui.add(transcript);
  tui.add(new Prompt());
  tui.start();
  await settle(terminal);
  const erased = () => terminal.writes.filter((bytes) => bytes.includes("\u001b[3J")).length;
  for (let columns = 39; columns > 30; columns--) {
    terminal.resize(columns, 10);
    await sleep(5);
  }
  await sleep(100);
  await terminal.flush();
  assert.equal(erased(), 1);
  assert.deepEqual(terminal.tape, [...numbered(30), "---", ">"]);
  terminal.resize(31, 6);
  await settle(terminal);
  terminal.resize(31, 12);
  await settle(terminal);
  assert.equal(erased(), 1);
  assert.deepEqual(terminal.tape.slice(0, 32), [...numbered(30), "---", ">"]);
  tui.stop();
});

test("a screen of one cell is drawn", async () => {
  const terminal = new VirtualTerminal(1, 1);
  const tui = new Tui(terminal);
  const prompt = new Prompt();
  tui.add(new Lines("hello 日本", "more"));
  tui.add(prompt);
  tui.setFocus(prompt);
  tui.start();
  await settle(terminal);
  terminal.key("x");
  terminal.resize(2, 1);
  await sleep(80);
  terminal.resize(1, 1);
  await sleep(80);
  await settle(terminal);
  assert.equal(terminal.screen.length, 1);
  tui.stop();
});

test("other colours are drawn in the window, and the history keeps its own, each row once", async () => {
  const terminal = new VirtualTerminal(20, 6);
  const tui = new Tui(terminal);
  const transcript = new Transcript();
  const messages = numbered(9).map((row) => new Message(true, `${row} dark`));
  for (const message of messages) transcript.add(message);
  tui.add(transcript);
  tui.start();
  await settle(terminal);
  for (const [index, message] of messages.entries()) message.rows = [`row ${index + 1} light`];
  transcript.redraw();
  tui.requestRender({ force: true });
  await settle(terminal);
  const dark = numbered(3).map((row) => `${row} dark`);
  assert.deepEqual(terminal.tape, [...dark, ...numbered(6, 4).map((row) => `${row} light`)]);
  tui.stop();
});
