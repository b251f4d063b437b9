import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { test } from "node:test";
import { runs } from "@stet/testkit/depth";
import fc from "fast-check";
import type { Family } from "./family.ts";
import { mergeEvents, packetMergingFetch } from "./packet-merge.ts";

type Write = (text: string, number: number) => string;

const formats: Partial<Record<Family, Write>> = {
  "openai-chat": (content, number) =>
    `data: ${JSON.stringify({ id: "1", choices: [{ index: 0, delta: { content }, finish_reason: null }], obfuscation: "x".repeat(number % 5) })}\n\n`,
  "openai-responses": (delta, number) =>
    `event: response.output_text.delta\ndata: ${JSON.stringify({ type: "response.output_text.delta", sequence_number: number, item_id: "m", delta })}\n\n`,
  anthropic: (text) =>
    `event: content_block_delta\ndata: ${JSON.stringify({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } })}\n\n`,
  google: (text) => `data: ${JSON.stringify({ candidates: [{ content: { parts: [{ text }] } }] })}\n\n`,
};

function payloads(stream: string): unknown[] {
  return stream
    .split("\n\n")
    .filter((event) => event !== "")
    .map((event) => JSON.parse(event.slice(event.indexOf("data: ") + 6)));
}

/** All strings under the name that carries a delta's text, joined. */
function spoken(values: readonly unknown[]): string {
  let text = "";
  JSON.stringify(values, (name, value) => {
    const isDelta = ["content", "delta", "text"].includes(name) && typeof value === "string";
    if (isDelta) text += value;
    return value;
  });
  return text;
}

for (const [family, write] of Object.entries(formats) as [Family, Write][]) {
  test(`${family}: joined deltas say exactly what they said apart`, () => {
    const texts = fc.array(
      fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom('"', "\\", '\\"', "\n\n", "data: ", "😀")),
    );
    fc.assert(
      fc.property(texts, (pieces) => {
        const stream = pieces.map(write).join("");
        const merged = mergeEvents(stream, family);
        assert.equal(spoken(payloads(merged)), pieces.join(""));
        assert.ok(payloads(merged).length <= 1, "same surroundings become one");
      }),
      { numRuns: runs(300) },
    );
  });
}

test("events that differ in anything else stay apart and in order", () => {
  const write = formats.anthropic;
  assert.ok(write !== undefined);
  const other = write("b", 0).replace('"index":0', '"index":1');
  const stop = 'event: content_block_stop\ndata: {"type":"content_block_stop","index":0}\n\n';
  const stream = write("a", 0) + other + write("c", 0) + stop + write("d", 0) + write("e", 0);
  const expected = write("a", 0) + other + write("c", 0) + stop + write("de", 0);
  assert.equal(mergeEvents(stream, "anthropic"), expected);
  const windows = stream.replaceAll("\n", "\r\n");
  assert.equal(mergeEvents(windows, "anthropic"), windows);
});

test("a stream cut anywhere, also inside a character, arrives whole", async (t) => {
  const write = formats["openai-chat"];
  assert.ok(write !== undefined);
  const words = Array.from({ length: 50 }, (_, number) => `Grüße ${number} 🌍 `);
  const bytes = Buffer.from(`${words.map(write).join("")}data: [DONE]`);
  const server = createServer(async (_request, response) => {
    response.setHeader("content-type", "text/event-stream; charset=utf-8");
    for (let start = 0; start < bytes.length; start += 61) {
      response.write(bytes.subarray(start, start + 61));
      if (start % 5 === 0) await new Promise(setImmediate);
    }
    response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  const response = await packetMergingFetch("openai-chat")(`http://127.0.0.1:${address.port}`);
  const text = await response.text();
  assert.ok(text.endsWith("data: [DONE]"));
  assert.equal(spoken(payloads(text.slice(0, -"data: [DONE]".length))), words.join(""));
});
