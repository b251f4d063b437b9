import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { pngPicture } from "@stet/testkit/picture";
import { environmentBelow, runStet } from "@stet/testkit/run-stet";
import { startScriptedModel } from "@stet/testkit/scripted-model";
import type { ScriptedReply } from "@stet/testkit/scripted-model-reply";
import { temporaryFolder } from "@stet/testkit/temporary";

const story = "# Title\n\nTobias went out.\n";

const formats: Record<string, (url: string) => NodeJS.ProcessEnv> = {
  "openai/gpt-5": (url) => ({ OPENAI_API_KEY: "key", OPENAI_BASE_URL: `${url}/v1` }),
  "openai-chat/gpt-4.1": (url) => ({ OPENAI_API_KEY: "key", OPENAI_BASE_URL: `${url}/v1` }),
  "openai-compatible/local": (url) => ({ OPENAI_COMPATIBLE_BASE_URL: `${url}/v1` }),
  "anthropic/claude-sonnet-4-5": (url) => ({ ANTHROPIC_API_KEY: "key", ANTHROPIC_BASE_URL: `${url}/v1` }),
  "google/gemini-2.5-pro": (url) => ({ GEMINI_API_KEY: "key", GEMINI_BASE_URL: `${url}/v1beta` }),
};

async function stet(
  t: TestContext,
  model: string,
  script: ScriptedReply[],
  args: string[],
  files: Record<string, string | Uint8Array> = {},
) {
  const server = await startScriptedModel(script);
  t.after(() => server.close());
  const folder = temporaryFolder(t, { "project/story.md": story, ...files });
  const [provider = ""] = model.split("/", 1);
  const format = Object.entries(formats).find(([name]) => name.startsWith(`${provider}/`));
  const environment = format?.[1](server.url);
  const { code, out, note } = await runStet(["--model", model, ...args], {
    cwd: join(folder, "project"),
    env: { ...environmentBelow(folder), ...environment },
  });
  return { code, out, note, requests: server.requests };
}

const edit = {
  file_path: "story.md",
  operation: "replace",
  start_line: 3,
  end_line: 3,
  new_text: "Elias went out.",
};

for (const model of Object.keys(formats)) {
  test(`the same turn works against ${model}`, async (t) => {
    const script: ScriptedReply[] = [
      { text: "I look first.", toolCalls: [{ name: "read_file", arguments: { file_path: "story.md" } }] },
      { toolCalls: [{ name: "edit_file", arguments: edit }] },
      { text: "Tobias is Elias now." },
    ];
    const { code, out, note, requests } = await stet(t, model, script, ["-p", "Rename Tobias to Elias"]);
    assert.equal(code, 0, note);
    assert.match(out, /I look first.\nTobias is Elias now.\n/);
    assert.match(note, /story.md:3\n[^-]*- 3 Tobias went out.\n\+ 3 Elias went out./);
    assert.equal(requests.length, 3);
    assert.deepEqual(requests[0]?.toolNames, [
      "search_project",
      "read_file",
      "list_files",
      "edit_file",
      "clarify_user",
    ]);
    assert.match(requests[0]?.system ?? "", /Look before you edit/);
    const results = requests[2]?.messages.filter((message) => message.role === "toolResult") ?? [];
    assert.equal(results.length, 2);
    assert.match(JSON.stringify(results[0]), /Tobias went out/);
    assert.match(JSON.stringify(results[1]), /lines_added/);
  });

  test(`${model}: a refused key, a web page and a broken call are told in a sentence`, async (t) => {
    const refusedKey = await stet(
      t,
      model,
      [{ fault: { status: 401, body: '{"error":{"message":"bad key"}}' } }],
      ["-p", "x"],
    );
    assert.equal(refusedKey.code, 1);
    assert.match(refusedKey.note, /key/i);
    const page = await stet(t, model, [{ fault: { html: true } }], ["-p", "x"]);
    assert.equal(page.code, 1, page.out + page.note);
    assert.match(page.note, /\w+ \w+ \w+/);
    assert.doesNotMatch(page.note, /\n\s+at /);
  });
}

test("the first request with toolset project is at most 8 KB", async (t) => {
  const { requests } = await stet(t, "openai-compatible/local", [{ text: "Hello." }], ["-p", "Say hello."]);
  const size = JSON.stringify(requests[0]?.body).length;
  assert.ok(size <= 8192, `it is ${size} bytes`);
});

