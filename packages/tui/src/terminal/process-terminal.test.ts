// A program in a pseudo terminal. The test sits at the other end, as a terminal emulator does: it reads the bytes, answers what
// it is asked, and types.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { spawn } from "@lydell/node-pty";
import { temporaryFolder } from "@stet/testkit/temporary";

const program = join(import.meta.dirname, "../../../testkit/src/terminal-child.ts");
const runProgram = [process.execPath, "--disable-warning=ExperimentalWarning", program];

function openTerminal(t: TestContext, environment: Record<string, string> = {}, shell?: readonly string[]) {
  const log = join(temporaryFolder(t), "log");
  const [name = "", ...parameters] = shell ?? [...runProgram, log];
  const pty = spawn(name, parameters, {
    cols: 80,
    rows: 24,
    env: { PATH: process.env.PATH ?? "", TERM: "xterm-256color", PS1: "prompt> ", ...environment },
  });
  let bytes = "";
  let exit: { exitCode: number; signal?: number } | undefined;
  pty.onData((part) => {
    bytes += part;
  });
  pty.onExit((ended) => {
    exit = ended;
  });
  t.after(() => {
    if (exit === undefined) pty.kill("SIGKILL");
  });
  const lines = (): string[] => (existsSync(log) ? readFileSync(log, "utf8").trimEnd().split("\n") : []);
  return {
    log,
    pty,
    lines,
    bytes: () => bytes,
    exit: () => exit,
    type: (keys: string) => pty.write(keys),
    wrote: (part: string) =>
      until(
        () => bytes.includes(part),
        () => `${JSON.stringify(part)} in ${JSON.stringify(bytes)}`,
      ),
    logged: (line: string) =>
      until(
        () => lines().includes(line),
        () => `${line} in ${lines().join(" | ")}`,
      ),
    ended: () =>
      until(
        () => exit !== undefined,
        () => `the end; ${lines().join(" | ")}`,
      ),
  };
}

async function until(isTrue: () => boolean, what: () => string): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!isTrue()) {
    assert.ok(Date.now() < deadline, `not after 20 seconds: ${what()}`);
    await delay(10);
  }
}

const attributes = "\u001b[?62;22c";
const modesOff = ["\u001b[?1004l", "\u001b[?2004l", "\u001b[?7h", "\u001b[?25h"];

function assertRestored(bytes: string, ...others: readonly string[]): void {
  for (const sequence of [...modesOff, ...others]) {
    assert.ok(
      bytes.includes(sequence),
      `${JSON.stringify(sequence)} in ${JSON.stringify(bytes.slice(-200))}`,
    );
  }
}

test("a terminal that knows everything is asked, believed, and left as it was", async (t) => {
  const terminal = openTerminal(t);
  await terminal.wrote("\u001b_Gi=2147483647");
  terminal.type(`\u001b[?0u${attributes}`);
  for (const mode of [2026, 2048, 2031]) terminal.type(`\u001b[?${mode};2$y${attributes}`);
  terminal.type(
    `\u001b[6;20;10t${attributes}\u001b]11;rgb:ffff/ffff/ffff\u001b\\${attributes}\u001b]99;i=stet-probe:p=?;a=focus\u001b\\${attributes}`,
  );
  terminal.type(`\u001b_Gi=2147483647;OK\u001b\\${attributes}`);
  await terminal.wrote("\u001b[>5u");
  await terminal.wrote("\u001b[?2048h");
  await terminal.wrote("\u001b[?2031h");
  terminal.type("\u001b[O\u001b[13;2u\u001b[200~pasted\u001b[201~");
  await terminal.logged("paste 6");
  const last = terminal.lines().findLast((line) => line.startsWith("capabilities ")) ?? "";
  const found = JSON.parse(last.slice("capabilities ".length));
  assert.deepEqual(
    [
      found.synchronizedOutput,
      found.images,
      found.kittyKeyboard,
      found.cellSize,
      found.appearance,
      found.notifications,
    ],
    [true, "kitty", true, { width: 10, height: 20 }, "light", "osc99"],
  );
  terminal.type("\u001b[?997;1n\u001b[48;30;100;600;1000t");
  await terminal.logged("size 100x30");
  assert.ok(terminal.lines().some((line) => line.includes('"appearance":"dark"')));
  const keys = terminal.lines().filter((line) => /^(?:key|focus)/.test(line));
  assert.deepEqual(keys, ["focus false", "key shift+enter"], "nothing of an answer was a key");
  terminal.type("\u001b[100;5u");
  await terminal.ended();
  assert.equal(terminal.exit()?.exitCode, 0);
  assertRestored(terminal.bytes(), "\u001b[<u", "\u001b[?2048l", "\u001b[?2031l");
});

