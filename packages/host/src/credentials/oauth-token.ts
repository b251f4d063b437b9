// What an OAuth login returned, as one secret: a token for requests, and one that brings the next.
//
// A token that is about to end is renewed before it is used, once for all requests that wait for it.

import type { LockedKey } from "@stet/model/access/stored-keys";
import { networkFetch } from "@stet/model/network/model-fetch";
import * as z from "zod";
import { postForm } from "./oauth-request.ts";

const tokenSecret = z.object({
  provider: z.string(),
  access: z.string(),
  refresh: z.string().optional(),
  /** Milliseconds since 1970, by this machine's clock. */
  expiresAt: z.number().optional(),
  tokenURL: z.string(),
  clientId: z.string(),
});

export type TokenSecret = z.output<typeof tokenSecret>;

/** The answer of a token endpoint (RFC 6749, 5.1). */
const tokenAnswer = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().optional(),
  expires_in: z.coerce.number().optional(),
});

/** A token that ends sooner than this is renewed first. */
const earlyMilliseconds = 60_000;
const renewals = new Map<string, Promise<TokenSecret | LockedKey>>();

export function secretOf(
  answer: unknown,
  login: Pick<TokenSecret, "provider" | "tokenURL" | "clientId" | "refresh">,
  now = Date.now(),
): TokenSecret | undefined {
  const parsed = tokenAnswer.safeParse(answer);
  if (!parsed.success) return undefined;
  const { access_token: access, refresh_token: refresh = login.refresh, expires_in: seconds } = parsed.data;
  return {
    provider: login.provider,
    tokenURL: login.tokenURL,
    clientId: login.clientId,
    access,
    ...(refresh === undefined ? {} : { refresh }),
    ...(seconds === undefined ? {} : { expiresAt: now + seconds * 1000 }),
  };
}

/** The token for a request; `keep` gets the secret that replaces this one. */
export async function tokenOf(
  secret: string,
  environment: NodeJS.ProcessEnv,
  keep: (secret: string) => Promise<void>,
): Promise<string | LockedKey> {
  const known = tokenSecret.parse(JSON.parse(secret));
  if (known.expiresAt === undefined || known.expiresAt - earlyMilliseconds > Date.now()) return known.access;
  let renewal = renewals.get(secret);
  if (renewal === undefined) {
    renewal = renew(known, environment).finally(() => renewals.delete(secret));
    renewals.set(secret, renewal);
    const renewed = await renewal;
    if (!("problem" in renewed)) await keep(JSON.stringify(renewed));
  }
  const renewed = await renewal;
  return "problem" in renewed ? renewed : renewed.access;
}

async function renew(known: TokenSecret, environment: NodeJS.ProcessEnv): Promise<TokenSecret | LockedKey> {
  const again = `Log in again: stet login ${known.provider} --device`;
  if (known.refresh === undefined) return { problem: `The login of ${known.provider} has ended. ${again}` };
  const answer = await postForm(networkFetch(environment), known.tokenURL, {
    grant_type: "refresh_token",
    refresh_token: known.refresh,
    client_id: known.clientId,
  });
  if (answer.kind === "failed")
    return { problem: `The login of ${known.provider} could not be renewed: ${answer.reason}` };
  const renewed = secretOf(answer.body, known);
  return renewed ?? { problem: `The login of ${known.provider} is no longer valid. ${again}` };
}
