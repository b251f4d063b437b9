// The parts that an AI SDK provider streams, as ModelEvents. Pure: one part in, events out; the adapter does the waiting.
//
// A block opens with its first content and not with its announcement, so that a message never has empty blocks; an empty
// thinking block exists only where it carries a signature. A tool call ends with the provider's own final text of its
// arguments, not with what the deltas added up to.

import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCall,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from "@ai-sdk/provider";
import { type AssistantContent, noUsage, type Usage } from "@stet/protocol/message";
import type { ModelEvent, ModelFailure, ToolDescription } from "@stet/protocol/model-stream";
import {
  classifyFailure,
  emptyFailure,
  endedEarly,
  endlessFailure,
  type FailureContext,
  filteredFailure,
  interruptedFailure,
} from "../failure/failure.ts";
import { usageWithCost } from "../table/cost.ts";
import type { Price } from "../table/prices.ts";
import { endedMessage, failureEvent } from "./ended-message.ts";
import { type HarmonyGuard, withoutHarmonyLeak } from "./harmony.ts";
import { type InvalidCallFailure, invalidCallFailure } from "./invalid-call.ts";
import { parseArguments } from "./tool-arguments.ts";

export interface StreamSetup {
  readonly context: FailureContext;
  readonly tools: readonly ToolDescription[];
  readonly price?: Price;
  readonly harmony?: HarmonyGuard;
  /** Characters after which an answer is taken for one without an end. */
  readonly maxCharacters?: number;
}

/** Many times what any model writes at once. */
const defaultMaxCharacters = 4_000_000;

interface OpenBlock {
  readonly kind: "text" | "thinking" | "toolcall";
  /** -1 until its first content. */
  index: number;
  readonly pieces: string[];
  readonly name: string;
  metadata: SharedV4ProviderMetadata | undefined;
}

type BrokenCall = Parameters<typeof invalidCallFailure>[0] & { readonly problem: string };

export class PartConverter {
  readonly #setup: StreamSetup;
  readonly #open = new Map<string, OpenBlock>();
  /** Holes are blocks that are still open, or calls that came to nothing. */
  readonly #content: (AssistantContent | undefined)[] = [];
  #blockCount = 0;
  #characters = 0;
  #usage: Usage = noUsage;
  #broken: BrokenCall | undefined;
  /** The last event was given; whatever follows is ignored. */
  ended = false;

  constructor(setup: StreamSetup) {
    this.#setup = setup;
  }

