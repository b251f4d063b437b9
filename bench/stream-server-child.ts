// A server with one job's log, for bench/streams.ts: says where it listens, then emits events when it is told to.

import { setTimeout as pause } from "node:timers/promises";
import { EventLog } from "@stet/host/events/event-log";
import { defaultLimits } from "@stet/host/limits";
import { SqliteStore } from "@stet/host/store/sqlite-store";
import { type Operations, streamed } from "@stet/protocol/api/operation";
import { newEvent } from "../packages/protocol/src/events/new-event.ts";
import { isFault } from "../packages/protocol/src/fault.ts";
import { Access } from "../packages/server/src/http/access.ts";
import { createApp } from "../packages/server/src/http/app.ts";
import { listen } from "../packages/server/src/http/listen.ts";
import { Site } from "../packages/server/src/http/site.ts";
import { EventStreams } from "../packages/server/src/http/streams.ts";

const [folder = ""] = process.argv.slice(2);
const store = SqliteStore.open(folder);
if (isFault(store)) throw new Error(store.message);
const log = await EventLog.open("bench", store, { maxEvents: 3000 });
const access = new Access();
const streams = new EventStreams(defaultLimits);
const site = new Site();
const follow: Operations["streamJobEvents"] = async (_, { lastEventId }) => {
  return (sink) => log.follow(lastEventId ?? 0, (events) => sink.send(streamed(events)));
};
// Only the stream is asked for.
const operations = new Proxy({}, { get: () => follow }) as Operations;
const app = createApp({ operations, access, limits: defaultLimits, site, streams });
const listening = await listen(app, { port: 0, host: "127.0.0.1", limits: defaultLimits, site, streams });
if (isFault(listening)) throw new Error(listening.message);

process.on("message", async ({ count, perSecond }: { count: number; perSecond: number }) => {
  const cpu = process.cpuUsage();
  const started = performance.now();
  const emitted: number[] = [];
  const data = { text: "about ten words of a model that writes " };
  let memory = 0;
  for (let number = 0; number < count; number += 1) {
    const due = started + (number * 1000) / perSecond;
    if (due > performance.now()) await pause(due - performance.now());
    emitted.push(performance.timeOrigin + performance.now());
    // As a model does: words, and now and then a fact, which is kept first.
    if (number % 20 === 19)
      await log.append("clarification.received", { question_id: "q", answer: data.text });
    else await log.delta(newEvent("message.delta", data));
    if (number % 50 === 0) memory = Math.max(memory, process.memoryUsage.rss());
  }
  const { user, system } = process.cpuUsage(cpu);
  const seconds = (performance.now() - started) / 1000;
  process.send?.({ memory, cpu: (user + system) / 1e6 / seconds, emitted });
});
process.on("disconnect", () => process.exit());
process.send?.({ port: listening.port, token: access.token });
