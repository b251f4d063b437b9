import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { type Sink, streamed } from "@stet/protocol/api/operation";
import { ApiFixture, type FixtureOptions } from "@stet/testkit/api-fixture";

interface Reader {
  readonly reply: IncomingMessage;
  readonly sink: Sink;
  /** How often what feeds it was told to stop. */
  readonly stops: () => number;
}

/** A fixture whose workspace stream is fed by hand. */
async function feeding(t: TestContext, options: FixtureOptions = {}) {
  const sinks: Sink[] = [];
  const stops: number[] = [];
  const fixture = await ApiFixture.open(t, {
    ...options,
    operations: {
      streamWorkspaceEvents: async () => async (sink) => {
        const index = sinks.push(sink) - 1;
        stops[index] = 0;
        return () => {
          stops[index] = (stops[index] ?? 0) + 1;
        };
      },
    },
  });
  const read = async (): Promise<Reader> => {
    const reply = await fixture.open("/api/workspace/stream", { headers: fixture.bearer });
    const index = sinks.length - 1;
    const sink = sinks[index];
    assert.ok(sink !== undefined);
    return { reply, sink, stops: () => stops[index] ?? 0 };
  };
  return { fixture, read };
}

const event = (cursor: number, type: string, data: Record<string, unknown>) => ({
  cursor,
  type,
  ts: "2026-01-01T00:00:00.000Z",
  data,
});

/** Everything until a text came, or until the end. */
async function until(reply: IncomingMessage, end?: string): Promise<string> {
  const pieces: string[] = [];
  let tail = "";
  for await (const data of reply.iterator({ destroyOnReturn: false })) {
    pieces.push(String(data));
    if (end === undefined) continue;
    tail = (tail + data).slice(-(data.length + end.length));
    if (tail.includes(end)) break;
  }
  return pieces.join("");
}

async function settled(condition: () => boolean): Promise<void> {
  while (!condition()) await pause(5);
}

test("events arrive in order, many in one piece, with their cursor and their name", async (t) => {
  const { read } = await feeding(t);
  const { reply, sink } = await read();
  assert.match(await until(reply, "\n\n"), /^retry: \d+\n\n$/);
  let pieces = 0;
  reply.on("data", () => {
    pieces += 1;
  });
  const events = Array.from({ length: 50 }, (_, at) => event(at + 1, "tab.opened", { at }));
  for (const one of events) sink.send(streamed([one]));
  const got = await until(reply, "id: 50\n");
  const expected = events.map(
    (one) => `id: ${one.cursor}\nevent: tab.opened\ndata: ${JSON.stringify(one)}\n\n`,
  );
  assert.equal(got, expected.join(""));
  assert.equal(pieces, 1);
});

test("whoever ends the stream, what feeds it is stopped once", async (t) => {
  const { fixture, read } = await feeding(t);
  const [gone, ended] = [await read(), await read()];
  gone.reply.destroy();
  await settled(() => gone.stops() === 1);
  ended.sink.send(streamed([event(7, "tab.closed", {})]));
  ended.sink.end("workspace_closed");
  ended.sink.end("again");
  ended.sink.send(streamed([event(8, "tab.closed", {})]));
  const got = await until(ended.reply);
  assert.match(got, /id: 7\n.*\n.*\n\nevent: stream\.closed\ndata: {"reason":"workspace_closed"}\n\n$/);
  await settled(() => fixture.streams.size === 0);
  gone.sink.end("late");
  assert.deepEqual([gone.stops(), ended.stops()], [1, 1]);
});

test("a reader who goes away while the stream is prepared leaves nothing behind", async (t) => {
  let stops = 0;
  let resume = () => {};
  const waits = new Promise<void>((resolve) => {
    resume = resolve;
  });
  const fixture = await ApiFixture.open(t, {
    operations: {
      streamWorkspaceEvents: async () => async () => {
        await waits;
        return () => {
          stops += 1;
        };
      },
    },
  });
  const reply = await fixture.open("/api/workspace/stream", { headers: fixture.bearer });
  reply.destroy();
  await settled(() => fixture.streams.size === 0);
  assert.equal(stops, 0);
  resume();
  await settled(() => stops === 1);
});

test("a stream that breaks ends with a reason and no detail", async (t) => {
  const fixture = await ApiFixture.open(t, {
    operations: {
      streamWorkspaceEvents: async () => async () => {
        throw new Error("secret detail");
      },
    },
  });
  const { text } = await fixture.call("/api/workspace/stream", { headers: fixture.bearer });
  assert.match(text, /event: stream\.closed\ndata: {"reason":"internal_error"}\n\n$/);
  assert.match(String(fixture.errors), /secret detail/);
});

test("a quiet connection is kept alive with comments", async (t) => {
  const { read } = await feeding(t, { limits: { heartbeat_ms: 10 } });
  const { reply } = await read();
  assert.match(await until(reply, ":\n\n:\n\n"), /^retry: \d+\n\n(:\n\n)+$/);
  reply.destroy();
});

const large = "x".repeat(100_000);

