// Classifies whatever went wrong into a ModelFailure, once, with a sentence for a person.
//
// The order matters: status and error types decide, text only where they leave it open. Two exceptions stand first because
// providers send them under statuses that mean something else: a prompt that is too long comes as 400, 413 or 429, and an
// account without credit comes as 429, which must not be retried as if waiting would help.

import { cutText } from "@stet/protocol/cut-text";
import type { ModelFailure } from "@stet/protocol/model-stream";
import { type FailureFacts, gatherFacts, isHtml, retryAfter } from "./failure-facts.ts";
import { isOwnMachine, publicAddress, withoutSecretsOf } from "./own-address.ts";

/** Who was asked, for the sentence. */
export interface FailureContext {
  readonly provider: string;
  readonly model: string;
  readonly baseURL?: string;
  /** The environment variable that the key comes from. */
  readonly keyVariable?: string;
}

/** A failure of a kind that often passes, marked because this one will not: the address itself is wrong. */
export interface LastingFailure extends ModelFailure {
  readonly isLasting: true;
}

/** A failure that hardly ever passes: reported after a try or two instead of a minute of backoff. */
export interface StubbornFailure extends ModelFailure {
  readonly maxRetries: number;
}

export function maxRetriesOf(failure: ModelFailure): number {
  return "maxRetries" in failure && typeof failure.maxRetries === "number"
    ? failure.maxRetries
    : Number.POSITIVE_INFINITY;
}

export function isLasting(failure: ModelFailure): failure is LastingFailure {
  return "isLasting" in failure;
}

/** Why a provider's package cannot be used. Its message is the whole sentence. */
export class UnusableProvider extends Error {
  readonly code = "provider_unusable";
}

type Kind = ModelFailure["kind"];

export function classifyFailure(error: unknown, context: FailureContext): ModelFailure {
  if (error instanceof UnusableProvider) return { kind: "not_found", message: error.message };
  const facts = publicFacts(gatherFacts(error), context);
  if (facts.codes.includes("not_a_stream")) return notStreamedFailure(facts, context);
  const kind = kindOf(facts);
  const wait = retryAfter(facts);
  return {
    kind,
    ...sentence(kind, facts, context),
    ...(facts.status !== undefined && facts.status >= 400 && { status: facts.status }),
    ...(wait !== undefined && { retryAfterMs: wait }),
    ...((isNobodyThere(facts) || isBlockedPort(facts)) && { isLasting: true }),
    ...((kind === "bad_response" || has(facts, unknownHost)) && { maxRetries: 1 }),
  };
}

/** Facts without secrets: a server, or the library that asks it, may repeat the address with the key in it. */
function publicFacts(facts: FailureFacts, { baseURL }: FailureContext): FailureFacts {
  const hide = (text: string) => (baseURL === undefined ? text : withoutSecretsOf(baseURL, text));
  return {
    ...facts,
    body: hide(facts.body),
    texts: facts.texts.map(hide),
    ...(facts.url !== undefined && { url: publicAddress(facts.url) }),
  };
}

/** A server of this machine that is not running will not be running in a moment either. */
function isNobodyThere(facts: FailureFacts): boolean {
  return isOwnMachine(facts.url ?? "") && has(facts, refusedConnection);
}

/** Ports of other protocols, which fetch refuses by itself. */
function isBlockedPort({ texts }: FailureFacts): boolean {
  return texts.some((text) => /^bad port$/i.test(text));
}

function has(facts: FailureFacts, codes: readonly string[]): boolean {
  return codes.some((code) => facts.codes.includes(code));
}

export function abortedFailure(): ModelFailure {
  return { kind: "aborted", message: "The request was stopped." };
}

export function stalledFailure(
  context: FailureContext,
  waitedMs: number,
  limit: "firstTokenMs" | "idleMs",
): ModelFailure {
  const what = `${asked(context)} sent nothing for ${seconds(waitedMs)}.`;
  const advice = `Try again; if this model is just slow, raise providers.${context.provider}.timeout.${limit}.`;
  return { kind: "timeout", ...words(what, advice) };
}

/** Reported before anything is sent: the server would refuse the request, or answer without doing anything. */
export function withoutToolsFailure({ provider, model }: FailureContext): ModelFailure {
  const what = `${provider}/${model} cannot use tools, so it can neither read nor change anything here.`;
  const advice = `Use another model, or set "tools": true for it under providers.${provider}.models if it can.`;
  return { kind: "invalid_request", ...words(what, advice) };
}

export function htmlFailure(context: FailureContext, status?: number): LastingFailure {
  const what = `${asked(context)} answered with a web page instead of a model's answer.`;
  const advice = `The base URL is probably wrong${baseHint(context)}${endingHint(context)}.`;
  return {
    kind: "bad_response",
    isLasting: true,
    ...words(what, advice),
    ...(status !== undefined && { status }),
  };
}

