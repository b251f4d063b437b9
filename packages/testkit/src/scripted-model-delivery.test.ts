// Each fault, in each format: what is on the wire, and that the official client notices.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type ScriptedModel, startScriptedModel } from "./scripted-model.ts";
import { hear, type Judge, judges, question } from "./scripted-model-judges.ts";
import type { ScriptedReply, WireFault } from "./scripted-model-reply.ts";

const text = "Grüße an 世界 🌍! Und noch ein paar Worte mehr, damit es etwas zu zerreißen gibt.";

async function startFaulty(
  t: TestContext,
  fault: WireFault,
  reply: ScriptedReply = { text },
): Promise<ScriptedModel> {
  const model = await startScriptedModel(() => ({ ...reply, fault }));
  t.after(() => model.close());
  return model;
}

/** The raw body, up to where it ended or broke. */
async function rawBody(judge: Judge, model: ScriptedModel) {
  const chunks: Uint8Array[] = [];
  let problem: unknown;
  try {
    for await (const chunk of (await rawResponse(judge, model)).body ?? []) chunks.push(chunk);
  } catch (error) {
    problem = error;
  }
  return { chunks, bytes: Buffer.concat(chunks), problem };
}

function rawResponse(judge: Judge, model: ScriptedModel, signal?: AbortSignal): Promise<Response> {
  const paths = {
    "openai-chat": "/v1/chat/completions",
    "openai-responses": "/v1/responses",
    anthropic: "/v1/messages",
    gemini: "/v1beta/models/scripted:streamGenerateContent?alt=sse",
    ollama: "/api/chat",
  };
  const body = JSON.stringify({ model: "scripted", stream: true });
  return fetch(model.url + paths[judge.format], { method: "POST", body, ...(signal ? { signal } : {}) });
}

