// From a link to a session: the page sends what its link carried, once, and gets a cookie.

import { isFault } from "@stet/protocol/fault";
import type { Hono } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import * as z from "zod";
import { sessionSeconds } from "./access.ts";
import type { AppEnvironment } from "./app.ts";
import { faultResponse } from "./fault-reply.ts";
import { type GateOptions, loginPath } from "./gate.ts";
import { parsed } from "./received.ts";
import { readBody } from "./request-body.ts";

export const loginBody = z.object({ token: z.string().min(1).max(200) });
export const signedIn = z.object({ signed_in: z.boolean() });
export const logoutPath = "/api/logout";

export function addSignIn(app: Hono<AppEnvironment>, { access, site, limits }: GateOptions): void {
  const cookie = () => ({ httpOnly: true, sameSite: "Strict", path: "/", secure: site.isSecure }) as const;
  app.post(loginPath, async (context) => {
    const body = parsed(
      "body",
      loginBody,
      await readBody(context.req.raw, Math.min(4096, limits.max_body_bytes)),
    );
    if (isFault(body)) return faultResponse(body);
    const session = access.exchange(body.token);
    if (isFault(session)) return faultResponse(session);
    setCookie(context, site.cookieName, session, { ...cookie(), maxAge: sessionSeconds });
    return context.json({ signed_in: true } satisfies z.input<typeof signedIn>);
  });
  app.post(logoutPath, async (context) => {
    const body = await readBody(context.req.raw, limits.max_body_bytes);
    if (isFault(body)) return faultResponse(body);
    access.endSession(getCookie(context, site.cookieName) ?? "");
    deleteCookie(context, site.cookieName, cookie());
    return context.json({ signed_in: false } satisfies z.input<typeof signedIn>);
  });
}