/** A whole document came where a stream was asked for. */
function notStreamedFailure(facts: FailureFacts, context: FailureContext): LastingFailure {
  if (facts.codes.includes("html")) return htmlFailure(context);
  const said = facts.texts.find((text) => text !== "") ?? "";
  const what = `${asked(context)} answered with plain JSON instead of a stream${said === "" ? "" : ` (${said})`}.`;
  const advice = `Check that the server at the base URL${baseHint(context)} can stream this provider's format.`;
  return { kind: "bad_response", isLasting: true, ...words(what, advice) };
}

function words(what: string, advice: string): Pick<ModelFailure, "message" | "advice"> {
  return advice === "" ? { message: what } : { message: `${what} ${advice}`, advice };
}

export function interruptedFailure(context: FailureContext): ModelFailure {
  const what = `The connection to ${asked(context)} ended before the answer was complete.`;
  return { kind: "network", ...words(what, "Try again.") };
}

export function emptyFailure(context: FailureContext): StubbornFailure {
  const what = `${asked(context)} answered with nothing that is a model's answer.`;
  const advice = `Check that the base URL${baseHint(context)} speaks this provider's API.`;
  return { kind: "bad_response", maxRetries: 1, ...words(what, advice) };
}

export function filteredFailure(context: FailureContext, reason: string | undefined): ModelFailure {
  const because = reason === undefined ? "" : ` (${reason})`;
  const what = `${asked(context)} declined to answer${because}.`;
  return {
    kind: "invalid_request",
    ...words(what, "Rephrase the request, or use another model."),
  };
}

const overflowCodes = ["context_length_exceeded", "context_window_exceeded", "request_too_large"];
const overflowText =
  /prompt is too long|context[ _-]?(?:length|window|size)[^.]{0,60}(?:exceed|too|limit)|exceed[^.]{0,60}context|maximum context length|input token count[^.]{0,60}exceeds|too many tokens|input is too long|reduce the length of the (?:messages|prompt)|larger than the (?:maximum )?context/i;
const quotaCodes = ["insufficient_quota", "billing_hard_limit_reached", "credit_balance_too_low"];
const quotaText =
  /insufficient[ _]quota|exceeded your current quota, please check your plan|credit balance is too low|billing/i;
const refusedConnection = ["econnrefused", "connectionrefused", "failedtoopensocket"];
const unknownHost = ["enotfound", "eai_again"];
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
];
const badResponseCodes = [
  "ai_jsonparseerror",
  "ai_typevalidationerror",
  "ai_invalidresponsedataerror",
  "ai_emptyresponsebodyerror",
  "ai_nocontentgeneratederror",
];

