// A fuzzer of the API: requests made from the description that the server gives of itself, sent to `stet serve` over HTTP.
//
// A request fails the server where no reply comes in time, the connection breaks, or the reply is a 5xx that does not tell
// of a state of the machine: busy, full, no model. The server must be alive at the end, and its memory level off.
// The same seed makes the same requests; which ids they name depends on what the server has replied before.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Random } from "../random.ts";
import { type Served, serve } from "../served.ts";
import { hostileBodies, randomValue, type Schema, type ValueSource } from "./random-value.ts";

export interface ApiFuzzOptions {
  readonly seed: number;
  readonly requests: number;
  readonly onProgress?: (done: number, failures: number) => void;
}

export interface ApiFuzzReport {
  readonly sent: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** Each with the request that repeats it. */
  readonly failures: readonly string[];
  /** Memory of the server, at equal distances. */
  readonly megabytes: readonly number[];
  readonly milliseconds: number;
}

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly schema: Schema;
  }[];
  readonly body: Schema | undefined;
  readonly isStream: boolean;
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface DescribedOperation {
  readonly parameters?: Operation["parameters"];
  readonly requestBody?: { readonly content: { readonly "application/json": { readonly schema: Schema } } };
  readonly responses: { readonly "200": { readonly content: Readonly<Record<string, unknown>> } };
}

/** States of the machine or of the model, not of the request. */
const allowedFailures: ReadonlySet<string> = new Set([
  "workspace_busy",
  "server_busy",
  "embeddings_unavailable",
  "model_failed",
  "subagent_failed",
  "disk_full",
  "search_timeout",
]);
const atOnce = 8;
const patience = 60_000;
const remembered = /^(?:.*_id|id|path|file_path|document|revision|version|cursor|entry|hunk)$/;

