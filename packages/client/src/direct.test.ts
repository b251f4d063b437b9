// The direct transport, over operations of the test's own.

import assert from "node:assert/strict";
import { test } from "node:test";
import { directClient } from "./direct.ts";

test("a direct call gives the operation what was given, empty parts and the signal, and passes on its answer", async () => {
  const { signal } = new AbortController();
  const reply = { documents: [1], hunk_ids: ["h_1_1"] };
  const client = directClient({
    async decide(received, caller) {
      assert.deepEqual(received, { params: {}, query: {}, body: { verdict: "accept", everything: true } });
      assert.deepEqual(caller, { signal, lastEventId: undefined });
      return reply;
    },
  });
  const answered = await client.call("decide", { body: { verdict: "accept", everything: true } }, signal);
  assert.equal(answered, reply);
});
