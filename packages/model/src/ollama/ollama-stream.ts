// Ollama's answer, one JSON object a line, as parts of the AI SDK's interface.
//
//   {"message":{"thinking"?,"content"?,"tool_calls"?},"done":false}*  {"done":true,"done_reason","prompt_eval_count","eval_count"}
//   {"error":"…"}                                                      at any time instead
//
// A call comes whole, with or without an id. A stream that ends without `done` has no finish: the adapter says that it broke off.

import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { isRecord, type JsonRecord } from "@stet/protocol/json-record";

/** What is wrong with an answer that is complete, from its count of the prompt's tokens; undefined where nothing is. */
export type CheckPrompt = (count: number | undefined) => unknown;

type Part = LanguageModelV4StreamPart;

const maxLine = 16_000_000;

/** Pulls: a packet is read when the consumer asks for the next part. */
export function ollamaParts(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  checkPrompt: CheckPrompt,
): ReadableStream<Part> {
  const lines = body.pipeThrough(new TextDecoderStream());
  const reader = lines.getReader();
  const converter = new LineConverter(checkPrompt);
  let rest = "";
  return new ReadableStream<Part>(
    {
      async pull(controller) {
        for (;;) {
          const { done, value } = await reader.read();
          const parts: Part[] = [];
          rest += value ?? "";
          const ends = rest.split("\n");
          rest = done ? "" : (ends.pop() ?? "");
          for (const line of ends) converter.convert(line, parts, done);
          if (rest.length > maxLine) throw new Error("A line of the answer has no end.");
          for (const part of parts) controller.enqueue(part);
          if (done) controller.close();
          if (done || parts.length > 0) return;
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

class LineConverter {
  readonly #checkPrompt: CheckPrompt;
  #open: { readonly kind: "text" | "reasoning"; readonly id: string } | undefined;
  #blocks = 0;
  #hasCalls = false;

  constructor(checkPrompt: CheckPrompt) {
    this.#checkPrompt = checkPrompt;
  }

  convert(line: string, out: Part[], isLast: boolean): void {
    if (line.trim() === "") return;
    let object: unknown;
    try {
      object = JSON.parse(line);
    } catch (error) {
      // The connection ended in the middle of a line.
      if (isLast) return;
      out.push({ type: "error", error: { code: "ai_jsonparseerror", message: String(error) } });
      return;
    }
    if (!isRecord(object)) return;
    if (object.error !== undefined) {
      this.#fail(object.error, out);
      return;
    }
    if (isRecord(object.message)) this.#message(object.message, out);
    if (object.done === true) this.#finish(object, out);
  }

  #message({ thinking, content, tool_calls: calls }: JsonRecord, out: Part[]): void {
    if (typeof thinking === "string" && thinking !== "") this.#delta("reasoning", thinking, out);
    if (typeof content === "string" && content !== "") this.#delta("text", content, out);
    for (const call of Array.isArray(calls) ? calls : []) {
      if (!isRecord(call) || !isRecord(call.function)) continue;
      const { name, arguments: input = {} } = call.function;
      const text = typeof input === "string" ? input : JSON.stringify(input);
      this.#call(typeof call.id === "string" ? call.id : "", String(name), text, out);
    }
  }

  #delta(kind: "text" | "reasoning", delta: string, out: Part[]): void {
    if (this.#open?.kind !== kind) {
      this.#close(out);
      this.#open = { kind, id: String(this.#blocks++) };
      out.push({ type: `${kind}-start`, id: this.#open.id });
    }
    out.push({ type: `${kind}-delta`, id: this.#open.id, delta });
  }

  #close(out: Part[]): void {
    if (this.#open !== undefined) out.push({ type: `${this.#open.kind}-end`, id: this.#open.id });
    this.#open = undefined;
  }

  #call(id: string, toolName: string, input: string, out: Part[]): void {
    this.#close(out);
    this.#hasCalls = true;
    // Older releases give none; it must be unlike those of earlier answers.
    const toolCallId = id === "" ? `call_${crypto.randomUUID()}` : id;
    out.push({ type: "tool-input-start", id: toolCallId, toolName });
    out.push({ type: "tool-input-delta", id: toolCallId, delta: input });
    out.push({ type: "tool-input-end", id: toolCallId });
    out.push({ type: "tool-call", toolCallId, toolName, input });
  }

  #finish(end: JsonRecord, out: Part[]): void {
    this.#close(out);
    const input = count(end.prompt_eval_count);
    const problem = this.#checkPrompt(input);
    if (problem !== undefined) {
      out.push({ type: "error", error: problem });
      return;
    }
    const output = count(end.eval_count);
    out.push({
      type: "finish",
      finishReason: this.#reason(end.done_reason),
      usage: {
        inputTokens: { total: input, noCache: input, cacheRead: undefined, cacheWrite: undefined },
        outputTokens: { total: output, text: undefined, reasoning: undefined },
      },
    });
  }

  #reason(raw: unknown): LanguageModelV4FinishReason {
    const unified = raw === "length" ? "length" : this.#hasCalls ? "tool-calls" : "stop";
    return { unified, raw: typeof raw === "string" ? raw : undefined };
  }

  #fail(error: unknown, out: Part[]): void {
    const message = isRecord(error) && typeof error.message === "string" ? error.message : String(error);
    const raw = /^error parsing tool call: raw='(.*)', err=/s.exec(message)?.[1];
    if (raw === undefined) {
      out.push({ type: "error", error: { message } });
      return;
    }
    // The model wrote a call that the server could not read: the model is told, as with any other broken call.
    this.#call("", "tool", raw, out);
    this.#finish({ done_reason: "stop" }, out);
  }
}

function count(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