test("a slow reader who stays within the limit gets everything, in order", async (t) => {
  const { read } = await feeding(t, { limits: { max_stream_backlog_bytes: 200_000_000 } });
  const { reply, sink } = await read();
  reply.pause();
  let cursor = 0;
  // More than the connection holds, so that the rest has to wait.
  const facts = 200;
  for (let count = 0; count < facts; count += 1)
    sink.send(streamed([event(++cursor, "fact", { count, large })]));
  const words = Array.from({ length: 1000 }, (_, at) => `word ${at} `);
  for (const text of words) sink.send(streamed([event(++cursor, "message.delta", { text })]));
  sink.send(streamed([event(++cursor, "message.completed", { text: words.join("") })]));
  const got = await until(reply, `id: ${cursor}\n`);
  const events = [...got.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? ""));
  assert.deepEqual(
    events.map((each) => each.cursor),
    Array.from({ length: cursor }, (_, at) => at + 1),
  );
  const deltas = events.filter(({ type }) => type === "message.delta");
  assert.equal(deltas.map(({ data }) => data.text).join(""), words.join(""));
});

test("a reader who lets too much wait is ended, its feed at once, and can go on from the last event it got", async (t) => {
  const { read } = await feeding(t, { limits: { max_stream_backlog_bytes: 5_000_000 } });
  const { reply, sink, stops } = await read();
  reply.pause();
  let sent = 0;
  while (stops() === 0) sink.send(streamed([event(++sent, "fact", { large })]));
  sink.send(streamed([event(sent + 1, "fact", {})]));
  const got = await until(reply);
  const cursors = [...got.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
  assert.deepEqual(
    cursors,
    Array.from({ length: sent }, (_, at) => at + 1),
  );
  assert.match(got, /event: stream\.closed\ndata: {"reason":"too_slow"}\n\n$/);
  assert.equal(stops(), 1);
});

test("a reader who takes nothing at all is cut off after a while", async (t) => {
  const { fixture, read } = await feeding(t, { limits: { max_stream_backlog_bytes: 5_000_000 } });
  const { reply, sink, stops } = await read();
  reply.pause();
  t.mock.timers.enable({ apis: ["setTimeout"] });
  while (stops() === 0) sink.send(streamed([event(1, "fact", { large })]));
  assert.equal(fixture.streams.size, 1);
  t.mock.timers.tick(3000);
  t.mock.timers.reset();
  await settled(() => fixture.streams.size === 0);
  reply.destroy();
});

test("a line end in an event stays inside it", async (t) => {
  const { read } = await feeding(t);
  const { reply, sink } = await read();
  sink.send([{ event: "a\ndata: forged", data: "one\n\ndata: two\r" }]);
  sink.end();
  const got = await until(reply);
  assert.ok(got.endsWith('\n\nevent: a data: forged\ndata: "one\\n\\ndata: two\\r"\n\n'), got);
});

test("more readers than the limit are sent away", async (t) => {
  const { fixture, read } = await feeding(t, { limits: { max_streams_at_once: 2 } });
  const [one] = [await read(), await read()];
  const refused = await fixture.call("/api/workspace/stream", { headers: fixture.bearer });
  assert.equal(refused.status, 503);
  one.reply.destroy();
  await settled(() => fixture.streams.size === 1);
  (await read()).reply.destroy();
});

test("readers in memory get the same, and can be slow and go away, too", async (t) => {
  const { fixture, read } = await feeding(t);
  const { sink: _, reply } = await read();
  reply.destroy();
  const sinks: Sink[] = [];
  let stops = 0;
  const start = async (sink: Sink) => {
    sinks.push(sink);
    return () => {
      stops += 1;
    };
  };
  const gone = new AbortController();
  const responses = [
    fixture.streams.respond(start, undefined, new AbortController().signal),
    fixture.streams.respond(start, undefined, gone.signal),
  ];
  const [first, second] = responses.map((response) => response.body?.getReader());
  assert.equal(responses[0]?.headers.get("content-type"), "text/event-stream");
  const decoder = new TextDecoder();
  assert.match(decoder.decode((await first?.read())?.value), /^retry/);
  sinks[0]?.send(streamed([event(1, "fact", { large })]));
  sinks[0]?.send(streamed([event(2, "message.delta", { text: "a" })]));
  sinks[0]?.send(streamed([event(3, "message.delta", { text: "b" })]));
  let got = "";
  while (!got.includes('"text":"b"')) got += decoder.decode((await first?.read())?.value);
  assert.match(got, /^id: 1\n.*\n.*\n\nid: 2\n.*\n.*"text":"a".*\n\nid: 3\n/);
  sinks[0]?.end("done");
  assert.match(decoder.decode((await first?.read())?.value), /"reason":"done"/);
  assert.equal((await first?.read())?.done, true);
  await second?.read();
  gone.abort();
  await assert.rejects(async () => second?.read());
  assert.equal(stops, 2);
});

test("when the server closes, readers are told why", async (t) => {
  const { fixture, read } = await feeding(t);
  const { reply, stops } = await read();
  const closing = fixture.close();
  assert.match(await until(reply), /event: stream\.closed\ndata: {"reason":"server_stopping"}\n\n$/);
  await closing;
  assert.equal(stops(), 1);
  const [error] = await once((await import("node:net")).connect(fixture.port, "127.0.0.1"), "error");
  assert.equal(error.code, "ECONNREFUSED");
});