const picture = pngPicture(40, 30);

for (const model of Object.keys(formats)) {
  test(`a picture that a tool returns is a picture to ${model}, and no text`, async (t) => {
    const script: ScriptedReply[] = [
      {
        toolCalls: [
          { name: "read", arguments: { path: "shot.png" } },
          { name: "read", arguments: { path: "story.md" } },
        ],
      },
      { text: "I see it." },
    ];
    const files = { "project/shot.png": picture };
    const args = ["--toolset", "code", "-p", "What is in shot.png?"];
    const { code, note, requests } = await stet(t, model, script, args, files);
    assert.equal(code, 0, note);
    const messages = requests[1]?.messages ?? [];
    const seen = messages.flatMap((message) => ("images" in message ? (message.images ?? []) : []));
    assert.deepEqual(seen, [{ mimeType: "image/png", data: picture.toString("base64") }]);
    const texts = messages.map((message) => ("text" in message ? message.text : "")).join("\n");
    assert.match(texts, /shot\.png: image\/png, \d+ bytes, 40x30 pixels/);
    assert.ok(!texts.includes(picture.toString("base64").slice(0, 40)));
    // Every answer stands right behind its call, before the picture.
    const roles = messages.map((message) => message.role);
    assert.deepEqual(roles.slice(roles.indexOf("toolResult"), roles.indexOf("toolResult") + 2), [
      "toolResult",
      "toolResult",
    ]);
  });
}

test("a model that cannot see is told so, and is sent no picture", async (t) => {
  const script: ScriptedReply[] = [
    { toolCalls: [{ name: "read", arguments: { path: "shot.png" } }] },
    { text: "I cannot see it." },
  ];
  const settings = { providers: { "openai-compatible": { models: { local: { images: false } } } } };
  const files = { "project/shot.png": picture, "config/stet/config.json": JSON.stringify(settings) };
  const args = ["--toolset", "code", "-p", "What is in shot.png?"];
  const { code, note, requests } = await stet(t, "openai-compatible/local", script, args, files);
  assert.equal(code, 0, note);
  const sent = JSON.stringify(requests[1]?.body);
  assert.ok(!sent.includes(picture.toString("base64").slice(0, 40)));
  assert.match(sent, /A picture \(image\/png\) is here, but local cannot see pictures/);
});

const thinkingIn: Record<string, (body: Record<string, unknown>) => unknown> = {
  "openai/gpt-5": ({ reasoning }) => (reasoning as { effort?: string } | undefined)?.effort,
  "openai-chat/gpt-5": ({ reasoning_effort }) => reasoning_effort,
  "openai-compatible/local": ({ reasoning_effort }) => reasoning_effort,
  "anthropic/claude-sonnet-4-5": ({ thinking }) => (thinking as { type?: string } | undefined)?.type,
  "google/gemini-2.5-pro": ({ generationConfig }) =>
    typeof (generationConfig as { thinkingConfig?: { thinkingBudget?: number } } | undefined)?.thinkingConfig
      ?.thinkingBudget,
};

for (const [model, expected] of [
  ["openai/gpt-5", "high"],
  ["openai-chat/gpt-5", "high"],
  ["openai-compatible/local", "high"],
  ["anthropic/claude-sonnet-4-5", "enabled"],
  ["google/gemini-2.5-pro", "number"],
] as const) {
  test(`--thinking reaches ${model}`, async (t) => {
    const { code, note, requests } = await stet(
      t,
      model,
      [{ text: "Hello." }],
      ["--thinking", "high", "-p", "hi"],
    );
    assert.equal(code, 0, note);
    assert.equal(thinkingIn[model]?.(requests[0]?.body ?? {}), expected, JSON.stringify(requests[0]?.body));
  });
}

test("a model that is configured not to think is not told to", async (t) => {
  const settings = {
    thinking: "high",
    providers: { "openai-compatible": { models: { local: { thinking: false } } } },
  };
  const files = { "config/stet/config.json": JSON.stringify(settings) };
  const { requests } = await stet(t, "openai-compatible/local", [{ text: "Hello." }], ["-p", "hi"], files);
  assert.equal("reasoning_effort" in (requests[0]?.body ?? {}), false);
});
