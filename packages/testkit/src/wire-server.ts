// A server on loopback whose answers a test writes byte by byte, and which keeps what it was asked.

import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { asObject, type JsonObject, parseOrKeep } from "./scripted-model-format.ts";

export interface WireRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
}

export interface WireServer {
  readonly url: string;
  readonly requests: readonly WireRequest[];
  close(): void;
}

export type WireAnswer = (response: ServerResponse, request: WireRequest, index: number) => void;

export async function startWireServer(answer: WireAnswer): Promise<WireServer> {
  const requests: WireRequest[] = [];
  const server = createServer((incoming, response) => {
    const pieces: Buffer[] = [];
    incoming.on("data", (piece: Buffer) => pieces.push(piece));
    incoming.on("end", () => {
      const request = {
        method: incoming.method ?? "",
        path: incoming.url ?? "/",
        headers: Object.fromEntries(
          Object.entries(incoming.headers).map(([name, value]) => [name, [value ?? ""].flat().join(", ")]),
        ),
        body: asObject(parseOrKeep(Buffer.concat(pieces).toString("utf8"))),
      };
      requests.push(request);
      answer(response, request, requests.length - 1);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  server.unref();
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Where an answer is written. */
export interface WireSink {
  writeHead(status: number, headers: Readonly<Record<string, string>>): unknown;
  write(piece: string | Buffer): unknown;
  end(): unknown;
}

/** A whole stream of events: each a JSON value, or text as it is. */
export function sendEvents(response: WireSink, events: readonly (object | string)[]): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of events)
    response.write(typeof event === "string" ? event : `data: ${JSON.stringify(event)}\n\n`);
  response.end();
}

/** Events with the name that their `type` gives, as Anthropic and OpenAI's Responses send them. */
export function sendNamedEvents(response: WireSink, events: readonly { readonly type: string }[]): void {
  sendEvents(
    response,
    events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
  );
}

export function sendError(
  response: ServerResponse,
  status: number,
  body: object | string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(text);
}