export async function fuzzApi(options: ApiFuzzOptions): Promise<ApiFuzzReport> {
  const folder = mkdtempSync(join(tmpdir(), "stet-fuzz-"));
  const root = join(folder, "root");
  mkdirSync(join(root, "docs"), { recursive: true });
  for (const name of ["notes.md", "docs/a.md", "docs/b.txt"])
    writeFileSync(join(root, name), "# A lighthouse\n\nline 1\nline 2\n".repeat(20));
  const served = await serve({
    root,
    dataFolder: join(folder, "data"),
    modelUrl: "http://127.0.0.1:9",
    environment: { STET_MODEL: "practice", STET_LOG: "stderr", STET_LOG_LEVEL: "error" },
  });
  try {
    return await new ApiFuzz(served, options).run();
  } finally {
    await served.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

class ApiFuzz {
  readonly #served: Served;
  readonly #options: ApiFuzzOptions;
  readonly #random: Random;
  readonly #seen = new Map<string, unknown[]>();
  readonly #statuses: Record<string, number> = {};
  readonly #failures: string[] = [];
  readonly #megabytes: number[] = [];
  #source: ValueSource;
  #sent = 0;

  constructor(served: Served, options: ApiFuzzOptions) {
    this.#served = served;
    this.#options = options;
    this.#random = new Random(options.seed);
    this.#source = { random: this.#random, schemas: {}, seen: this.#seen };
  }

  async run(): Promise<ApiFuzzReport> {
    const started = performance.now();
    const described = (await (await this.#fetch("GET", "/api/openapi.json")).json()) as OpenApi;
    this.#source = { ...this.#source, schemas: described.components.schemas };
    const operations = operationsOf(described);
    await Promise.all(Array.from({ length: atOnce }, () => this.#sendSome(operations)));
    await this.#measure();
    const milliseconds = performance.now() - started;
    const sent = this.#sent;
    const statuses = this.#statuses;
    const failures = this.#failures;
    const megabytes = this.#megabytes;
    return { sent, statuses, failures, megabytes, milliseconds };
  }

  async #sendSome(operations: readonly Operation[]): Promise<void> {
    const { requests, onProgress } = this.#options;
    while (this.#sent < requests && this.#failures.length < 50) {
      this.#sent += 1;
      const sent = this.#sent;
      await this.#send(this.#random.pick(operations));
      if (sent % Math.ceil(requests / 5) === 0) await this.#measure();
      if (sent % 100 === 0) onProgress?.(sent, this.#failures.length);
    }
  }

  async #measure(): Promise<void> {
    try {
      const health = await (await this.#fetch("GET", "/api/health")).json();
      this.#megabytes.push(Number(Object(health).memory_mb));
    } catch (error) {
      this.#failures.push(`the server no longer answers: ${String(error)}`);
    }
  }

  async #send(operation: Operation): Promise<void> {
    const path = this.#pathFor(operation);
    const body = this.#bodyFor(operation);
    const told = `${operation.method} ${path.slice(0, 400)} ${(body ?? "").slice(0, 400)}`;
    try {
      const response = await this.#fetch(operation.method, path, body, operation.isStream);
      this.#statuses[response.status] = (this.#statuses[response.status] ?? 0) + 1;
      if (operation.isStream && response.ok) return void (await response.body?.cancel());
      const text = await response.text();
      const reply: unknown = text === "" ? {} : JSON.parse(text);
      if (response.status >= 500 && !allowedFailures.has(String(Object(reply).error)))
        this.#failures.push(`${response.status} ${text.slice(0, 200)}\n  ${told}`);
      this.#learn(reply, 0);
    } catch (error) {
      this.#failures.push(`${String(error)}\n  ${told}`);
    }
  }

  #fetch(method: string, path: string, body?: string, isStream = false): Promise<Response> {
    return fetch(this.#served.url + path, {
      method,
      headers: { Authorization: `Bearer ${this.#served.token}`, "Content-Type": "application/json" },
      signal: AbortSignal.timeout(patience),
      ...(isStream ? { keepalive: false } : {}),
      ...(body === undefined ? {} : { body }),
    });
  }

  #pathFor({ path, parameters }: Operation): string {
    const query: string[] = [];
    let filled = path;
    for (const { name, in: place, required, schema } of parameters) {
      if (place === "header" || !(required || this.#random.chance(0.6))) continue;
      const value = inAddress(randomValue(schema, this.#source, name));
      if (place === "path") filled = filled.replace(`{${name}}`, value === "" ? "%20" : value);
      else query.push(`${encodeURIComponent(name)}=${value}`);
    }
    if (this.#random.chance(0.03)) query.push("unknown=%ED%A0%80", "a[]=1");
    const whole = query.length === 0 ? filled : `${filled}?${query.join("&")}`;
    return whole.slice(0, 30_000);
  }

  #bodyFor({ body }: Operation): string | undefined {
    if (body === undefined) return undefined;
    if (this.#random.chance(0.05)) return this.#random.pick(hostileBodies);
    return JSON.stringify(randomValue(body, this.#source)) ?? "";
  }

  /** Keeps what later requests can name. */
  #learn(value: unknown, depth: number): void {
    if (typeof value !== "object" || value === null || depth > 6) return;
    if (Array.isArray(value)) {
      for (const item of value.slice(0, 20)) this.#learn(item, depth + 1);
      return;
    }
    for (const [key, field] of Object.entries(value)) {
      if (!remembered.test(key) || (typeof field !== "string" && typeof field !== "number"))
        this.#learn(field, depth + 1);
      else this.#remember(key, field);
    }
  }

  #remember(name: string, value: string | number): void {
    const known = this.#seen.get(name) ?? [];
    if (known.includes(value)) return;
    if (known.length < 30) known.push(value);
    else known[this.#random.below(known.length)] = value;
    this.#seen.set(name, known);
  }
}

function operationsOf({ paths }: OpenApi): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      // A login spends links and counts wrong attempts: it has tests of its own.
      .filter(() => path !== "/api/login" && path !== "/api/logout")
      .map(([method, { parameters = [], requestBody, responses }]) => ({
        method: method.toUpperCase(),
        path,
        parameters,
        body: requestBody?.content["application/json"].schema,
        isStream: "text/event-stream" in responses["200"].content,
      })),
  );
}

/** Half of a surrogate pair has no form in an address but the bytes that are not UTF-8. */
function inAddress(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.isWellFormed() ? encodeURIComponent(text) : "%ED%A0%80x";
}
