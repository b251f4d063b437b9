import assert from "node:assert/strict";
import { test } from "node:test";
import { isConnectionFailure, postgresFault } from "./connection.ts";

const withCode = (code: string, message = "It failed.") => Object.assign(new Error(message), { code });

test("a connection that breaks while a query is written is a connection that broke, whatever its code looks like", () => {
  for (const code of ["EPIPE", "ECONNRESET", "57P01", "08006"])
    assert.equal(isConnectionFailure(withCode(code)), true, code);
  for (const code of ["23505", "42P01", "P0001", "XX000"])
    assert.equal(isConnectionFailure(withCode(code)), false, code);
  assert.match(postgresFault(withCode("EPIPE", "write EPIPE")).message, /cannot be reached: write EPIPE/);
});
