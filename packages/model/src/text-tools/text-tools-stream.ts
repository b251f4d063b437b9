// The answer of a model that writes its calls as text, as the events of a model that makes them.
//
// Blocks are counted anew. A call whose arguments cannot be read ends the answer as one of a provider would: in a failure that the
// loop tells the model.

import type { AssistantContent, ToolCall } from "@stet/protocol/message";
import type { ModelEvent, ToolDescription } from "@stet/protocol/model-stream";
import { endedMessage, failureEvent } from "../adapter/ended-message.ts";
import { invalidCallFailure } from "../adapter/invalid-call.ts";
import { parseArguments } from "../adapter/tool-arguments.ts";
import { CallSplitter, type SplitPiece } from "./call-splitter.ts";
import type { CallText } from "./call-text.ts";

export interface StreamOptions {
  readonly boundary: string;
  readonly tools: readonly ToolDescription[];
  readonly newId: () => string;
}

export async function* withCalls(
  events: AsyncIterable<ModelEvent>,
  options: StreamOptions,
): AsyncGenerator<ModelEvent, void, undefined> {
  const converter = new CallConverter(options);
  for await (const event of events) yield* converter.convert(event);
}

class CallConverter {
  readonly #options: StreamOptions;
  /** One for each open block of text. */
  readonly #splitters = new Map<number, CallSplitter>();
  /** New places of the blocks that pass. */
  readonly #places = new Map<number, number>();
  readonly #content: (AssistantContent | undefined)[] = [];
  readonly #thinking = new Map<number, string[]>();
  #text: { readonly index: number; said: string } | undefined;
  #call: { readonly index: number; readonly id: string; readonly name: string } | undefined;
  #broken:
    | { readonly id: string; readonly name: string; readonly argumentsText: string; readonly problem: string }
    | undefined;

  constructor(options: StreamOptions) {
    this.#options = options;
  }

  *convert(event: ModelEvent): Generator<ModelEvent> {
    switch (event.type) {
      case "start":
        yield event;
        return;
      case "text_start":
        this.#splitters.set(event.index, new CallSplitter(this.#options.boundary));
        return;
      case "text_delta":
        yield* this.#pieces(this.#splitters.get(event.index)?.add(event.delta) ?? []);
        return;
      case "text_end":
        yield* this.#finishText(event.index);
        return;
      case "thinking_start":
        yield* this.#endText();
        this.#thinking.set(event.index, []);
        yield { ...event, index: this.#open(event.index) };
        return;
      case "thinking_delta":
        this.#thinking.get(event.index)?.push(event.delta);
        yield { ...event, index: this.#place(event.index) };
        return;
      case "thinking_end":
        this.#thinking.delete(event.index);
        this.#content[this.#place(event.index)] = { type: "thinking", thinking: event.thinking };
        yield { ...event, index: this.#place(event.index) };
        return;
      case "toolcall_start":
        yield* this.#endText();
        yield { ...event, index: this.#open(event.index) };
        return;
      case "toolcall_delta":
        yield { ...event, index: this.#place(event.index) };
        return;
      case "toolcall_end":
        this.#content[this.#place(event.index)] = event.toolCall;
        yield { ...event, index: this.#place(event.index) };
        return;
      default:
        yield* this.#end(event);
    }
  }

  *#end(event: Extract<ModelEvent, { type: "done" | "error" }>): Generator<ModelEvent> {
    const isError = event.type === "error";
    if (!isError) for (const index of [...this.#splitters.keys()]) yield* this.#finishText(index);
    this.#keepOpen();
    const content = this.#content.filter((block) => block !== undefined);
    const ended = { ...event.message, content };
    if (isError) {
      yield { ...event, message: ended };
      return;
    }
    if (this.#broken !== undefined) {
      const failure = invalidCallFailure(this.#broken, this.#broken.problem, event.reason === "length");
      yield failureEvent(ended, failure);
      return;
    }
    const hasCalls = content.some((block) => block.type === "toolCall");
    const reason = event.reason === "stop" && hasCalls ? "toolUse" : event.reason;
    yield { ...event, reason, message: endedMessage(ended, reason) };
  }

  /** Text and thinking of an answer that broke off stay in its message; a call that was not finished does not. */
  #keepOpen(): void {
    if (this.#text !== undefined) this.#content[this.#text.index] = { type: "text", text: this.#text.said };
    for (const [index, pieces] of this.#thinking)
      this.#content[this.#place(index)] = { type: "thinking", thinking: pieces.join("") };
  }

  *#finishText(index: number): Generator<ModelEvent> {
    yield* this.#pieces(this.#splitters.get(index)?.finish() ?? []);
    this.#splitters.delete(index);
    yield* this.#endText();
  }

  *#pieces(pieces: readonly SplitPiece[]): Generator<ModelEvent> {
    for (const piece of pieces) {
      if (piece.type === "text") yield* this.#say(piece.text);
      if (piece.type === "call_start") {
        yield* this.#endText();
        this.#call = { index: this.#next(), id: this.#options.newId(), name: piece.name };
        yield { type: "toolcall_start", ...this.#call };
      }
      if (piece.type === "call_delta" && this.#call !== undefined)
        yield { type: "toolcall_delta", index: this.#call.index, delta: piece.delta };
      if (piece.type === "call_end") yield* this.#finishCall(piece);
    }
  }

  *#say(text: string): Generator<ModelEvent> {
    if (this.#text === undefined) {
      // Between two calls, and after the last, only words count.
      const words = this.#content.some((block) => block?.type === "toolCall") ? text.trimStart() : text;
      if (words === "") return;
      this.#text = { index: this.#next(), said: "" };
      yield { type: "text_start", index: this.#text.index };
      yield* this.#say(words);
      return;
    }
    this.#text.said += text;
    yield { type: "text_delta", index: this.#text.index, delta: text };
  }

  *#endText(): Generator<ModelEvent> {
    if (this.#text === undefined) return;
    const { index, said } = this.#text;
    this.#content[index] = { type: "text", text: said };
    this.#text = undefined;
    yield { type: "text_end", index, text: said };
  }

  *#finishCall({ argumentsText }: CallText): Generator<ModelEvent> {
    if (this.#call === undefined) return;
    const { index, id, name } = this.#call;
    this.#call = undefined;
    const parsed = parseArguments(argumentsText, this.#mayBeEmpty(name));
    if (!parsed.valid) {
      this.#broken ??= { id, name, argumentsText, problem: parsed.problem };
      return;
    }
    const toolCall: ToolCall = { type: "toolCall", id, name, arguments: parsed.arguments };
    this.#content[index] = toolCall;
    yield { type: "toolcall_end", index, toolCall };
  }

  #mayBeEmpty(name: string): boolean {
    const required = this.#options.tools.find((tool) => tool.name === name)?.parameters.required;
    return !Array.isArray(required) || required.length === 0;
  }

  #next(): number {
    return this.#content.push(undefined) - 1;
  }

  #open(index: number): number {
    const place = this.#next();
    this.#places.set(index, place);
    return place;
  }

  #place(index: number): number {
    return this.#places.get(index) ?? index;
  }
}
