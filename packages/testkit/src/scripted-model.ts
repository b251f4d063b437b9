// A model for tests: a server on loopback that answers from a script, in the exact wire formats of
//
//   OpenAI Chat        POST /v1/chat/completions        OpenAI Responses   POST /v1/responses
//   Anthropic          POST /v1/messages                Gemini             POST /v1beta/models/NAME:streamGenerateContent?alt=sse
//   Ollama             POST /api/chat
//   lists of models    GET /v1/models (OpenAI's, or Anthropic's to a client that says `anthropic-version`), GET /api/tags (Ollama's)
//
// One reply of the script for each model request, in the order of arrival, whatever its format. A script that has run out, or
// that asks for what a format cannot say, answers 500 with the reason. Nothing here keeps the process alive, and `close`
// ends everything, also a stalled answer.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { anthropic } from "./scripted-model-anthropic.ts";
import { deliver } from "./scripted-model-delivery.ts";
import {
  asObject,
  asText,
  type FormatName,
  type JsonObject,
  parseOrKeep,
  type RequestConversation,
  RequestRefused,
  type WireFormat,
} from "./scripted-model-format.ts";
import { gemini } from "./scripted-model-gemini.ts";
import { listModels } from "./scripted-model-list.ts";
import { ollama } from "./scripted-model-ollama.ts";
import { openaiChat } from "./scripted-model-openai-chat.ts";
import { createOpenaiResponses } from "./scripted-model-openai-responses.ts";
import { type ScriptedReply, ScriptMistake, settleReply } from "./scripted-model-reply.ts";

export interface SeenRequest extends RequestConversation {
  /** Counted from 0 over all formats: the place of its reply in the script. */
  readonly index: number;
  readonly format: FormatName;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** As it was sent. */
  readonly body: JsonObject;
  readonly model: string;
  readonly isStreamed: boolean;
  readonly toolNames: readonly string[];
}

/** A function may wait, to hold an answer back until the test lets it go. */
export type ModelScript =
  | readonly ScriptedReply[]
  | ((request: SeenRequest, index: number) => ScriptedReply | Promise<ScriptedReply>);

export interface ScriptedModel {
  /** Without a path: clients add `/v1` or `/v1beta`. */
  readonly url: string;
  /** Grows as requests arrive; the listing of models is not among them. */
  readonly requests: readonly SeenRequest[];
  /** The paths of all other requests. */
  readonly otherPaths: readonly string[];
  close(): Promise<void>;
}

export interface ScriptedModelOptions {
  /** Their names. */
  readonly models?: readonly string[];
  /** What else it answers, by path: what Ollama, LM Studio or llama.cpp tell of their models. */
  readonly answers?: Readonly<Record<string, unknown>>;
}

export async function startScriptedModel(
  script: ModelScript,
  { models = ["scripted"], answers = {} }: ScriptedModelOptions = {},
): Promise<ScriptedModel> {
  const requests: SeenRequest[] = [];
  const otherPaths: string[] = [];
  const openaiResponses = createOpenaiResponses();

  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = incoming.url ?? "/";
    const route = findRoute(path, openaiResponses);
    const text = await readBody(incoming);
    if (route === undefined) otherPaths.push(path);
    if (path in answers) return sendJson(response, 200, answers[path]);
    if (incoming.method === "GET") {
      const list = listModels(path, incoming.headers, models);
      if (list !== undefined) return sendJson(response, 200, list);
    }
    if (route === undefined || incoming.method !== "POST")
      return sendJson(response, 404, openaiChat.error(404, `There is no ${incoming.method} ${path} here.`));
    const { format } = route;
    try {
      const request = see(incoming, text, route, requests.length);
      requests.push(request);
      const reply = await findReply(script, request);
      const settled = settleReply(reply, request.index, request.model);
      await deliver(response, {
        events: request.isStreamed
          ? format.stream(settled, request.body)
          : [wholeEvent(format.whole(settled, request.body))],
        contentType: request.isStreamed ? streamType(format) : "application/json",
        reply,
        errorBody: (status) => JSON.stringify(format.error(status, `The script answers with ${status}.`)),
      });
    } catch (problem) {
      const status = problem instanceof RequestRefused ? problem.status : 500;
      const message = problem instanceof Error ? problem.message : String(problem);
      if (response.headersSent) response.destroy();
      else sendJson(response, status, format.error(status, message));
    }
  };

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch(() => response.destroy());
  });
  server.on("connection", (socket) => {
    socket.setNoDelay(true);
    socket.unref();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    otherPaths,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Route {
  readonly format: WireFormat;
  /** Gemini puts both into the path; the others into the body. */
  readonly model?: string;
  readonly isStreamed?: boolean;
}

const geminiPath =
  /^\/v1beta\/models\/([^/?]+):(generateContent|streamGenerateContent\?(?:.*&)?alt=sse)(?:&|\?|$)/;

function findRoute(path: string, openaiResponses: WireFormat): Route | undefined {
  const plain = path.split("?", 1)[0];
  if (plain === "/v1/chat/completions") return { format: openaiChat };
  if (plain === "/v1/responses") return { format: openaiResponses };
  if (plain === "/v1/messages") return { format: anthropic };
  if (plain === "/api/chat") return { format: ollama };
  const match = geminiPath.exec(path);
  if (match === null) return undefined;
  return { format: gemini, model: match[1] ?? "", isStreamed: match[2] !== "generateContent" };
}

function see(incoming: IncomingMessage, text: string, route: Route, index: number): SeenRequest {
  const parsed = parseOrKeep(text);
  if (typeof parsed === "string") throw new RequestRefused(400, "The body of the request is not JSON.");
  const body = asObject(parsed);
  const conversation = route.format.read(body);
  return {
    index,
    format: route.format.name,
    path: incoming.url ?? "/",
    headers: Object.fromEntries(
      Object.entries(incoming.headers).map(([name, value]) => [name, [value ?? ""].flat().join(", ")]),
    ),
    body,
    model: route.model ?? asText(body.model),
    isStreamed: route.isStreamed ?? body.stream === true,
    ...conversation,
    toolNames: conversation.tools.map((tool) => tool.name),
  };
}

async function findReply(script: ModelScript, request: SeenRequest): Promise<ScriptedReply> {
  if (typeof script === "function") return script(request, request.index);
  const reply = script[request.index];
  if (reply !== undefined) return reply;
  throw new ScriptMistake(
    `The script has no reply ${request.index}: it ends after ${script.length}, and the client asked once more.`,
  );
}

function streamType(format: WireFormat): "text/event-stream" | "application/x-ndjson" {
  return format.name === "ollama" ? "application/x-ndjson" : "text/event-stream";
}

function wholeEvent(value: unknown) {
  return { before: "", json: JSON.stringify(value), after: "", isDelta: true };
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}
