import assert from "node:assert/strict";
import { test } from "node:test";
import { StetProject } from "@stet/testkit/stet-project";

test("work says what is missing or wrong before it does anything", async (t) => {
  const project = new StetProject(t, {});
  const store = ["--store", "postgres://me:hidden@127.0.0.1:1/nowhere"];
  for (const [args, expected] of [
    [[], /STET_STORE/],
    [[...store, "--concurrency", "0"], /--concurrency/],
    [[...store, "--concurrency", "many"], /--concurrency/],
    [[...store, "--retries", "1x"], /--retries/],
  ] as const) {
    const { code, note } = await project.stet(["work", ...args]);
    assert.equal(code, 2, note);
    assert.match(note, expected);
  }
});

test("a database that cannot be reached is told in words, without the password", async (t) => {
  const project = new StetProject(t, {});
  const store = ["--store", "postgres://me:hidden@127.0.0.1:1/nowhere"];
  const { code, screen } = await project.stet(["work", ...store]);
  assert.equal(code, 4);
  assert.match(screen, /PostgreSQL cannot be reached/);
  assert.doesNotMatch(screen, /hidden/);
});
