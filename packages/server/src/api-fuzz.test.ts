// The API under requests that nobody would write. Thousands more run in `npm run fuzz -- api`.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fuzzApi } from "@stet/testkit/api-fuzz/api-fuzz";
import { modelOf } from "@stet/testkit/model-of";
import { TestService } from "@stet/testkit/test-service";
import { TestWorkspace } from "@stet/testkit/workspace";

test("whatever a request holds, it is answered, and never by a failure of the server", async () => {
  const { failures, sent } = await fuzzApi({ seed: 11, requests: 700 });
  assert.deepEqual(failures, []);
  assert.equal(sent, 700);
});

test("a NUL in a search and a name that no file system takes are the caller's mistakes", async (t) => {
  const workspace = new TestWorkspace(t, { "a.md": "alpha\n" });
  const api = await TestService.open(t, workspace, modelOf([]));
  const { tab_id } = await api.ok("POST", "/api/tabs", { path: "a.md" });
  const addresses = [
    "/api/search?query=%00",
    "/api/search?query=a&glob=%00",
    `/api/files?prefix=${"x".repeat(5000)}`,
    `/api/files?prefix=${"x/".repeat(3000)}`,
    "/api/files?prefix=a.md/b",
    `/api/tabs/${tab_id}/search?query=%00&match_type=exact`,
    `/api/tabs/${tab_id}/search?query=%00&match_type=regex`,
    `/api/tabs/${tab_id}/search?query=%00&match_type=semantic`,
  ];
  for (const address of addresses) {
    const { status, body } = await api.call("GET", address);
    assert.ok(status < 500, `${address.slice(0, 60)}: ${status} ${JSON.stringify(body)}`);
  }
});