test("a terminal that does not tell of a new appearance is asked again when it has the focus", async (t) => {
  const terminal = openTerminal(t);
  await terminal.wrote("\u001b_Gi=2147483647");
  const questions = (): number => terminal.bytes().split("\u001b]11;?").length - 1;
  terminal.type(`${attributes.repeat(5)}\u001b]11;rgb:0/0/0\u0007${attributes.repeat(3)}\u001b[I`);
  await until(() => questions() === 2, terminal.bytes);
  terminal.type(`\u001b]11;rgb:ff/ff/ff\u0007${attributes}z`);
  await terminal.logged("key z");
  const told = terminal.lines().filter((line) => line.startsWith("capabilities "));
  assert.match(told.at(-1) ?? "", /"appearance":"light"/);
});

test("a terminal that answers nothing gets modifyOtherKeys, and its keys arrive", async (t) => {
  const terminal = openTerminal(t);
  await terminal.wrote("\u001b[>4;2m");
  terminal.type("a\u001b[27;2;13~\u0004");
  await terminal.ended();
  assert.deepEqual(terminal.lines(), ["started", "key a", "key shift+enter", "key ctrl+d"]);
  assertRestored(terminal.bytes(), "\u001b[>4;0m");
});

test("a program that ends before the terminal has answered leaves no answer to the shell", async (t) => {
  const terminal = openTerminal(t);
  await terminal.wrote("\u001b_Gi=2147483647");
  terminal.type(`q${attributes}`);
  await terminal.logged("key q");
  terminal.type(attributes.repeat(7));
  await terminal.ended();
  assert.deepEqual(terminal.lines().at(-1), "stopped");
  assert.ok(!terminal.bytes().includes("62;22c"), "what comes in cooked mode would be echoed");
});

test("the person's word wins over the terminal's answer", async (t) => {
  const terminal = openTerminal(t, {
    STET_FORCE_SYNC_OUTPUT: "1",
    STET_FORCE_IMAGE_PROTOCOL: "off",
    STET_NOTIFICATIONS: "off",
  });
  await terminal.wrote("\u001b_Gi=2147483647");
  terminal.type(`${attributes}\u001b]11;rgb:0/0/0\u0007${attributes}\u001b[?2026;0$y${attributes.repeat(4)}`);
  terminal.type(
    `\u001b]99;i=stet-probe:p=?;\u0007${attributes}\u001b_Gi=2147483647;OK\u001b\\\u001b[?62;4cz`,
  );
  await terminal.logged("key z");
  const found = terminal.lines().findLast((line) => line.startsWith("capabilities ")) ?? "";
  assert.match(found, /"synchronizedOutput":true,.*"images":"none",.*"notifications":"none"/);
});

for (const [name, end] of [
  ["a bug", (terminal: ReturnType<typeof openTerminal>) => terminal.type("t")],
  ["an exit in the middle", (terminal: ReturnType<typeof openTerminal>) => terminal.type("e")],
  ["SIGTERM", (terminal: ReturnType<typeof openTerminal>) => terminal.pty.kill("SIGTERM")],
] as const) {
  test(`${name} leaves the terminal as it was`, async (t) => {
    const terminal = openTerminal(t);
    await terminal.logged("started");
    end(terminal);
    await terminal.ended();
    assertRestored(terminal.bytes());
    if (name === "SIGTERM") assert.equal(terminal.exit()?.signal, 15);
  });
}

test("a terminal that is closed is told once, and the process ends", async (t) => {
  const terminal = openTerminal(t);
  await terminal.logged("started");
  terminal.pty.kill("SIGHUP");
  await terminal.logged("lost");
  await terminal.ended();
  assert.equal(terminal.lines().filter((line) => line === "lost").length, 1);
});

test("a terminal that does not read holds nothing up", async (t) => {
  const terminal = openTerminal(t);
  await terminal.logged("started");
  terminal.pty.pause();
  terminal.type("w");
  await terminal.logged("backlog true");
  terminal.type("a");
  await terminal.logged("key a");
  assert.ok(!terminal.lines().includes("drained"));
  terminal.pty.resume();
  await terminal.logged("drained");
});

test("the window's size is followed", async (t) => {
  const terminal = openTerminal(t);
  await terminal.logged("started");
  terminal.pty.resize(1, 1);
  await terminal.logged("size 1x1");
});

test("Ctrl-Z gives the terminal to the shell, and fg takes it back", async (t) => {
  const terminal = openTerminal(t, {}, ["bash", "--norc", "--noprofile", "-i"]);
  await terminal.wrote("prompt> ");
  terminal.type(`${runProgram.join(" ")} ${terminal.log}\r`);
  await terminal.logged("started");
  terminal.type("\u001a");
  await terminal.wrote("Stopped");
  assertRestored(terminal.bytes());
  terminal.type("fg\r");
  await terminal.logged("resumed");
  terminal.type("k");
  await terminal.logged("key k");
});

test("Ctrl-Z without a shell that controls jobs changes nothing", async (t) => {
  const terminal = openTerminal(t);
  await terminal.logged("started");
  terminal.type("\u001a");
  await terminal.logged("resumed");
  terminal.type("k");
  await terminal.logged("key k");
});