  convert(part: LanguageModelV4StreamPart, out: ModelEvent[]): void {
    switch (part.type) {
      case "text-start":
        this.#announce("text", part.id, "", part.providerMetadata);
        return;
      case "text-delta":
        this.#delta("text", part.id, part.delta, part.providerMetadata, out);
        return;
      case "text-end":
        this.#end("text", part.id, part.providerMetadata, out);
        return;
      case "reasoning-start":
        this.#announce("thinking", part.id, "", part.providerMetadata);
        return;
      case "reasoning-delta":
        this.#delta("thinking", part.id, part.delta, part.providerMetadata, out);
        return;
      case "reasoning-end":
        this.#end("thinking", part.id, part.providerMetadata, out);
        return;
      case "tool-input-start":
        if (part.providerExecuted !== true) {
          this.#announce("toolcall", part.id, part.toolName, part.providerMetadata);
          this.#openNow("toolcall", part.id, out);
        }
        return;
      case "tool-input-delta":
        if (this.#open.has(key("toolcall", part.id))) {
          this.#delta("toolcall", part.id, part.delta, part.providerMetadata, out);
        }
        return;
      case "tool-call":
        if (part.providerExecuted !== true) this.#finishCall(part, out);
        return;
      case "finish":
        this.#keepDetails(part.providerMetadata, out);
        this.#finish(part.finishReason, part.usage, out);
        return;
      case "error":
        this.fail(this.#failureOfPart(part.error), out);
        return;
      default:
        return;
    }
  }

  /** The stream is over and no `finish` came. */
  close(out: ModelEvent[]): void {
    if (this.ended) return;
    const failure = this.#blockCount === 0 ? emptyFailure : interruptedFailure;
    this.fail(failure(this.#setup.context), out);
  }

  fail(failure: ModelFailure, out: ModelEvent[]): void {
    if (this.ended) return;
    this.#keepOpenText();
    this.ended = true;
    out.push(failureEvent(this.#message(), failure));
  }

  #failureOfPart(error: unknown): ModelFailure {
    const { context } = this.#setup;
    return this.#blockCount === 0 && endedEarly(error)
      ? emptyFailure(context)
      : classifyFailure(error, context);
  }

  #message() {
    const { provider, model } = this.#setup.context;
    const content = this.#content.filter((block) => block !== undefined);
    return { provider, model, content, usage: this.#usage };
  }

  #announce(
    kind: OpenBlock["kind"],
    id: string,
    name: string,
    metadata: SharedV4ProviderMetadata | undefined,
  ): void {
    this.#open.set(key(kind, id), { kind, index: -1, pieces: [], name, metadata });
  }

  #openNow(kind: OpenBlock["kind"], id: string, out: ModelEvent[]): OpenBlock {
    const name = key(kind, id);
    let block = this.#open.get(name);
    if (block === undefined) {
      block = { kind, index: -1, pieces: [], name: "", metadata: undefined };
      this.#open.set(name, block);
    }
    if (block.index >= 0) return block;
    block.index = this.#blockCount++;
    this.#content[block.index] = undefined;
    const { index } = block;
    if (kind === "toolcall") out.push({ type: "toolcall_start", index, id, name: block.name });
    else out.push(kind === "text" ? { type: "text_start", index } : { type: "thinking_start", index });
    return block;
  }

  #delta(
    kind: OpenBlock["kind"],
    id: string,
    delta: string,
    metadata: SharedV4ProviderMetadata | undefined,
    out: ModelEvent[],
  ): void {
    if (delta === "") {
      // Anthropic sends a signature as an empty delta.
      const block = this.#open.get(key(kind, id));
      if (block !== undefined) block.metadata = merged(block.metadata, metadata);
      return;
    }
    const block = this.#openNow(kind, id, out);
    if (metadata !== undefined) block.metadata = merged(block.metadata, metadata);
    block.pieces.push(delta);
    out.push({ type: `${kind}_delta`, index: block.index, delta });
    this.#characters += delta.length;
    const { context, maxCharacters = defaultMaxCharacters } = this.#setup;
    if (this.#characters > maxCharacters) this.fail(endlessFailure(context, this.#characters), out);
  }

  #end(
    kind: "text" | "thinking",
    id: string,
    metadata: SharedV4ProviderMetadata | undefined,
    out: ModelEvent[],
  ): void {
    const known = this.#open.get(key(kind, id));
    if (known === undefined) return;
    known.metadata = merged(known.metadata, metadata);
    const isSigned = kind === "thinking" && known.metadata !== undefined;
    if (known.index >= 0 || isSigned) {
      const { index, pieces } = this.#openNow(kind, id, out);
      const said = pieces.join("");
      const text = this.#setup.harmony === undefined ? said : withoutHarmonyLeak(said);
      if (kind === "text") out.push({ type: "text_end", index, text });
      else out.push({ type: "thinking_end", index, thinking: text });
      this.#content[index] =
        kind === "text"
          ? { type: "text", text }
          : { type: "thinking", thinking: text, ...signature(known.metadata) };
    }
    this.#open.delete(key(kind, id));
  }

  #finishCall(part: LanguageModelV4ToolCall, out: ModelEvent[]): void {
    const blockKey = key("toolcall", part.toolCallId);
    if (!this.#open.has(blockKey)) {
      this.#announce("toolcall", part.toolCallId, part.toolName, undefined);
      this.#openNow("toolcall", part.toolCallId, out);
    }
    const block = this.#openNow("toolcall", part.toolCallId, out);
    const { index } = block;
    // Google gives a call at once and whole: one delta stands for what others stream.
    if (block.pieces.length === 0 && part.input !== "") {
      out.push({ type: "toolcall_delta", index, delta: part.input });
    }
    this.#open.delete(blockKey);
    const call = { id: part.toolCallId, name: part.toolName, argumentsText: part.input };
    const parsed = parseArguments(part.input, mayBeEmpty(this.#setup.tools, part.toolName));
    if (!parsed.valid) {
      this.#broken ??= { ...call, problem: parsed.problem };
      return;
    }
    const inspected = this.#setup.harmony?.inspect(part.toolName, parsed.arguments);
    if (inspected?.kind === "refused") {
      this.#broken ??= { ...call, problem: inspected.problem };
      return;
    }
    const toolCall = {
      type: "toolCall" as const,
      id: part.toolCallId,
      name: part.toolName,
      arguments: inspected?.kind === "cut" ? inspected.arguments : parsed.arguments,
      ...signature(merged(block.metadata, part.providerMetadata)),
    };
    this.#content[index] = toolCall;
    out.push({ type: "toolcall_end", index, toolCall });
  }

  /** What OpenRouter says of the thinking in a whole answer goes back with the first thinking of it. */
  #keepDetails(metadata: SharedV4ProviderMetadata | undefined, out: ModelEvent[]): void {
    const reasoningDetails = metadata?.openrouter?.reasoningDetails;
    if (reasoningDetails === undefined || this.ended) return;
    const kept = signature({ openrouter: { reasoningDetails } });
    const known = this.#content.findIndex((block) => block?.type === "thinking");
    const block = this.#content[known];
    if (block !== undefined) {
      this.#content[known] = { ...block, ...kept };
      return;
    }
    const index = this.#blockCount++;
    out.push({ type: "thinking_start", index }, { type: "thinking_end", index, thinking: "" });
    this.#content[index] = { type: "thinking", thinking: "", ...kept };
  }

  #finish(finish: LanguageModelV4FinishReason, usage: LanguageModelV4Usage, out: ModelEvent[]): void {
    if (this.ended) return;
    this.#usage = usageWithCost(fourBuckets(usage), this.#setup.price);
    for (const block of [...this.#open]) this.#endOpen(block, out);
    const failure = this.#failureOf(finish);
    if (failure !== undefined) {
      this.fail(failure, out);
      return;
    }
    const hasCalls = this.#content.some((block) => block?.type === "toolCall");
    const reason = finish.unified === "length" ? "length" : hasCalls ? "toolUse" : "stop";
    this.ended = true;
    out.push({ type: "done", reason, message: endedMessage(this.#message(), reason) });
  }

  #failureOf(finish: LanguageModelV4FinishReason): ModelFailure | InvalidCallFailure | undefined {
    const { context } = this.#setup;
    // Some packages have no word for an answer that ended without a reason.
    if (finish.unified === "interrupted" || (finish.unified === "other" && finish.raw === undefined)) {
      return this.#blockCount === 0 ? emptyFailure(context) : interruptedFailure(context);
    }
    if (this.#broken !== undefined) {
      return invalidCallFailure(this.#broken, this.#broken.problem, finish.unified === "length");
    }
    if (finish.unified === "content-filter") return filteredFailure(context, finish.raw);
    if (finish.unified === "error") {
      return classifyFailure({ message: finish.raw ?? "the model reported an error" }, context);
    }
    return undefined;
  }

  #endOpen([name, block]: [string, OpenBlock], out: ModelEvent[]): void {
    const id = name.slice(name.indexOf(":") + 1);
    if (block.kind !== "toolcall") {
      this.#end(block.kind, id, undefined, out);
      return;
    }
    const argumentsText = block.pieces.join("");
    this.#broken ??= { id, name: block.name, argumentsText, problem: "the call was never finished" };
    this.#open.delete(name);
  }

  /** Deltas that were emitted remain in the message, also when the stream broke in its middle. */
  #keepOpenText(): void {
    for (const { kind, index, pieces } of this.#open.values()) {
      if (index < 0 || kind === "toolcall") continue;
      const text = pieces.join("");
      this.#content[index] = kind === "text" ? { type: "text", text } : { type: "thinking", thinking: text };
    }
  }
}

function key(kind: OpenBlock["kind"], id: string): string {
  return `${kind}:${id}`;
}

function merged(
  one: SharedV4ProviderMetadata | undefined,
  other: SharedV4ProviderMetadata | undefined,
): SharedV4ProviderMetadata | undefined {
  if (one === undefined || other === undefined) return other ?? one;
  const result: SharedV4ProviderMetadata = { ...one };
  for (const [provider, values] of Object.entries(other)) {
    result[provider] = { ...result[provider], ...values };
  }
  return result;
}

function signature(metadata: SharedV4ProviderMetadata | undefined): { signature?: string } {
  if (metadata === undefined) return {};
  // Two packages say the same under an old name, too.
  const { bedrock, vertex, ...rest } = metadata;
  return { signature: JSON.stringify(Object.keys(rest).length === 0 ? metadata : rest) };
}

function mayBeEmpty(tools: readonly ToolDescription[], name: string): boolean {
  const required = tools.find((tool) => tool.name === name)?.parameters.required;
  return !Array.isArray(required) || required.length === 0;
}

/** Providers count the cache inside the input or beside it; here the four never overlap. */
function fourBuckets(usage: LanguageModelV4Usage): Usage {
  const { inputTokens, outputTokens } = usage;
  const cacheRead = inputTokens.cacheRead ?? 0;
  const cacheWrite = inputTokens.cacheWrite ?? 0;
  const input = inputTokens.noCache ?? Math.max(0, (inputTokens.total ?? 0) - cacheRead - cacheWrite);
  const output = outputTokens.total ?? (outputTokens.text ?? 0) + (outputTokens.reasoning ?? 0);
  return { ...noUsage, input, output, cacheRead, cacheWrite };
}
