// A session rebuilt from the lines that can be read. The damaged file is moved aside under another name.

import { lstatSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { JsonRecord } from "@stet/protocol/json-record";
import { attempt } from "@stet/protocol/system-fault";
import { replaceFile, writeAll } from "@stet/storage/durable-file";
import { removeMark } from "@stet/storage/mark";
import { setAside } from "@stet/storage/set-aside";
import { type SessionHeader, sessionVersion } from "./entry.ts";
import { asEntry, asHeader, parseLine } from "./entry-line.ts";
import { SessionFile } from "./session-file.ts";
import { createdFromFileName, idFromFileName } from "./session-paths.ts";

export interface SessionRepair {
  readonly path: string;
  /** Where the damaged file is now; undefined where there was none. */
  readonly aside: string | undefined;
  /** Undefined where no line could be read: there is no session any more. */
  readonly entries: number | undefined;
}

/** `cwd` is the folder that it belongs to, where its header does not tell any more. */
export function repairSession(path: string, cwd: string): SessionRepair | Fault {
  return attempt("repaired", path, () => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) {
      removeMark(path);
      return { path, aside: undefined, entries: undefined };
    }
    const lines = stats.isFile() ? readableLines(path) : [];
    const aside = setAside(path);
    removeMark(path);
    const header = lines.map(asHeader).find((found) => found !== undefined) ?? headerFor(path, cwd);
    const seen = new Set<string>();
    const entries = lines.flatMap((record) => {
      const entry = asEntry(record);
      if (entry === undefined || record.type === "session" || seen.has(entry.id)) return [];
      seen.add(entry.id);
      return [record];
    });
    if (entries.length === 0) return { path, aside, entries: undefined };
    const text = [header, ...entries].map((record) => `${JSON.stringify(record)}\n`).join("");
    replaceFile(path, `${path}.tmp`, (descriptor) => writeAll(descriptor, Buffer.from(text)));
    const rebuilt = SessionFile.open(path);
    if (!isFault(rebuilt)) rebuilt.remember();
    return { path, aside, entries: entries.length };
  });
}

function readableLines(path: string): JsonRecord[] {
  const lines = readFileSync(path).toString("utf8").split("\n");
  const records = lines.map((line) => (line.includes("\ufffd") ? undefined : parseLine(line)));
  return records.filter((record) => record !== undefined);
}

function headerFor(path: string, cwd: string): SessionHeader {
  const timestamp = new Date(createdFromFileName(path)).toISOString();
  const id = idFromFileName(path) ?? basename(path, ".jsonl");
  return { type: "session", version: sessionVersion, id, timestamp, cwd };
}
