// Reversible redaction of a model's requests, for subagents that get whole documents: each secret is replaced by a mark, and
// marks in the answer become the secrets again. So a document with a key in it can be rewritten, and the key never leaves the
// machine.
//
// Each secret of a request has a mark of its own (`[redacted:kind]`, `[redacted:kind-2]`), so what goes back is certain.

import { wrapModel } from "@stet/model/wrapped-model";
import type { Message } from "@stet/protocol/message";
import type { Model, ModelEvent, ModelRequest } from "@stet/protocol/model-stream";
import { type Label, redactor } from "@stet/protocol/redact";
import { redactedMessage } from "./redact-events.ts";

export function withRedactedRequests(model: Model, secrets: readonly string[]): Model {
  return wrapModel(
    () => model,
    async function* (request, signal): AsyncGenerator<ModelEvent> {
      const marks = new Marks();
      const redact = redactor(secrets, marks.label);
      const sent = redactedRequest(request, redact);
      for await (const event of model.stream(sent, signal)) {
        if (event.type === "toolcall_end") {
          yield {
            ...event,
            toolCall: { ...event.toolCall, arguments: marks.restored(event.toolCall.arguments) },
          };
        } else if (event.type === "done" || event.type === "error") {
          yield { ...event, message: { ...event.message, content: marks.restored(event.message.content) } };
        } else yield event;
      }
    },
  );
}

function redactedRequest(request: ModelRequest, redact: (text: string) => string): ModelRequest {
  const ofText = <T>(value: T): T => (typeof value === "string" ? redact(value) : value) as T;
  return {
    ...request,
    system: redact(request.system),
    messages: request.messages.map((message): Message => redactedMessage(message, ofText)),
  };
}

/** Which mark stands for which secret. */
class Marks {
  readonly #bySecret = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  readonly label: Label = (kind, secret) => {
    const known = this.#bySecret.get(secret);
    if (known !== undefined) return known;
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    const mark = count === 1 ? `[redacted:${kind}]` : `[redacted:${kind}-${count}]`;
    this.#bySecret.set(secret, mark);
    return mark;
  };

  restored<T>(value: T): T {
    return this.#bySecret.size === 0 ? value : (this.#restore(value) as T);
  }

  #restore(value: unknown): unknown {
    if (typeof value === "string") {
      if (!value.includes("[redacted:")) return value;
      let text = value;
      for (const [secret, mark] of this.#bySecret) text = text.replaceAll(mark, () => secret);
      return text;
    }
    if (Array.isArray(value)) return value.map((item) => this.#restore(item));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.#restore(item)]));
  }
}
