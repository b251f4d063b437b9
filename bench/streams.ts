// A thousand readers of one job's events: how long until the last of them has an event, and what that takes.

import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

export interface StreamsMeasured {
  /** Milliseconds from emitting an event to its arrival at the last reader. */
  readonly p50: number;
  readonly p99: number;
  /** The most that the server's process held, in MB. */
  readonly memory: number;
  /** Of one core. */
  readonly cpu: number;
}

export interface StreamsLoad {
  readonly readers: number;
  readonly perSecond: number;
  readonly seconds: number;
}

export async function measureStreams({ readers, perSecond, seconds }: StreamsLoad): Promise<StreamsMeasured> {
  const folder = mkdtempSync(join(tmpdir(), "stet-bench-"));
  const server = fork(join(import.meta.dirname, "stream-server-child.ts"), [folder], {
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  const sockets: Socket[] = [];
  try {
    const [place]: { port: number; token: string }[] = await once(server, "message");
    if (place === undefined) throw new Error("the server did not start");
    const { port, token } = place;
    const arrivals = new Arrivals();
    for (let number = 0; number < readers; number += 1) sockets.push(await reader(port, token, arrivals));
    const count = perSecond * seconds;
    server.send({ count, perSecond });
    const [received]: { memory: number; cpu: number; emitted: number[] }[] = await once(server, "message");
    if (received === undefined) throw new Error("the server did not finish");
    for (let waited = 0; arrivals.complete(readers) < count && waited < 5000; waited += 50) await pause(50);
    if (arrivals.complete(readers) !== count) throw new Error("not every reader got every event");
    const times = received.emitted.map((at, index) => (arrivals.last[index + 1] ?? at) - at);
    times.sort((one, other) => one - other);
    const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
    return { p50: at(0.5), p99: at(0.99), memory: received.memory / 1024 / 1024, cpu: received.cpu };
  } finally {
    for (const socket of sockets) socket.destroy();
    const ended = once(server, "exit");
    server.disconnect();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

/** When events came, by cursor. */
class Arrivals {
  /** When the latest of the readers got it. */
  readonly last: number[] = [];
  readonly #counts: number[] = [];

  add(cursor: number, now: number): void {
    this.last[cursor] = now;
    this.#counts[cursor] = (this.#counts[cursor] ?? 0) + 1;
  }

  /** How many events all readers have. */
  complete(readers: number): number {
    return this.#counts.filter((count) => count === readers).length;
  }
}

/**
 * Reads as little as it can, because the readers share the machine with the server that is measured: events come in order,
 * so the last cursor of a piece tells which came. That none is left out is for the tests to show.
 */
async function reader(port: number, token: string, arrivals: Arrivals): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.setEncoding("latin1");
  await once(socket, "connect");
  socket.write(
    `GET /api/agent/jobs/bench/stream HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  );
  const [head] = await once(socket, "data");
  if (!String(head).startsWith("HTTP/1.1 200")) throw new Error(String(head));
  let [rest, seen] = ["", 0];
  socket.on("data", (data: string) => {
    const all = rest + data;
    const end = all.lastIndexOf("\n\n");
    rest = all.slice(Math.max(0, end));
    if (end < 0) return;
    const newest = Number.parseInt(all.slice(all.lastIndexOf("id: ", end) + 4), 10);
    const now = performance.timeOrigin + performance.now();
    while (seen < newest) arrivals.add(++seen, now);
  });
  return socket;
}
