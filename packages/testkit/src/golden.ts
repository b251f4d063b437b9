// Golden files: what the API replied once, written down, and compared with what it replies now.
//
// What differs from run to run has a stable name in them: ids are numbered as they are met, times, paths and measured
// numbers are words. `additions.json` beside the files lists the fields that were added since, by their path (`*` is any
// key or index); they are left out before anything is compared or recorded. STET_RECORD_GOLDEN=1 records anew.

import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { Text } from "@codemirror/state";
import { diffTexts } from "@stet/text/diff";
import { formatUnified } from "@stet/text/unified";
import type { TestService } from "./test-service.ts";

/** Fields whose values say something about this run only. */
const unstable: Readonly<Record<string, string>> = {
  cursor: "<cursor>",
  next_cursor: "<cursor>",
  duration_ms: "<number>",
  first_token_ms: "<number>",
  uptime_seconds: "<number>",
  event_loop_delay_ms: "<number>",
  memory_mb: "<number>",
  no_sandbox: "<depends on the machine>",
  prices_as_of: "<date of the table>",
  timestamp: "<time>",
  // Estimates that follow the words of prompts and results.
  context_tokens: "<number>",
  tokens: "<number>",
  input: "<number>",
  output: "<number>",
};

/** Fields that hold an id without a prefix. */
const plainIds = new Set(["session_id", "sessionId", "entry_id", "leaf_id", "parent_id", "timer_id"]);

export class Golden {
  readonly #api: TestService;
  readonly #file: string;
  readonly #additions: readonly (readonly string[])[];
  readonly #ids = new Map<string, string>();
  readonly #text: string[] = [];
  /** Routes that were called, as `GET /api/tabs/x`. */
  readonly calls: string[] = [];

  constructor(api: TestService, folder: string, name: string) {
    this.#api = api;
    this.#file = join(folder, `${name}.txt`);
    const additions: Record<string, string> = JSON.parse(
      readFileSync(join(folder, "additions.json"), "utf8"),
    );
    this.#additions = Object.keys(additions).map((path) => path.split("."));
  }

  /** Calls a route, and writes the reply down. */
  // biome-ignore lint/suspicious/noExplicitAny: a reply is whatever the server says; stories look into it
  async call(method: string, path: string, body?: unknown): Promise<any> {
    const replied = await this.#api.call(method, path, body);
    this.calls.push(`${method} ${path.split("?")[0]}`);
    const sent = body === undefined ? "" : ` ${this.#line(body)}`;
    this.#text.push(`> ${method} ${this.#words(path)}${sent}`);
    const { events, ...rest } = replied.body;
    this.#text.push(`< ${replied.status} ${JSON.stringify(this.#stable(rest, []), null, 2)}`);
    if (events === undefined) this.#text.push("");
    else this.events(events);
    return replied.body;
  }

  /** Reads a stream to its end or to the event that is named, and writes it down, one event in a line. */
  async stream(path: string, last?: string): Promise<void> {
    this.calls.push(`GET ${path.split("?")[0]}`);
    this.#text.push(`> GET ${this.#words(path)} (stream)`);
    const heard = await this.#api.listen(path, ({ event }) => event === last);
    this.events(heard.map(({ event, data }) => ({ event, ...data })));
  }

  /** Deltas that follow each other are one: how many there were depends on how fast they were read. */
  events(events: readonly Readonly<Record<string, unknown>>[]): void {
    let open: { type: unknown; parts: string[] } | undefined;
    const flush = () => {
      if (open !== undefined) this.#text.push(`${open.type}… ${JSON.stringify(open.parts.join(""))}`);
      open = undefined;
    };
    for (const event of events) {
      const type = event.event ?? event.type;
      const delta = deltaOf(event);
      if (delta === undefined || open?.type !== type) flush();
      if (delta === undefined) this.#text.push(`${type} ${this.#line({ ...event, event: undefined })}`);
      else if (open === undefined) open = { type, parts: [delta] };
      else open.parts.push(delta);
    }
    flush();
    this.#text.push("");
  }

  /** Compares with the golden file, or records it. */
  check(t: TestContext): void {
    const now = `${this.#text.join("\n").trimEnd()}\n`;
    if (process.env.STET_RECORD_GOLDEN === "1" || !existsSync(this.#file)) {
      writeFileSync(this.#file, now);
      t.diagnostic(`${this.#file} was recorded.`);
      return;
    }
    const golden = readFileSync(this.#file, "utf8");
    if (golden === now) return;
    const before = textOf(golden);
    const after = textOf(now);
    const shown = formatUnified({ path: this.#file, before, after, splices: diffTexts(before, after) });
    assert.fail(
      `The API replies otherwise than ${this.#file} says (- golden, + now):\n${shown}\n` +
        "A field that was meant to be added goes into additions.json; STET_RECORD_GOLDEN=1 records the files anew.",
    );
  }

  #line(value: unknown): string {
    return JSON.stringify(this.#stable(value, []));
  }

  #stable(value: unknown, path: readonly string[]): unknown {
    if (typeof value === "string") return this.#words(value);
    if (Array.isArray(value)) return value.map((item, index) => this.#stable(item, [...path, String(index)]));
    if (typeof value !== "object" || value === null) return value;
    const kept = Object.entries(value).filter(([key]) => !this.#isAddition([...path, key]));
    kept.sort(([one], [other]) => (one < other ? -1 : 1));
    return Object.fromEntries(kept.map(([key, item]) => [key, this.#field(key, item, [...path, key])]));
  }

  #field(key: string, value: unknown, path: readonly string[]): unknown {
    if (key in unstable && value !== null) return unstable[key];
    if (plainIds.has(key) && typeof value === "string") this.#idOf(value, key.replace(/_?id$/i, ""));
    return this.#stable(value, path);
  }

  /** An addition's path is the end of a field's path. */
  #isAddition(path: readonly string[]): boolean {
    return this.#additions.some((addition) => {
      const end = path.slice(-addition.length);
      return end.length === addition.length && addition.every((part, at) => part === "*" || part === end[at]);
    });
  }

  #idOf(id: string, kind: string): string {
    const known = this.#ids.get(id);
    if (known !== undefined) return known;
    const name = `<${kind} ${[...this.#ids.values()].filter((other) => other.startsWith(`<${kind} `)).length + 1}>`;
    this.#ids.set(id, name);
    return name;
  }

  #words(text: string): string {
    let words = text
      .replaceAll(this.#api.place.root, "<root>")
      .replaceAll(this.#api.place.folder, "<folder>")
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "<time>")
      .replace(/(?<=_)[0-9a-z]{17}\b/g, (suffix) => this.#idOf(suffix, "id"));
    for (const [id, name] of this.#ids) words = words.replaceAll(id, name);
    return words;
  }
}

/** The text of a delta: an event of the log, or of a chat. */
function deltaOf({ type, event, data, thought }: Readonly<Record<string, unknown>>): string | undefined {
  if (event === "agent.thought") return String(thought);
  const isDelta = typeof type === "string" && type.endsWith(".delta");
  return isDelta && typeof data === "object" && data !== null && "text" in data
    ? String(data.text)
    : undefined;
}

function textOf(text: string): Text {
  return Text.of(text.split("\n"));
}
