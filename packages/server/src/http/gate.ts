// What a request must pass before any route sees it, in this order:
//
//   room → host and origin → upgrade, preflight → token or session → that a cookie was sent by a page of ours
//   → that its target folder is the one that is served
//
// What comes over the socket in the data folder needs neither host nor token: only the folder's owner can open it, and no
// browser does. The page itself holds nothing secret and needs no token. Everything below /api does, but for the exchange of one.

import type { ServerLimits } from "@stet/host/limits";
import { folderHeader, folderHeaderValue } from "@stet/protocol/api/folder-header";
import { Fault, isFault } from "@stet/protocol/fault";
import type { Context, MiddlewareHandler } from "hono";
import { getCookie } from "hono/cookie";
import { type Access, notSignedIn } from "./access.ts";
import type { AppEnvironment } from "./app.ts";
import { faultResponse } from "./fault-reply.ts";
import type { Site } from "./site.ts";

const maxUrl = 48 * 1024;
export const loginPath = "/api/login";

export interface GateOptions {
  readonly access: Access;
  readonly site: Site;
  readonly limits: ServerLimits;
  /** The folder that is served; where it is unknown, the header is not checked. */
  readonly root?: string | undefined;
}

export function gate({ access, site, limits, root }: GateOptions): MiddlewareHandler<AppEnvironment> {
  let running = 0;
  return async (context, next) => {
    if (running >= limits.max_requests_at_once) return faultResponse(busy(limits.max_requests_at_once));
    running += 1;
    try {
      const fault = refusal(context, access, site) ?? otherFolder(context.req.raw.headers, root);
      if (fault === undefined) return await next();
      // What a stranger still sends is not read; the connection ends with the refusal.
      const ends = fault.error === "upgrade_refused" || fault.error === "foreign_request";
      return faultResponse(fault, {
        ...(ends ? { Connection: "close" } : {}),
        ...(fault.error === "upgrade_refused" ? { Upgrade: "HTTP/1.1" } : {}),
        ...(fault.error === "not_signed_in" ? { "WWW-Authenticate": 'Bearer realm="stet"' } : {}),
      });
    } finally {
      running -= 1;
    }
  };
}

function refusal(context: Context<AppEnvironment>, access: Access, site: Site): Fault | undefined {
  const { headers, method, url } = context.req.raw;
  if (url.length > maxUrl) return urlTooLong();
  if (context.env?.isOwner) return headers.has("upgrade") ? upgradeRefused() : undefined;
  const foreign = site.foreignFault(headers, url);
  if (foreign !== undefined) return foreign;
  const path = context.req.path;
  const isApi = path === "/api" || path.startsWith("/api/");
  const isOpen = !isApi || path === loginPath;
  if (!isOpen) {
    // A browser asks first only on behalf of another origin, and never with a token.
    if (headers.has("access-control-request-method")) return preflight();
    const fault = signedInFault(context, access, site, method !== "GET" && method !== "HEAD");
    if (fault !== undefined) return fault;
  }
  return headers.has("upgrade") ? upgradeRefused() : undefined;
}

function signedInFault(
  context: Context<AppEnvironment>,
  access: Access,
  site: Site,
  changesState: boolean,
): Fault | undefined {
  const { headers } = context.req.raw;
  const authorization = headers.get("authorization");
  if (authorization !== null) {
    const bearer = /^Bearer +([^\s,]+)$/i.exec(authorization)?.[1];
    return bearer === undefined ? notSignedIn() : access.checkBearer(bearer);
  }
  const cookie = getCookie(context, site.cookieName);
  if (cookie === undefined) return notSignedIn();
  const fault = access.checkSession(cookie);
  return isFault(fault) ? fault : site.forgedFault(headers, changesState);
}

/** A window that was left open sends what was typed there, also to a server that was started for another folder since. */
function otherFolder(headers: Headers, root: string | undefined): Fault | undefined {
  const target = headers.get(folderHeader);
  if (target === null || root === undefined || target === folderHeaderValue(root)) return undefined;
  return new Fault(
    "other_folder",
    `This is meant for another folder than ${root}, which is served here now. Nothing was changed.`,
    "Serve the other folder at this address again, or reload the page to work on this one.",
    { root },
  );
}

function busy(limit: number): Fault {
  return new Fault(
    "server_busy",
    `The server works on ${limit} requests already.`,
    "Try again in a moment. The limit is STET_MAX_REQUESTS_AT_ONCE.",
  );
}

function urlTooLong(): Fault {
  return new Fault(
    "body_too_large",
    `An address may have ${maxUrl} characters at most.`,
    "Shorten the query.",
  );
}

function preflight(): Fault {
  return new Fault(
    "foreign_request",
    "Other origins may not use this server, so there is nothing to ask for.",
    "Open the page of stet serve itself, or call the API from a program.",
  );
}

function upgradeRefused(): Fault {
  return new Fault(
    "upgrade_refused",
    "This server speaks HTTP only; there are no WebSockets.",
    "Read events from /api/workspace/stream, as server-sent events.",
  );
}
