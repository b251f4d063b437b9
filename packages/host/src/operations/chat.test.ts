import assert from "node:assert/strict";
import { test } from "node:test";
import { modelOf, type PlayedReply } from "@stet/testkit/model-of";
import { TestService } from "@stet/testkit/test-service";
import { TestWorkspace } from "@stet/testkit/workspace";

const files = { "a.md": "one\ntwo\nthree\nfour\nfive\n", "b.md": "eins\nzwei\n" };

test("a chat tells everything from the beginning to whoever comes, and ends with chat.final", async (t) => {
  const place = new TestWorkspace(t, files);
  let index = 0;
  const replies: readonly PlayedReply[] = [
    { text: "I look. ", calls: [{ name: "get_context_lines", arguments: { lineNumber: 1 } }] },
    { calls: [{ name: "write_replace_line", arguments: { lineNumber: 1, text: "ONE" } }] },
    { text: "It is done." },
    { text: "You are welcome." },
  ];
  const model = modelOf(() => replies[index++] ?? { text: "?" });
  const api = await TestService.open(t, place, model);
  await api.ok("POST", "/api/tabs", { path: "b.md" });
  const tab = await api.ok("POST", "/api/tabs", { path: "a.md" });
  await api.ok("POST", `/api/tabs/tab_1/activate`, {});
  const { sessionId } = await api.ok("POST", "/api/chat/create", { message: "Shout.", tab_id: tab.tab_id });
  const stream = `/api/chat/stream?sid=${sessionId}`;
  const heard = await api.listen(stream, () => false);
  const types = heard.map(({ event }) => event);
  assert.equal(types[0], "agent.thought");
  assert.ok(
    types.includes("context.retrieved") && types.includes("paper.applied") && types.includes("paper.state"),
  );
  assert.deepEqual(heard.at(-1)?.data, { text: "It is done." });
  const late = await api.listen(stream, () => false);
  const words = (list: typeof heard) =>
    list
      .filter(({ event }) => event === "agent.thought")
      .map(({ data }) => data.thought)
      .join("");
  assert.equal(words(late), words(heard));
  assert.equal(late.at(-1)?.event, "chat.final");
  const { text } = await api.ok("GET", `/api/documents/${tab.document}`);
  assert.match(text, /^ONE\n/, "by then the change is there");
  await api.ok("POST", "/api/chat/create", { message: "Thanks.", sessionId });
  const next = await api.listen(stream, () => false);
  assert.deepEqual(next.at(-1)?.data, { text: "You are welcome." });
  assert.equal(
    await api.refusal("POST", "/api/chat/create", { message: "x", tab_id: "tab_99" }),
    "invalid_tab_id",
  );
  assert.equal(await api.refusal("GET", "/api/chat/stream?sid=none"), "session_not_found");
});

test("a chat without any document fails in a sentence, which is its last event", async (t) => {
  const api = await TestService.open(t, new TestWorkspace(t, files), modelOf([]));
  const { sessionId } = await api.ok("POST", "/api/chat/create", { message: "Shout." });
  const heard = await api.listen(`/api/chat/stream?sid=${sessionId}`, () => false);
  assert.equal(heard.length, 1);
  assert.match(heard[0]?.data.text, /none is open/);
});
