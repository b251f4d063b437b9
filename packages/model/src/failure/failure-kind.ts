// Which kind of failure something is.
//
// Status and error types decide, text only where they leave it open. Exceptions stand first, because providers send them under
// statuses that mean something else: a prompt that is too long comes as 400, 413 or 429; an account without credit as 400,
// 403 or 429, which must not be retried as if waiting would help; an expired token of AWS as 400.

import type { ModelFailure } from "@stet/protocol/model-stream";
import { isOwnMachine } from "../network/own-address.ts";
import { type FailureFacts, gatherFacts, retryAfter } from "./failure-facts.ts";

export type FailureKind = ModelFailure["kind"];

const overflowCodes = ["context_length_exceeded", "context_window_exceeded", "request_too_large"];
const overflowText =
  /prompt is too long|context[ _-]?(?:length|window|size)[^.]{0,60}(?:exceed|too|limit)|exceed[^.]{0,60}context|maximum context length|input token count[^.]{0,60}exceeds|too many tokens(?! per |, please wait)|input is too long|reduce the length of the (?:messages|prompt)|larger than the (?:maximum )?context/i;
const quotaCodes = ["insufficient_quota", "billing_hard_limit_reached", "credit_balance_too_low"];
const quotaText =
  /insufficient[ _]quota|exceeded your current quota, please check your plan|credit balance is too low|billing/i;
