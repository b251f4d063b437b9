// A turn as OpenTelemetry spans, after the conventions for generative AI: one for the turn, one for each request to the
// model, one for each tool call. Sent as OTLP over HTTP with JSON; nothing is done where no endpoint is configured.

import type { AgentEvent } from "./agent-event.ts";

type Value = { stringValue: string } | { intValue: string } | { boolValue: boolean };

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Value }[];
  readonly status: { readonly code: number };
}

const client = 3;
const internal = 1;
const maxSpans = 2000;

export class SpanTrace {
  readonly #traceId = hex(16);
  readonly #turnId = hex(8);
  readonly #started = Date.now();
  readonly #spans: Span[] = [];
  readonly #tools = new Map<string, number>();
  #requested = 0;
  readonly #agent: string;

  constructor(agent: string) {
    this.#agent = agent;
  }

  observe(event: AgentEvent): void {
    if (event.type === "model" && event.event.type === "start") this.#requested = Date.now();
    if (event.type === "model" && (event.event.type === "done" || event.event.type === "error")) {
      const { provider, model, usage } = event.event.message;
      this.#add(`chat ${model}`, client, this.#requested || this.#started, event.event.type === "error", {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": provider,
        "gen_ai.request.model": model,
        "gen_ai.usage.input_tokens": usage.input + usage.cacheRead + usage.cacheWrite,
        "gen_ai.usage.output_tokens": usage.output,
        "gen_ai.response.finish_reasons": event.event.reason,
      });
    }
    if (event.type === "tool_start") this.#tools.set(event.id, Date.now());
    if (event.type === "tool_end") {
      this.#add(
        `execute_tool ${event.name}`,
        internal,
        this.#tools.get(event.id) ?? Date.now(),
        event.isError,
        {
          "gen_ai.operation.name": "execute_tool",
          "gen_ai.tool.name": event.name,
          "gen_ai.tool.call.id": event.id,
        },
      );
    }
    if (event.type === "turn_end") {
      this.#add("invoke_agent", internal, this.#started, event.outcome === "failed", {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": this.#agent,
        "stet.outcome": event.outcome,
        "stet.tool_calls": event.toolCalls,
      });
    }
  }

  #add(
    name: string,
    kind: number,
    from: number,
    failed: boolean,
    values: Record<string, string | number>,
  ): void {
    if (this.#spans.length >= maxSpans) return;
    const isTurn = name === "invoke_agent";
    const attributes = Object.entries(values).map(([key, value]) => {
      return { key, value: typeof value === "number" ? { intValue: String(value) } : { stringValue: value } };
    });
    this.#spans.push({
      traceId: this.#traceId,
      spanId: isTurn ? this.#turnId : hex(8),
      ...(isTurn ? {} : { parentSpanId: this.#turnId }),
      name,
      kind,
      startTimeUnixNano: `${from}000000`,
      endTimeUnixNano: `${Date.now()}000000`,
      attributes,
      status: { code: failed ? 2 : 1 },
    });
  }

  /** Sends what was observed. A collector that cannot be reached must not disturb the turn. */
  async send(endpoint: string, timeoutMs = 2000): Promise<boolean> {
    const resource = { attributes: [{ key: "service.name", value: { stringValue: "stet" } }] };
    const body = {
      resourceSpans: [{ resource, scopeSpans: [{ scope: { name: "stet" }, spans: this.#spans }] }],
    };
    try {
      const response = await fetch(`${endpoint.replace(/\/$/, "")}/v1/traces`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(timeoutMs),
      });
      return response.ok;
    } catch {
      return false;
    }
  }
}

function hex(bytes: number): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString("hex");
}
