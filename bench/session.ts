// Sessions: opening a very long one, listing very many.

import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isFault } from "../packages/protocol/src/fault.ts";
import { buildContext } from "../packages/session/src/session-context.ts";
import { SessionStore } from "../packages/session/src/session-store.ts";
import { type Bench, best, type Measured } from "./bench.ts";

const timestamp = "2026-02-16T10:20:30.000Z";
const idOf = (number: number) => number.toString(16).padStart(8, "0");
const header = (id: string, cwd: string) =>
  JSON.stringify({ type: "session", version: 3, id, timestamp, cwd });

function entry(number: number, text: string): string {
  const usage = {
    input: 1,
    output: 1,
    cacheRead: 0,
    cacheWrite: 0,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  };
  const message =
    number % 2 === 0
      ? { role: "user", content: text, timestamp: 1 }
      : {
          role: "assistant",
          content: [{ type: "text", text }],
          provider: "p",
          model: "m",
          usage,
          stopReason: "stop",
          timestamp: 1,
        };
  return JSON.stringify({
    type: "message",
    id: idOf(number),
    parentId: number === 0 ? null : idOf(number - 1),
    timestamp,
    message,
  });
}

async function inFolder<T>(action: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "stet-bench-"));
  try {
    return await action(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** 100,000 entries of 2 KB; the last hundred are what a compaction left for the model. */
function open(): Promise<Measured> {
  return inFolder(async (folder) => {
    const path = join(folder, "2026-02-16T10-20-30-000Z_large.jsonl");
    const descriptor = openSync(path, "w");
    writeSync(descriptor, `${header("large", folder)}\n`);
    const text = 'A line of a "tool result" with some escapes.\n'.repeat(42);
    const count = 100_000;
    for (let start = 0; start < count; start += 2000) {
      const lines = Array.from({ length: 2000 }, (_, index) => {
        const number = start + index;
        if (number !== count - 100) return entry(number, text);
        const base = { id: idOf(number), parentId: idOf(number - 1), timestamp };
        return JSON.stringify({
          type: "compaction",
          ...base,
          summary: "before",
          firstKeptEntryId: idOf(number - 50),
          tokensBefore: 9,
        });
      });
      writeSync(descriptor, `${lines.join("\n")}\n`);
    }
    closeSync(descriptor);
    const store = new SessionStore({ dataFolder: folder });
    const value = await best(3, () => {
      const session = store.open(path);
      if (isFault(session)) throw new Error(session.message);
      if (buildContext(session).messages.length < 100) throw new Error("the context is too short");
    });
    const { readFileSync } = await import("node:fs");
    const against = await best(1, () => {
      for (const line of readFileSync(path, "utf8").split("\n")) if (line !== "") JSON.parse(line);
    });
    return { value, unit: "ms", against, ratio: value / against };
  });
}

function list(): Promise<Measured> {
  return inFolder(async (folder) => {
    const store = new SessionStore({ dataFolder: folder });
    const project = store.projectFolder(folder);
    mkdirSync(project, { recursive: true });
    for (let number = 0; number < 1000; number += 1) {
      const id = `session${number}`;
      const lines = Array.from({ length: 40 }, (_, index) => entry(index, `words of session ${number}`));
      writeFileSync(
        join(project, `2026-02-16T10-20-30-000Z_${id}.jsonl`),
        `${header(id, folder)}\n${lines.join("\n")}\n`,
      );
    }
    const value = await best(5, () => {
      if (store.list(folder).length !== 1000) throw new Error("1,000 sessions expected");
    });
    return { value, unit: "ms", against: null, ratio: null };
  });
}

export const benches: readonly Bench[] = [
  {
    name: "session/open",
    what: "opening a session of 100,000 entries (200 MB) and building its context",
    versus: "parsing every line of the file",
    goal: "under 1,000 ms",
    isReached: ({ value }) => value < 1000,
    measure: open,
  },
  {
    name: "session/list",
    what: "listing 1,000 sessions",
    versus: "",
    goal: "under 200 ms",
    isReached: ({ value }) => value < 200,
    measure: list,
  },
];
