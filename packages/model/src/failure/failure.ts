// Classifies whatever went wrong into a ModelFailure, once: its kind (failure-kind.ts), a sentence for a person, and what of the
// connection would mend it (failure-sentence.ts).

import type { ModelFailure, ModelField } from "@stet/protocol/model-stream";
import { publicAddress, withoutSecrets, withoutSecretsOf } from "../network/own-address.ts";
import { type FailureFacts, gatherFacts, retryAfter } from "./failure-facts.ts";
import { has, isBlockedPort, isNobodyThere, isRedirect, kindOf, unknownHost } from "./failure-kind.ts";
import {
  asked,
  baseHint,
  endingHint,
  type FailureContext,
  fieldless,
  type Sentence,
  sentence,
  words,
} from "./failure-sentence.ts";

export { endedEarly } from "./failure-kind.ts";
export type { FailureContext } from "./failure-sentence.ts";

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

/** Why a provider cannot be used. Its message is the whole sentence. */
export class UnusableProvider extends Error {
  readonly code = "provider_unusable";
  readonly field: ModelField;

  constructor(message: string, field: ModelField = "package") {
    super(message);
    this.field = field;
  }
}

export function classifyFailure(error: unknown, context: FailureContext): ModelFailure {
  if (error instanceof UnusableProvider) return unusableFailure(error, context);
  const facts = publicFacts(gatherFacts(error), context);
  if (facts.codes.includes("not_a_stream")) return notStreamedFailure(facts, context);
  const kind = kindOf(facts);
  const wait = retryAfter(facts);
  const isLasting = isNobodyThere(facts) || isBlockedPort(facts) || isRedirect(facts);
  return {
    kind,
    ...told(sentence(kind, facts, context), context),
    ...(facts.status !== undefined && facts.status >= 400 && { status: facts.status }),
    ...(wait !== undefined && { retryAfterMs: wait }),
    ...((isLasting || has(facts, ["endless_stream"])) && { isLasting: true }),
    ...((kind === "bad_response" || has(facts, unknownHost)) && { maxRetries: 1 }),
  };
}

/** A sentence with where it leads. */
function told(
  { field, ...said }: Sentence,
  { provider, model }: FailureContext,
): Pick<ModelFailure, "message" | "advice" | "mend"> {
  return field === undefined ? said : { ...said, mend: { provider, model, field } };
}

function unusableFailure({ message, field }: UnusableProvider, context: FailureContext): ModelFailure {
  const kind = field === "key" ? "authentication" : field === "package" ? "not_found" : "invalid_request";
  return { kind, ...told({ message, field }, context) };
}

/** Facts without secrets: a server, or the library that asks it, may repeat the key, or the address with a key in it. */
function publicFacts(facts: FailureFacts, { baseURL, secrets = [] }: FailureContext): FailureFacts {
  const hide = (text: string) =>
    withoutSecrets(secrets, baseURL === undefined ? text : withoutSecretsOf(baseURL, text));
  return {
    ...facts,
    body: hide(facts.body),
    texts: facts.texts.map(hide),
    ...(facts.url !== undefined && { url: publicAddress(facts.url) }),
  };
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
  return { kind: "timeout", ...told(words(what, advice, "server"), context) };
}

/** Reported before anything is sent: the server would refuse the request, or answer without doing anything. */
export function withoutToolsFailure(context: FailureContext): ModelFailure {
  const { provider, model } = context;
  const what = `${provider}/${model} cannot use tools, so it can neither read nor change anything here.`;
  const advice = `Use another model, or set "tools": true for it under providers.${provider}.models if it can.`;
  return { kind: "invalid_request", ...told(words(what, advice, "model"), context) };
}

export function htmlFailure(context: FailureContext, status?: number): LastingFailure {
  const what = `${asked(context)} answered with a web page instead of a model's answer.`;
  const advice = `The base URL is probably wrong${baseHint(context)}${endingHint(context)}.`;
  return {
    kind: "bad_response",
    isLasting: true,
    ...told(words(what, advice, "address"), context),
    ...(status !== undefined && { status }),
  };
}

/** An answer that is longer than the model's can be, from a server that repeats itself. */
export function endlessFailure(context: FailureContext, characters: number): LastingFailure {
  const what = `${asked(context)} wrote ${Math.round(characters / 1000)} thousand characters and did not end, so it was stopped.`;
  const advice =
    "Ask again, or use another model; a server of your own may need another template for this model.";
  return { kind: "bad_response", isLasting: true, ...told(words(what, advice, "server"), context) };
}

/** A whole document came where a stream was asked for. */
function notStreamedFailure(facts: FailureFacts, context: FailureContext): LastingFailure {
  if (facts.codes.includes("html")) return htmlFailure(context);
  const said = facts.texts.find((text) => text !== "") ?? "";
  const what = `${asked(context)} answered with plain JSON instead of a stream${said === "" ? "" : ` (${said})`}.`;
  const advice = `Check that the server at the base URL${baseHint(context)} can stream this provider's format.`;
  return { kind: "bad_response", isLasting: true, ...told(words(what, advice, "address"), context) };
}

export function interruptedFailure(context: FailureContext): ModelFailure {
  const what = `The connection to ${asked(context)} ended before the answer was complete.`;
  return { kind: "network", ...told(words(what, "Try again.", "server"), context) };
}

export function emptyFailure(context: FailureContext): StubbornFailure {
  const what = `${asked(context)} answered with nothing that is a model's answer.`;
  const advice = `Check that the base URL${baseHint(context)} speaks this provider's API.`;
  return { kind: "bad_response", maxRetries: 1, ...told(words(what, advice, "address"), context) };
}

export function filteredFailure(context: FailureContext, reason: string | undefined): ModelFailure {
  const because = reason === undefined ? "" : ` (${reason})`;
  const what = `${asked(context)} declined to answer${because}.`;
  return {
    kind: "invalid_request",
    ...fieldless(what, "Rephrase the request, or use another model."),
  };
}

function seconds(duration: number): string {
  return duration < 1000 ? `${duration} ms` : `${Math.round(duration / 1000)} s`;
}