const creditText =
  /credit balance is too low|insufficient (?:account )?(?:balance|credits?|funds)|(?:does not|doesn't) have (?:any|enough) credits?|run out of credits?|payment (?:is )?required|spending limit/i;
const expiredText = /(?:token|key|credentials?|signature)\b[^.]{0,60}\bexpired|ExpiredToken/i;
const signatureText =
  /SignatureDoesNotMatch|InvalidSignature|IncompleteSignature|RequestTimeTooSkewed|RequestExpired|Signature (?:not yet current|expired)|signature we calculated does not match/i;
const googleClockText = /short-lived token[^.]*reasonable timeframe|Invalid JWT/i;
export const refusedConnection = ["econnrefused", "connectionrefused", "failedtoopensocket"];
export const unknownHost = ["enotfound", "eai_again"];
const timeoutCodes = [
  "etimedout",
  "und_err_connect_timeout",
  "und_err_headers_timeout",
  "und_err_body_timeout",
  "timeouterror",
  "deadline_exceeded",
];
const networkCodes = ["econnreset", "econnaborted", "epipe", "und_err_socket", "enetunreach", "ehostunreach"];
const authenticationCodes = [
  "authentication_error",
  "permission_error",
  "invalid_api_key",
  "unauthenticated",
  "permission_denied",
  "ai_loadapikeyerror",
  "invalid_grant",
];
const badResponseCodes = [
  "ai_jsonparseerror",
  "ai_typevalidationerror",
  "ai_invalidresponsedataerror",
  "ai_emptyresponsebodyerror",
  "ai_nocontentgeneratederror",
];

export function kindOf(facts: FailureFacts): FailureKind {
  const names = (codes: readonly string[]) => has(facts, codes);
  const words = wordsOf(facts);
  if (
    names(overflowCodes) ||
    facts.status === 413 ||
    (mayBeOverflow(facts.status) && overflowText.test(words))
  ) {
    return "context_overflow";
  }
  if (hasNoCredit(facts) || isExpired(facts) || hasBadSignature(facts) || hasNoCredentials(facts)) {
    return "authentication";
  }
  if (facts.status !== undefined && facts.status >= 400) return kindOfStatus(facts.status, words);
  if (names(authenticationCodes)) return "authentication";
  if (names(["overloaded_error", "unavailable"])) return "overloaded";
  if (names(["rate_limit_error", "rate_limit_exceeded", "resource_exhausted"])) return "rate_limit";
  if (names(["not_found_error", "model_not_found", "not_found"])) return "not_found";
  if (names(["invalid_request_error", "invalid_argument", "err_invalid_url"])) return "invalid_request";
  if (names(["api_error", "server_error", "internal", "internal_server_error"])) return "server";
  if (names(timeoutCodes)) return "timeout";
  if (names(refusedConnection) || names(unknownHost) || names(networkCodes)) return "network";
  if (isCertificate(facts)) return "network";
  if (closedEarly.test(words)) return "network";
  if (names(badResponseCodes)) return "bad_response";
  return kindOfText(words);
}

export function hasNoCredit(facts: FailureFacts): boolean {
  const words = wordsOf(facts);
  const { status = 0 } = facts;
  if (has(facts, quotaCodes) || status === 402) return true;
  if ([400, 401, 403].includes(status)) return creditText.test(words);
  // Google uses the same words for a limit that passes in a moment, and says in how long.
  return (
    status === 429 && (creditText.test(words) || (quotaText.test(words) && retryAfter(facts) === undefined))
  );
}

export function isExpired(facts: FailureFacts): boolean {
  return mayBeKey(facts) && expiredText.test(`${wordsOf(facts)} ${facts.codes.join(" ")}`);
}

/** What is signed with the time, and refused for it or for the key. */
export function hasBadSignature(facts: FailureFacts): boolean {
  const words = `${wordsOf(facts)} ${facts.codes.join(" ")}`;
  return mayBeKey(facts) && (signatureText.test(words) || googleClockText.test(words));
}

/** Google's library found nobody signed in. */
export function hasNoCredentials(facts: FailureFacts): boolean {
  return /could not load the default credentials|unable to detect a project id/i.test(wordsOf(facts));
}

function mayBeKey({ status }: FailureFacts): boolean {
  return status === undefined || [400, 401, 403].includes(status);
}

/** The model or its server says that it cannot be given tools. */
export function refusesTools(facts: FailureFacts): boolean {
  return /(?:not|n't|cannot) (?:support|use|handle)(?: the use of)? (?:any )?(?:tools?|tool[- ](?:use|calls?|calling)|functions?|function[- ]call(?:s|ing)?)\b|tools?(?: use| calling)? (?:is|are) not supported|support tool use|unsupported (?:parameter|field)s?:? ["'`]?tools\b|["'`]tools["'`][^.]{0,40}(?:not (?:supported|permitted|allowed)|unknown|unrecogni[sz]ed|extra inputs)/i.test(
    wordsOf(facts),
  );
}

/** vLLM was started without what it takes to read calls. */
export function needsToolParser(facts: FailureFacts): boolean {
  return /enable-auto-tool-choice|tool-call-parser|requires --jinja|--jinja/i.test(wordsOf(facts));
}

export function isRedirect(facts: FailureFacts): boolean {
  return facts.texts.some((text) => text.startsWith("unexpected redirect"));
}

/** A server of this machine that is not running will not be running in a moment either. */
export function isNobodyThere(facts: FailureFacts): boolean {
  return isOwnMachine(facts.url ?? "") && has(facts, refusedConnection);
}

/** Ports of other protocols, which fetch refuses by itself. */
export function isBlockedPort({ texts }: FailureFacts): boolean {
  return texts.some((text) => /^bad port$/i.test(text));
}

export function isCertificate({ codes }: FailureFacts): boolean {
  return codes.some((code) => code.includes("cert") || code.includes("self_signed"));
}

export function has(facts: FailureFacts, codes: readonly string[]): boolean {
  return codes.some((code) => facts.codes.includes(code));
}

export function wordsOf(facts: FailureFacts): string {
  return `${facts.texts.join(" ")} ${facts.body}`;
}

/** How packages say that the connection closed too early. */
const closedEarly = /ended without a finish reason|Incomplete Amazon Bedrock event-stream frame/;

export function endedEarly(error: unknown): boolean {
  return closedEarly.test(wordsOf(gatherFacts(error)));
}

function mayBeOverflow(status: number | undefined): boolean {
  return (
    status === undefined ||
    status < 300 ||
    status === 400 ||
    status === 422 ||
    status === 429 ||
    status === 500
  );
}

function kindOfStatus(status: number, words: string): FailureKind {
  if (status === 401 || status === 403) return "authentication";
  // Google and xAI answer 400 for a key that they do not know.
  if (status === 400 && /api[ _]key not valid|API_KEY_INVALID|(?:incorrect|invalid) api key/i.test(words))
    return "authentication";
  if (status === 404 || status === 405 || status === 410) return "not_found";
  if (status === 408) return "timeout";
  if (status === 429) return "rate_limit";
  if (status === 503 || status === 529) return "overloaded";
  if (status >= 500) return "server";
  return "invalid_request";
}

function kindOfText(words: string): FailureKind {
  if (/overloaded|at capacity/i.test(words)) return "overloaded";
  if (/rate.?limit|too many requests/i.test(words)) return "rate_limit";
  if (/timed? ?out/i.test(words)) return "timeout";
  if (
    /terminated|socket hang up|other side closed|connection (?:closed|reset|error)|fetch failed|cannot connect/i.test(
      words,
    )
  ) {
    return "network";
  }
  if (/internal (?:server )?error|service unavailable|retry your request/i.test(words)) return "server";
  return "unknown";
}
