import assert from "node:assert/strict";
import { test } from "node:test";
import { temporaryFolder } from "@stet/testkit/temporary";
import type { CommandContext } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { work } from "./work.ts";

function contextIn(folder: string): { context: CommandContext; said: () => string } {
  let text = "";
  const write = (part: string) => {
    text += part;
  };
  const terminal = {
    out: write,
    note: write,
    style: (_style: unknown, part: string) => part,
    input: async () => "",
    isInteractive: false,
    width: 80,
  };
  const environment = { STET_DATA_DIR: folder, XDG_CONFIG_HOME: folder };
  const context = { terminal, folder, environment, signal: new AbortController().signal };
  return { context, said: () => text };
}

test("work says what is missing or wrong before it does anything", async (t) => {
  const store = ["--store", "postgres://me:hidden@127.0.0.1:1/nowhere"];
  for (const [args, expected] of [
    [[], /STET_STORE/],
    [[...store, "--concurrency", "0"], /--concurrency/],
    [[...store, "--concurrency", "many"], /--concurrency/],
    [[...store, "--retries", "1x"], /--retries/],
  ] as const) {
    const { context, said } = contextIn(temporaryFolder(t));
    const code = await work(args, context);
    assert.equal(code, exitCode.usage, said());
    assert.match(said(), expected);
  }
});

test("a database that cannot be reached is told in words, without the password", async (t) => {
  const { context, said } = contextIn(temporaryFolder(t));
  const code = await work(["--store", "postgres://me:hidden@127.0.0.1:1/nowhere"], context);
  assert.equal(code, exitCode.refused);
  assert.match(said(), /PostgreSQL cannot be reached/);
  assert.doesNotMatch(said(), /hidden/);
});
