// A request sent again without a field that its server does not know.
//
// - Only where the answer refuses the request (400 or 422) and names a field that the request has and can do without. Each
//   such field is left out once, so a server that answers nonsense is not asked forever.
// - What was learnt is kept for that address and model as long as the process lives, so the next request is right at once.
// - `max_tokens` and `max_completion_tokens` mean the same and take each other's place; the rest is left out.
// - A body is only parsed where there is something to leave out.

import { isRecord, type JsonRecord } from "@stet/protocol/json-record";
import { LightResponse } from "../network/light-response.ts";

/** What an answer does not depend on, or only in how it is made. */
const spareFields = [
  "stream_options",
  "reasoning_effort",
  "reasoning_format",
  "reasoning",
  "reasoning_content",
  "thinking",
  "output_config",
  "max_tokens",
  "max_completion_tokens",
  "parallel_tool_calls",
  "prompt_cache_key",
  "session_id",
  "service_tier",
  "serviceTier",
  "store",
  "include",
  "temperature",
] as const;

type SpareField = (typeof spareFields)[number];

const otherNames: Readonly<Partial<Record<SpareField, SpareField>>> = {
  max_tokens: "max_completion_tokens",
  max_completion_tokens: "max_tokens",
};

const refusal =
  /unsupported|not (?:be )?(?:supported|permitted|allowed|recogni[sz]ed|accepted|valid|known)|unknown|unrecogni[sz]ed|unexpected|extra (?:inputs|fields)|extra_forbidden|does(?: not|n't) support|additional propert|invalid (?:parameter|argument|field|input)|no longer|deprecated|cannot be (?:used|set|specified)/i;

const mostServers = 200;

/** What each server refused, the longest unused first. */
const learnt = new Map<string, ReadonlySet<SpareField>>();

export function fieldDroppingFetch(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const body = init?.body;
    if (typeof body !== "string") return send(input, init);
    const name = learnt.size === 0 ? undefined : serverName(input, body);
    let dropped = (name === undefined ? undefined : learnt.get(name)) ?? new Set<SpareField>();
    for (;;) {
      const current = without(body, dropped);
      const response = await send(input, { ...init, body: current });
      if (response.status !== 400 && response.status !== 422) return response;
      const text = await response.text();
      const refused = refusedField(text, current, dropped);
      if (refused === undefined) return again(response, text);
      dropped = new Set([...dropped, refused]);
      remember(serverName(input, body), dropped);
    }
  };
}

function serverName(input: Parameters<typeof fetch>[0], body: string): string {
  const { model } = parsed(body);
  return `${String(input)} ${typeof model === "string" ? model : ""}`;
}

function remember(server: string, fields: ReadonlySet<SpareField>): void {
  learnt.delete(server);
  learnt.set(server, fields);
  const [oldest] = learnt.keys();
  if (learnt.size > mostServers && oldest !== undefined) learnt.delete(oldest);
}

/** The first field of the request that the answer says it does not take. */
function refusedField(text: string, body: string, dropped: ReadonlySet<SpareField>): SpareField | undefined {
  if (!refusal.test(text)) return undefined;
  const fields = parsed(body);
  const named = spareFields.filter((field) => field in fields && !dropped.has(field) && names(text, field));
  // The one that stands first is refused; another one may be what to use instead.
  return named.sort((one, other) => text.indexOf(one) - text.indexOf(other))[0];
}

/** A word of the language has to be marked as a field's name; a word with a line in it is one. */
function names(text: string, field: string): boolean {
  const start = String.raw`(?:^|["'\x60\s.\\])`;
  const mark = field.includes("_") ? String.raw`\b` : String.raw`(?:["'\x60\\]|:\s|\.[a-z_]+)`;
  const before = field.includes("_") ? String.raw`\b` : start;
  return new RegExp(`${before}${field}${mark}`).test(text);
}

function without(body: string, dropped: ReadonlySet<SpareField>): string {
  if (dropped.size === 0) return body;
  const fields: Record<string, unknown> = { ...parsed(body) };
  for (const field of dropped) {
    const other = otherNames[field];
    if (field in fields && other !== undefined && !dropped.has(other)) fields[other] ??= fields[field];
    delete fields[field];
  }
  return JSON.stringify(fields);
}

function parsed(body: string): JsonRecord {
  try {
    const value: unknown = JSON.parse(body);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

/** The answer once more, after it was read. */
function again({ status, statusText, headers }: Response, text: string): Response {
  const bytes = new TextEncoder().encode(text);
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
  return new LightResponse(body, { status, statusText, headers });
}
