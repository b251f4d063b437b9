// Tools for models that have none of their own: their calls are text in the answer.
//
// - A model that cannot use tools, by its server or by the configuration, is asked this way at once.
// - A server that refuses a request because of its tools is asked again this way within the same request, and for some minutes
//   from then on.
// - What is needed for it is loaded when the first such model is asked.

import type { Model, ModelEvent, ModelFailure, ModelRequest } from "@stet/protocol/model-stream";
import { fullName, wrapModel } from "../wrapped-model.ts";

const keepMs = 600_000;
const maxRefusing = 100;
/** Models whose server refused tools, with the time until when that is remembered. */
const refusing = new Map<string, number>();

/** As the classification says it, and Ollama, vLLM, llama.cpp, OpenRouter and Groq. */
const refusal =
  /cannot use tools, so|started without support for tools|does not support tool|do(?:es)? not support function|tools? (?:use |calling )?(?:is|are) not supported|no endpoints found that support tool|tool choice requires|requires? --jinja|tool calling is not supported|`?tools?`? (?:parameter )?(?:is )?not supported|unsupported (?:parameter|value):? ['"`]?tools/i;

/** `where` tells apart models of one name on several servers. */
export function withTextTools(model: Model, where = ""): Model {
  const name = `${fullName(model)} ${where}`;
  return wrapModel(
    () => model,
    async function* (request, signal): AsyncGenerator<ModelEvent, void, undefined> {
      if (request.tools.length === 0) {
        yield* model.stream(request, signal);
        return;
      }
      const isText = model.abilities?.tools === false || (refusing.get(name) ?? 0) > Date.now();
      const isRefused = isText || (yield* untilRefused(model, request, signal));
      if (!isRefused) return;
      if (!isText) remember(name);
      yield* streamText(model, request, signal);
    },
  );
}

export function refusesTools({ kind, message }: ModelFailure): boolean {
  return kind !== "aborted" && kind !== "network" && refusal.test(message);
}

async function* streamText(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal | undefined,
): AsyncGenerator<ModelEvent, void, undefined> {
  const [{ textRequest }, { withCalls }] = await Promise.all([
    import("./text-tools-request.ts"),
    import("./text-tools-stream.ts"),
  ]);
  const text = textRequest(request);
  const newId = () => `call_${crypto.randomUUID()}`;
  const { boundary } = text;
  yield* withCalls(model.stream(text.request, signal), { boundary, tools: request.tools, newId });
}

/** The answer, or true where the server refused the tools before it said anything. */
async function* untilRefused(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal | undefined,
): AsyncGenerator<ModelEvent, boolean, undefined> {
  let start: ModelEvent | undefined;
  for await (const event of model.stream(request, signal)) {
    if (event.type === "start") {
      start = event;
      continue;
    }
    if (start !== undefined) {
      if (event.type === "error" && refusesTools(event.failure)) return true;
      yield start;
      start = undefined;
    }
    yield event;
  }
  return false;
}

function remember(name: string): void {
  refusing.delete(name);
  refusing.set(name, Date.now() + keepMs);
  const [oldest] = refusing.keys();
  if (refusing.size > maxRefusing && oldest !== undefined) refusing.delete(oldest);
}
