import assert from "node:assert/strict";
import { test } from "node:test";
import { Owner } from "./owner.ts";

test("parts are closed the newest first, each once, also when one of them fails", async () => {
  const owner = new Owner();
  const closed: string[] = [];
  const part = (name: string, error?: Error) => async () => {
    closed.push(name);
    if (error !== undefined) throw error;
  };
  owner.own(part("index"));
  owner.own(part("shell", new Error("the shell hangs")));
  owner.own(part("job"));
  await assert.rejects(owner.close(), /the shell hangs/);
  await assert.rejects(owner.close(), /the shell hangs/);
  assert.deepEqual(closed, ["job", "shell", "index"]);
});

test("what is added to an owner that is closed is closed at once", async () => {
  const owner = new Owner();
  await owner.close();
  let isClosed = false;
  owner.own(() => {
    isClosed = true;
  });
  await owner.close();
  assert.ok(isClosed);
});

test("all that failed is told", async () => {
  const owner = new Owner();
  for (const name of ["one", "two"])
    owner.own(() => {
      throw new Error(name);
    });
  await assert.rejects(
    owner.close(),
    (error) => error instanceof AggregateError && error.errors.length === 2,
  );
});
