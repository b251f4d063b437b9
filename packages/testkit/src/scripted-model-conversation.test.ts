// What a test can read about a request: a conversation is the same in the common form, whichever client sent it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startScriptedModel } from "./scripted-model.ts";
import type { SeenMessage } from "./scripted-model-format.ts";
import { hear, judges, type ProviderCallOptions } from "./scripted-model-judges.ts";
import type { ScriptedReply } from "./scripted-model-reply.ts";

type Prompt = ProviderCallOptions["prompt"];
type AssistantContent = Extract<Prompt[number], { role: "assistant" }>["content"];

const parameters = {
  type: "object" as const,
  properties: { path: { type: "string" as const } },
  required: ["path"],
};

const opening: Prompt = [
  { role: "system", content: "You proofread." },
  {
    role: "user",
    content: [
      { type: "text", text: "Look at this" },
      { type: "file", mediaType: "image/png", data: { type: "data", data: "iVBORw0KGgo=" } },
    ],
  },
];

const results: Prompt = [
  {
    role: "tool",
    content: [
      {
        type: "tool-result",
        toolCallId: "first",
        toolName: "read",
        output: { type: "text", value: "Hallo." },
      },
      {
        type: "tool-result",
        toolCallId: "second",
        toolName: "list",
        output: { type: "error-text", value: "There is no such folder." },
      },
    ],
  },
  { role: "user", content: [{ type: "text", text: "And now?" }] },
];

const reply: ScriptedReply = {
  thinking: "I should read.",
  text: "I read it.",
  toolCalls: [
    { name: "read", arguments: { path: "a.md" }, id: "first" },
    { name: "list", arguments: { path: "b" }, id: "second" },
  ],
};

for (const judge of judges) {
  const hasErrors = judge.format === "anthropic" || judge.format === "gemini";
  test(`${judge.name}: a conversation that came back from the client`, async (t) => {
    const model = await startScriptedModel([reply, { text: "Done." }]);
    t.after(() => model.close());
    const client = judge.client(model.url);
    const tools: ProviderCallOptions["tools"] = [
      { type: "function", name: "read", description: "Reads a file.", inputSchema: parameters },
      { type: "function", name: "list", description: "Lists a folder.", inputSchema: parameters },
    ];
    const first = await client.doGenerate({ prompt: opening, tools });
    const answered = first.content.flatMap((part): AssistantContent => {
      const providerOptions = part.providerMetadata ? { providerOptions: part.providerMetadata } : {};
      if (part.type === "text" || part.type === "reasoning")
        return [{ type: part.type, text: part.text, ...providerOptions }];
      if (part.type !== "tool-call") return [];
      const { toolCallId, toolName } = part;
      return [{ type: "tool-call", toolCallId, toolName, input: JSON.parse(part.input), ...providerOptions }];
    });
    const prompt: Prompt = [...opening, { role: "assistant", content: answered }, ...results];
    assert.deepEqual((await hear(client, { prompt, tools })).errors, []);

    const [seen, later] = model.requests;
    assert.ok(seen && later);
    const asked: SeenMessage = {
      role: "user",
      text: "Look at this",
      images: [{ mimeType: "image/png", data: "iVBORw0KGgo=" }],
    };
    assert.equal(seen.system, "You proofread.");
    assert.deepEqual(seen.messages, [asked]);
    assert.deepEqual(seen.toolNames, ["read", "list"]);
    assert.equal(seen.tools[0]?.description, "Reads a file.");
    assert.deepEqual(seen.tools[0]?.parameters.required, ["path"]);
    assert.deepEqual([seen.index, seen.isStreamed, later.index, later.isStreamed], [0, false, 1, true]);
    assert.deepEqual(later.messages, [
      asked,
      {
        role: "assistant",
        text: "I read it.",
        ...(judge.hearsThinking ? { thinking: "I should read." } : {}),
        ...(hasErrors ? { signatures: ["signature_0"] } : {}),
        toolCalls: [
          { id: "first", name: "read", arguments: { path: "a.md" } },
          { id: "second", name: "list", arguments: { path: "b" } },
        ],
      },
      { role: "toolResult", toolCallId: "first", toolName: "read", text: "Hallo." },
      {
        role: "toolResult",
        toolCallId: "second",
        toolName: "list",
        text: judge.failure("There is no such folder."),
        ...(hasErrors ? { isError: true } : {}),
      },
      { role: "user", text: "And now?" },
    ]);
  });
}

test("a client's key and address can be checked", async (t) => {
  const model = await startScriptedModel(() => ({ text: "Hi." }));
  t.after(() => model.close());
  for (const judge of judges) await hear(judge.client(model.url));
  const keys = model.requests.map(
    ({ headers }) => headers.authorization ?? headers["x-api-key"] ?? headers["x-goog-api-key"],
  );
  const bearer = "Bearer key-for-tests";
  assert.deepEqual(keys, [bearer, undefined, bearer, "key-for-tests", "key-for-tests"]);
  assert.equal(model.requests.at(-1)?.path, "/v1beta/models/scripted:streamGenerateContent?alt=sse");
});

test("a body that is no JSON, and a reference to nothing, are refused as the real server does", async (t) => {
  const model = await startScriptedModel([]);
  t.after(() => model.close());
  const post = (path: string, body: string) => fetch(model.url + path, { method: "POST", body });
  assert.equal((await post("/v1/messages", "{")).status, 400);
  const lost = await post(
    "/v1/responses",
    JSON.stringify({ input: [{ type: "item_reference", id: "rs_9" }] }),
  );
  assert.equal(lost.status, 404);
  assert.match(await lost.text(), /Item with id 'rs_9' not found/);
});
