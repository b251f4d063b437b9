// The API as a Hono app: every route of the table, validated on the way in, and one form for faults.

import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { ServerLimits } from "@stet/host/limits";
import type { Caller, Operations, StartStream } from "@stet/protocol/api/operation";
import type { RouteShape } from "@stet/protocol/api/route";
import { type RouteName, routes } from "@stet/protocol/api/routes";
import { Fault, isFault } from "@stet/protocol/fault";
import { faultOf } from "@stet/protocol/fault-error";
import { type Context, Hono } from "hono";
import type { Access } from "./access.ts";
import { faultResponse } from "./fault-reply.ts";
import { gate } from "./gate.ts";
import { openApi } from "./openapi.ts";
import { type PageFiles, pageFrom, pageResponse } from "./page.ts";
import { cursorOf, receive } from "./received.ts";
import { everyReply } from "./reply-headers.ts";
import { addSignIn } from "./sign-in.ts";
import { Site } from "./site.ts";
import { EventStreams } from "./streams.ts";

export interface AppEnvironment {
  /** Requests in memory come without a connection. */
  Bindings: Partial<HttpBindings> & {
    /** It came over the socket in the data folder, which only the folder's owner can open. */
    readonly isOwner?: boolean;
  };
}

export interface AppOptions {
  readonly operations: Operations;
  readonly access: Access;
  readonly limits: ServerLimits;
  /** Where it is served; in memory, as http://stet.local. */
  readonly site?: Site;
  /** The folder that is served: a request for another one is refused. */
  readonly root?: string;
  /** The open event streams, so that a shutdown can end them. */
  readonly streams?: EventStreams;
  /** A folder with index.html; without it a page that only says that the server runs. */
  readonly page?: string | undefined;
  /** Checks every reply against its schema. It costs time, so only tests and developers do. */
  readonly checksReplies?: boolean;
  /** Called with exceptions, which are bugs. */
  readonly onError?: (error: unknown) => void;
}

/** One route as the app calls it: its types are erased here, and its values are validated at run time. */
type AnyOperation = (received: unknown, caller: Caller) => Promise<unknown>;

export function createApp(options: AppOptions): Hono<AppEnvironment> {
  const { access, limits, site = new Site(), onError = () => {} } = options;
  const { streams = new EventStreams(limits, onError) } = options;
  const app = new Hono<AppEnvironment>();
  app.use(async (context, next) => {
    await next();
    if (!complete.has(context.res)) addHeaders(context.res);
  });
  app.use(gate({ access, site, limits, root: options.root }));
  addSignIn(app, { access, site, limits });
  app.get("/api/openapi.json", (context) => context.json(openApi()));
  for (const name of Object.keys(routes) as RouteName[]) {
    const shape: RouteShape = routes[name];
    const operation = options.operations[name] as AnyOperation | undefined;
    if (operation === undefined) throw new Error(`The route ${name} is not implemented.`);
    app.on(shape.method, shape.path, (context) =>
      serveRoute(context, shape, operation, { ...options, streams }),
    );
  }
  addWrongMethods(app);
  addPage(app, pageFrom(options.page));
  app.notFound((context) => faultResponse(unknownRoute(context.req.path)));
  app.onError((error) => {
    const carried = faultOf(error);
    if (carried !== undefined) return faultResponse(carried);
    onError(error);
    return faultResponse(internalError());
  });
  return app;
}

/** Replies that have all their headers already. */
const complete = new WeakSet<Response>([RESPONSE_ALREADY_SENT]);
const dataHeaders = { ...everyReply, "Content-Type": "application/json" };

/** Straight to the connection, where there is one: a Response in between would take half of a small request's time. */
function dataResponse(data: unknown, outgoing: AppEnvironment["Bindings"]["outgoing"]): Response {
  const body = JSON.stringify(data);
  if (outgoing !== undefined) {
    outgoing.writeHead(200, { ...dataHeaders, "Content-Length": Buffer.byteLength(body) });
    outgoing.end(body);
    return RESPONSE_ALREADY_SENT;
  }
  const response = new Response(body, { headers: dataHeaders });
  complete.add(response);
  return response;
}

function addHeaders({ headers }: Response): void {
  for (const [name, value] of Object.entries(everyReply)) if (!headers.has(name)) headers.set(name, value);
}

async function serveRoute(
  context: Context<AppEnvironment>,
  shape: RouteShape,
  operation: AnyOperation,
  options: AppOptions & { readonly streams: EventStreams },
): Promise<Response> {
  const received = await receive(context.req, shape, options.limits.max_body_bytes);
  if (isFault(received)) return faultResponse(received);
  const { raw } = context.req;
  const caller: Caller = {
    get signal() {
      return raw.signal;
    },
    lastEventId: cursorOf(raw.headers.get("last-event-id")),
  };
  if (shape.isStream === true) {
    if (raw.method === "HEAD")
      return new Response(null, { headers: { "Content-Type": "text/event-stream" } });
    const room = options.streams.roomFault();
    if (room !== undefined) return faultResponse(room);
    const start = await operation(received, caller);
    return isFault(start)
      ? faultResponse(start)
      : options.streams.respond(start as StartStream, context.env?.outgoing, raw.signal);
  }
  const reply = await operation(received, caller);
  if (isFault(reply)) return faultResponse(reply);
  if (options.checksReplies === true) shape.reply.parse(reply);
  return dataResponse(reply, context.env?.outgoing);
}

/** After all routes, so that it gets what they did not take. */
function addWrongMethods(app: Hono<AppEnvironment>): void {
  const methods = new Map<string, string[]>();
  for (const { method, path } of app.routes) {
    if (!path.startsWith("/api/") || method === "ALL") continue;
    const known = methods.get(path) ?? [];
    methods.set(path, [...known, method, ...(method === "GET" ? ["HEAD"] : [])]);
  }
  for (const [path, known] of methods) {
    app.all(path, ({ req }) => {
      const fault = new Fault(
        "wrong_method",
        `${req.path} does not know ${req.method}.`,
        `Use ${known.join(" or ")}.`,
      );
      return faultResponse(fault, { Allow: known.join(", ") });
    });
  }
}

function addPage(app: Hono<AppEnvironment>, page: PageFiles): void {
  app.get("*", async (context, next) => {
    const file = context.req.path.startsWith("/api/") ? undefined : await page.file(context.req.path);
    return file === undefined ? next() : pageResponse(file, context.req.header("if-none-match"));
  });
}

function unknownRoute(path: string): Fault {
  return new Fault(
    "unknown_route",
    `There is nothing at ${path}.`,
    "See /api/openapi.json for what there is.",
  );
}

function internalError(): Fault {
  return new Fault(
    "internal_error",
    "Something broke in the server while it worked on this request. That is a bug of Stet.",
    "Try again. With STET_LOG=stderr the server tells on its standard error what happened.",
  );
}
