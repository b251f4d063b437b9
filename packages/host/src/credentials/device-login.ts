// OAuth's device flow (RFC 8628): the person types a short code on the provider's own page, and Stet asks until they have.
//
//   begin -> code, page      wait -> the tokens | refused | expired
//
// The server says how often it may be asked; `slow_down` adds five seconds each time.

import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { networkFetch } from "@stet/model/network/model-fetch";
import type { OauthConfiguration } from "@stet/model/providers";
import { Fault } from "@stet/protocol/fault";
import * as z from "zod";
import { postForm } from "./oauth-request.ts";
import { secretOf, type TokenSecret } from "./oauth-token.ts";

export interface DeviceLogin {
  readonly id: string;
  readonly provider: string;
  readonly code: string;
  readonly page: string;
  readonly expiresAt: number;
  wait(signal: AbortSignal): Promise<TokenSecret | Fault>;
}

const deviceAnswer = z.object({
  device_code: z.string().min(1),
  user_code: z.string().min(1).max(100),
  verification_uri: z.url({ protocol: /^https?$/ }),
  verification_uri_complete: z.url({ protocol: /^https?$/ }).optional(),
  expires_in: z.coerce.number().positive().default(900),
  interval: z.coerce.number().positive().default(5),
});

const grant = "urn:ietf:params:oauth:grant-type:device_code";
const slowDownSeconds = 5;

export async function beginDeviceLogin(
  provider: string,
  { deviceURL, tokenURL, clientId, scope }: OauthConfiguration,
  environment: NodeJS.ProcessEnv,
  signal?: AbortSignal,
): Promise<DeviceLogin | Fault> {
  const send = networkFetch(environment);
  const asked = await postForm(
    send,
    deviceURL,
    { client_id: clientId, ...(scope === undefined ? {} : { scope }) },
    signal,
  );
  if (asked.kind === "failed") return failed(provider, asked.reason);
  const parsed = deviceAnswer.safeParse(asked.body);
  if (!parsed.success) return failed(provider, refusalIn(asked.body) ?? "Its answer has no code.");
  const answer = parsed.data;
  const expiresAt = Date.now() + answer.expires_in * 1000;
  const end = performance.now() + answer.expires_in * 1000;
  const wait = async (waiting: AbortSignal): Promise<TokenSecret | Fault> => {
    let seconds = answer.interval;
    while (performance.now() < end) {
      try {
        await sleep(seconds * 1000, undefined, { signal: waiting });
      } catch {
        return new Fault("aborted", "The login was stopped.", "Begin it again when you like.");
      }
      const form = { grant_type: grant, device_code: answer.device_code, client_id: clientId };
      const reply = await postForm(send, tokenURL, form, waiting);
      // A connection that fails once says nothing about the person's answer.
      if (reply.kind === "failed") continue;
      const secret = secretOf(reply.body, { provider, tokenURL, clientId });
      if (secret !== undefined) return secret;
      const { error } = reply.body;
      if (error === "slow_down") seconds += slowDownSeconds;
      else if (error !== "authorization_pending")
        return failed(provider, refusalIn(reply.body) ?? "Its answer has no token.");
    }
    return failed(provider, "The code is no longer valid.");
  };
  return {
    id: randomBytes(12).toString("hex"),
    provider,
    code: answer.user_code,
    page: answer.verification_uri_complete ?? answer.verification_uri,
    expiresAt,
    wait,
  };
}

function refusalIn({
  error,
  error_description: about,
}: Readonly<Record<string, unknown>>): string | undefined {
  if (error === "access_denied") return "The login was refused on the provider's page.";
  if (error === "expired_token") return "The code is no longer valid.";
  if (typeof error !== "string") return undefined;
  return typeof about === "string" ? `It says: ${about.slice(0, 300)}` : `It says: ${error.slice(0, 100)}`;
}

function failed(provider: string, reason: string): Fault {
  return new Fault("model_failed", `The login at ${provider} failed. ${reason}`, "Begin it again.", {
    provider,
    field: "key",
  });
}