for (const judge of judges) {
  test(`${judge.name}: a status comes with its headers, and the client reads the error object`, async (t) => {
    const model = await startFaulty(t, { status: 429, headers: { "retry-after": "2" } });
    const [error] = (await hear(judge.client(model.url))).errors;
    assert.ok(
      error instanceof Error && "statusCode" in error && "responseHeaders" in error && "data" in error,
    );
    assert.equal(error.statusCode, 429);
    assert.equal(Object(error.responseHeaders)["retry-after"], "2");
    assert.match(error.message, /The script answers with 429/);
    assert.notEqual(error.data, undefined);
  });

  test(`${judge.name}: a status may have any body`, async (t) => {
    const model = await startFaulty(t, { status: 502, body: "Bad gateway" });
    const response = await rawResponse(judge, model);
    assert.deepEqual([response.status, await response.text()], [502, "Bad gateway"]);
  });

  test(`${judge.name}: a reset comes after exactly as many bytes`, async (t) => {
    const model = await startFaulty(t, { resetAfterBytes: 700 });
    const { bytes, problem } = await rawBody(judge, model);
    assert.equal(bytes.length, 700);
    assert.ok(problem instanceof Error);
    const heard = await hear(judge.client(model.url));
    assert.equal(heard.errors.length, 1);
    assert.equal(heard.finish, undefined);
  });

  test(`${judge.name}: a reset before the first byte is a failed connection`, async (t) => {
    const model = await startFaulty(t, { resetAfterBytes: 0 });
    assert.match(String((await hear(judge.client(model.url))).errors[0]), /Cannot connect.*ECONNRESET/);
  });

  test(`${judge.name}: a stall stays silent until the client hangs up`, async (t) => {
    const model = await startFaulty(t, { stallAfterBytes: 700 });
    const abort = new AbortController();
    const reader = (await rawResponse(judge, model, abort.signal)).body?.getReader();
    assert.ok(reader);
    let received = 0;
    while (received < 700) received += (await reader.read()).value?.length ?? 0;
    assert.equal(received, 700);
    const next = reader.read().then(
      () => "more",
      () => "aborted",
    );
    const pause = new Promise((resolve) => setTimeout(resolve, 50, "silent"));
    assert.equal(await Promise.race([next, pause]), "silent");
    abort.abort();
    assert.equal(await next, "aborted");
  });

  test(`${judge.name}: closing the model ends a stall, also one before the headers`, async (t) => {
    for (const stallAfterBytes of [0, 100]) {
      const model = await startFaulty(t, { stallAfterBytes });
      const heard = hear(judge.client(model.url));
      while (model.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      await model.close();
      assert.equal((await heard).errors.length, 1);
    }
  });

  test(`${judge.name}: an early end is clean, and has no finish`, async (t) => {
    const model = await startFaulty(t, { endAfterBytes: 700 });
    const { bytes, problem } = await rawBody(judge, model);
    assert.deepEqual([bytes.length, problem], [700, undefined]);
    assert.notEqual((await hear(judge.client(model.url))).finish, "stop");
  });

  test(`${judge.name}: split characters arrive in pieces and are heard whole`, async (t) => {
    const model = await startFaulty(t, { splitUtf8: true });
    const { chunks, bytes } = await rawBody(judge, model);
    const strict = (piece: Uint8Array) => new TextDecoder("utf-8", { fatal: true }).decode(piece);
    assert.ok(chunks.some((chunk) => throws(() => strict(chunk))));
    assert.doesNotThrow(() => strict(bytes));
    const heard = await hear(judge.client(model.url));
    assert.deepEqual([heard.text, heard.finish, heard.errors], [text, "stop", []]);
  });

  test(`${judge.name}: torn JSON is an error after the text before it`, async (t) => {
    const model = await startFaulty(t, { tornJson: true });
    const heard = await hear(judge.client(model.url));
    assert.match(String(heard.errors[0]), /JSON parsing failed/);
    assert.ok(heard.text !== "" && text.startsWith(heard.text) && heard.text !== text);
    assert.notEqual(heard.finish, "stop");
  });

  test(`${judge.name}: torn JSON of an answer that is not streamed`, async (t) => {
    const model = await startFaulty(t, { tornJson: true });
    await assert.rejects(async () => judge.client(model.url).doGenerate(question), /Invalid JSON response/);
  });

  test(`${judge.name}: a flood has as many deltas as asked`, async (t) => {
    const model = await startFaulty(t, { flood: 2_000 }, { text: "flöd " });
    const heard = await hear(judge.client(model.url));
    assert.equal(heard.textDeltas, 2_000);
    assert.equal(heard.text, "flöd ".repeat(2_000));
    assert.equal(heard.finish, "stop");
  });

  test(`${judge.name}: a web page instead of an answer holds no answer`, async (t) => {
    const model = await startFaulty(t, { html: true });
    const response = await rawResponse(judge, model);
    assert.deepEqual(
      [response.status, response.headers.get("content-type")],
      [200, "text/html; charset=utf-8"],
    );
    assert.match(await response.text(), /^<!DOCTYPE html>/);
    const heard = await hear(judge.client(model.url));
    assert.equal(heard.text, "");
    assert.notEqual(heard.finish, "stop");
  });

  test(`${judge.name}: a delay comes before each delta`, async (t) => {
    const model = await startScriptedModel([{ text: "abcd", chunkSize: 1, delayMs: 25 }]);
    t.after(() => model.close());
    const start = performance.now();
    assert.equal((await hear(judge.client(model.url))).text, "abcd");
    assert.ok(performance.now() - start > 95);
  });
}

test("a flood that nobody reads waits instead of filling the memory", async (t) => {
  const model = await startFaulty(t, { flood: 100_000 }, { text: "x".repeat(10_000) });
  const [judge] = judges;
  assert.ok(judge);
  const abort = new AbortController();
  const before = process.memoryUsage().arrayBuffers;
  assert.equal((await rawResponse(judge, model, abort.signal)).status, 200);
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.ok(process.memoryUsage().arrayBuffers - before < 20_000_000);
  abort.abort();
});

test("a fault that would change nothing is a mistake of the script", async (t) => {
  for (const fault of [{ splitUtf8: true }, { tornJson: true }] as const) {
    const model = await startFaulty(t, fault, {});
    for (const judge of judges)
      assert.match(String((await hear(judge.client(model.url))).errors[0]), /needs a reply with/);
  }
});

function throws(action: () => unknown): boolean {
  try {
    action();
    return false;
  } catch {
    return true;
  }
}
