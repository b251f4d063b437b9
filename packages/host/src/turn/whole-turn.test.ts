// A turn of toolset tabs is all or nothing, also where a limit ends it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { modelOf, type PlayedReply } from "@stet/testkit/model-of";
import { TestService } from "@stet/testkit/test-service";
import { TestWorkspace } from "@stet/testkit/workspace";

const insert = (version: number): PlayedReply => ({
  calls: [
    {
      name: "insert_lines",
      arguments: { after_line: -1, content: `line ${version}`, version: String(version) },
    },
  ],
});

test("a turn in tabs that is stopped by a limit proposes nothing, says so, and tells the model", async (t) => {
  const requests: string[] = [];
  const model = modelOf((request, at) => {
    requests.push(JSON.stringify(request.messages.at(-1)));
    if (requests.length > 20) return { text: "Done." };
    const read: PlayedReply = { calls: [{ name: "read_document", arguments: {} }] };
    return at === 0 ? read : insert(at);
  });
  const api = await TestService.open(t, new TestWorkspace(t, { "a.md": "one\n" }), model);
  await api.ok("POST", "/api/tabs", { path: "a.md" });
  const session = await api.session();
  const id = await api.run(session, "Insert eight lines.", {
    toolset: "tabs",
    tool_config: { max_tool_calls: 4 },
  });
  const { events, job } = await api.until(id, "failed");
  assert.match(JSON.stringify(events), /Nothing was changed: a turn of this toolset is all or nothing/);
  assert.deepEqual([job.diff_bundle, (await api.ok("GET", "/api/review")).files], [null, []]);
  assert.deepEqual((await api.ok("GET", "/api/agent/checkpoints")).checkpoints, []);
  const { tabs } = await api.ok("GET", "/api/tabs");
  assert.equal(tabs[0].version, "1");
  const { messages } = await api.ok("GET", `/api/agent/sessions/${session}/messages`);
  assert.match(JSON.stringify(messages), /Nothing was changed: a turn of this toolset/);
  while (requests.length <= 20) requests.push("");
  await api.until(await api.run(session, "Go on.", { toolset: "tabs" }), "completed");
  assert.match(requests.at(-1) ?? "", /Go on\..*Nothing of your last turn was kept/);
  const shown = await api.ok("GET", `/api/agent/sessions/${session}/messages`);
  assert.doesNotMatch(
    JSON.stringify(shown.messages),
    /Nothing of your last turn/,
    "that is for the model only",
  );
  await api.until(await api.run(session, "And now?", { toolset: "tabs" }), "completed");
  assert.doesNotMatch(requests.at(-1) ?? "", /Nothing of your last turn/);
});