function kindOf(facts: FailureFacts): Kind {
  const names = (codes: readonly string[]) => has(facts, codes);
  const words = wordsOf(facts);
  if (
    names(overflowCodes) ||
    facts.status === 413 ||
    (mayBeOverflow(facts.status) && overflowText.test(words))
  ) {
    return "context_overflow";
  }
  if (names(quotaCodes) || facts.status === 402 || (facts.status === 429 && quotaText.test(words))) {
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
  if (facts.codes.some((code) => code.includes("cert") || code.includes("self_signed"))) return "network";
  if (closedEarly.test(words)) return "network";
  if (names(badResponseCodes)) return "bad_response";
  return kindOfText(words);
}

/** How one package says that the connection closed too early. */
const closedEarly = /ended without a finish reason/;

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

function kindOfStatus(status: number, words: string): Kind {
  if (status === 401 || status === 403) return "authentication";
  // Google answers 400 for a key that it does not know.
  if (status === 400 && /api[ _]key not valid|API_KEY_INVALID/i.test(words)) return "authentication";
  if (status === 404 || status === 405 || status === 410) return "not_found";
  if (status === 408) return "timeout";
  if (status === 429) return "rate_limit";
  if (status === 503 || status === 529) return "overloaded";
  if (status >= 500) return "server";
  return "invalid_request";
}

function kindOfText(words: string): Kind {
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

type Sentence = Pick<ModelFailure, "message" | "advice">;

function sentence(kind: Kind, facts: FailureFacts, context: FailureContext): Sentence {
  const said = quoted(facts);
  const who = asked(context);
  switch (kind) {
    case "authentication":
      return hasNoCredit(facts)
        ? words(
            `${who} refused: the account has no credit left${said}.`,
            "Add credit there, or use another model.",
          )
        : words(`${who} refused the key${said}.`, keyHint(context));
    case "not_found":
      return isHtml(facts.headers, facts.body) || !/model/i.test(facts.texts.join(" "))
        ? words(
            `${who} has nothing at ${facts.url ?? publicBase(context) ?? "this address"}${said}.`,
            `Check the base URL${endingHint(context)}.`,
          )
        : words(
            `${context.provider} does not know the model ${context.model}${said}.`,
            "See which models can be used with: stet models",
          );
    case "context_overflow":
      return words(
        `The conversation is longer than ${context.model} can take${said}.`,
        "Make it shorter with stet sessions compact, start a new session, or use a model with a larger context.",
      );
    case "rate_limit":
      return words(`${who} asks to slow down${said}.`, "Wait a moment and try again.");
    case "overloaded":
      return words(`${who} is overloaded${said}.`, "Wait a moment, or use another model.");
    case "server":
      return words(`${who} failed with an error of its own${said}.`, "Try again, or use another model.");
    case "network":
      return networkSentence(facts, context);
    case "timeout":
      return words(`${who} did not answer in time${said}.`, "Try again.");
    case "bad_response":
      return words(
        `${who} sent an answer that cannot be read${unreadable(facts)}.`,
        `Check that the base URL${baseHint(context)} speaks this provider's API.`,
      );
    case "invalid_request":
      return facts.codes.includes("err_invalid_url")
        ? words(
            `The base URL${baseHint(context)} is not a URL.`,
            "Write it with http:// or https:// in front.",
          )
        : words(`${who} refused the request${said}.`, "");
    default:
      return words(`The request to ${who} failed${said}.`, "");
  }
}

function hasNoCredit(facts: FailureFacts): boolean {
  return facts.status === 402 || quotaText.test(`${wordsOf(facts)} ${facts.codes.join(" ")}`);
}

/** A parser's words, without the dump of what it had expected. */
function unreadable(facts: FailureFacts): string {
  return facts.codes.includes("ai_typevalidationerror") ? " (it has another format)" : quoted(facts);
}

function networkSentence(facts: FailureFacts, context: FailureContext): Sentence {
  const where = origin(facts.url ?? publicBase(context)) ?? asked(context);
  if (has(facts, refusedConnection))
    return words(`Nothing is listening at ${where}.`, "Start the server, or correct the base URL.");
  if (has(facts, unknownHost))
    return words(`The host of ${where} cannot be found.`, "Check the base URL and the network connection.");
  if (isBlockedPort(facts))
    return words(
      `The port of ${where} belongs to another protocol, so no request was sent.`,
      "Correct the base URL, or let the server listen on another port.",
    );
  if (facts.codes.some((code) => code.includes("cert") || code.includes("self_signed"))) {
    return words(
      `The certificate of ${where} is not trusted${quoted(facts)}.`,
      "Set NODE_EXTRA_CA_CERTS if it is your own.",
    );
  }
  return words(`The connection to ${where} broke${quoted(facts)}.`, "Try again.");
}

function asked(context: FailureContext): string {
  return `${context.provider}/${context.model}`;
}

function keyHint(context: FailureContext): string {
  const setting = `providers.${context.provider}.apiKey`;
  return context.keyVariable === undefined
    ? `Check ${setting} in the configuration.`
    : `Check ${context.keyVariable}, or ${setting} in the configuration.`;
}

function baseHint(context: FailureContext): string {
  return context.baseURL === undefined ? "" : ` (${publicAddress(context.baseURL)})`;
}

function publicBase({ baseURL }: FailureContext): string | undefined {
  return baseURL === undefined ? undefined : publicAddress(baseURL);
}

function origin(url: string | undefined): string | undefined {
  return url === undefined ? undefined : URL.canParse(url) ? new URL(url).origin : url;
}

function seconds(duration: number): string {
  return duration < 1000 ? `${duration} ms` : `${Math.round(duration / 1000)} s`;
}

function endingHint(context: FailureContext): string {
  return /\/v\d+[a-z]*\/?$/.test(context.baseURL ?? "") ? "" : "; it usually ends in /v1";
}

function wordsOf(facts: FailureFacts): string {
  return `${facts.texts.join(" ")} ${facts.body}`;
}

/** What packages say about themselves and not about the failure. */
const noise =
  /^(?:Failed to process (?:successful|error) response|terminated|fetch failed|Cannot connect to API: .*)$/;

/** What the server or the system itself said, short, on one line, and without anything that looks like a key. */
function quoted(facts: FailureFacts): string {
  const status = facts.status !== undefined && facts.status >= 400 ? `${facts.status}` : "";
  const telling = facts.texts.filter((text) => !noise.test(text) && !isHtml({}, text));
  // A server's own words stand outside, the system's reason for a broken connection or text inside.
  const chosen = (status === "" ? telling.at(-1) : telling[0]) ?? "";
  const line = chosen
    .replace(/\s+/g, " ")
    .replace(/\b(?:sk-|AIza|gsk_|xai-|Bearer )[\w*.-]{6,}/g, "[key]")
    .replace(/[.\s]+$/, "");
  const said = [status, cutText(line, 300)].filter((part) => part !== "").join(": ");
  return said === "" ? "" : ` (${said})`;
}
