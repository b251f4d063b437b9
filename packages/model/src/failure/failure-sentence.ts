// What a person reads of a failure: what happened, what to do, and which field of the connection would mend it.

import type { ModelFailure, ModelField } from "@stet/protocol/model-stream";
import { publicAddress } from "../network/own-address.ts";
import { certificateClock } from "./failure-clock.ts";
import { type FailureFacts, isHtml } from "./failure-facts.ts";
import { keySentence } from "./failure-key.ts";
import {
  type FailureKind,
  has,
  isBlockedPort,
  isCertificate,
  isRedirect,
  needsToolParser,
  refusedConnection,
  refusesTools,
  unknownHost,
  wordsOf,
} from "./failure-kind.ts";
import { quoted } from "./failure-quote.ts";

/** Who was asked, for the sentence. */
export interface FailureContext {
  readonly provider: string;
  readonly model: string;
  readonly baseURL?: string;
  /** The environment variable that the key comes from. */
  readonly keyVariable?: string;
  /** What the request was sent with: servers repeat a key that they refuse. */
  readonly secrets?: readonly string[];
}

export interface Sentence extends Pick<ModelFailure, "message" | "advice"> {
  readonly field?: ModelField;
}

export function words(what: string, advice: string, field: ModelField): Sentence {
  return { ...fieldless(what, advice), field };
}

/** For what no change of the connection would mend. */
export function fieldless(what: string, advice: string): Sentence {
  return advice === "" ? { message: what } : { message: `${what} ${advice}`, advice };
}

export function sentence(kind: FailureKind, facts: FailureFacts, context: FailureContext): Sentence {
  const said = quoted(facts);
  const who = asked(context);
  switch (kind) {
    case "authentication":
      return keySentence(facts, context);
    case "not_found":
      return notFoundSentence(facts, context);
    case "context_overflow":
      return words(
        `The conversation is longer than ${context.model} can take${said}.`,
        "Make it shorter with stet sessions compact, start a new session, or use a model with a larger context.",
        "context",
      );
    case "rate_limit":
      return fieldless(`${who} asks to slow down${said}.`, "Wait a moment and try again.");
    case "overloaded":
      return words(`${who} is overloaded${said}.`, "Wait a moment, or use another model.", "server");
    case "server":
      return words(
        `${who} failed with an error of its own${said}.`,
        "Try again, or use another model.",
        "server",
      );
    case "network":
      return networkSentence(facts, context);
    case "timeout":
      return words(`${who} did not answer in time${said}.`, "Try again.", "server");
    case "bad_response":
      return has(facts, ["endless_stream"])
        ? words(`${who} sent an answer without an end${said}.`, "Ask again, or use another model.", "server")
        : words(
            `${who} sent an answer that cannot be read${unreadable(facts)}.`,
            `Check that the base URL${baseHint(context)} speaks this provider's API.`,
            "address",
          );
    case "invalid_request":
      return requestSentence(facts, context);
    default:
      return fieldless(`The request to ${who} failed${said}.`, "");
  }
}

function notFoundSentence(facts: FailureFacts, context: FailureContext): Sentence {
  const said = quoted(facts);
  if (refusesTools(facts)) return toolsSentence(said, context);
  // Without any word about a model there is nothing at this path.
  if (isHtml(facts.headers, facts.body) || !/model|deployment/i.test(facts.texts.join(" "))) {
    return words(
      `${asked(context)} has nothing at ${facts.url ?? publicBase(context) ?? "this address"}${said}.`,
      `Check the base URL${endingHint(context)}.`,
      "address",
    );
  }
  const where = regions[context.provider];
  return words(
    `${context.provider} does not know the model ${context.model}${said}.`,
    `${where === undefined ? "" : `${where} `}See which models can be used with: stet models`,
    "model",
  );
}

/** Where a model may well exist, but not for this key or at this address. */
const regions: Readonly<Record<string, string>> = {
  azure: "The name is that of a deployment of this resource.",
  "azure-chat": "The name is that of a deployment of this resource.",
  bedrock: "Not every region has every model, and some need an inference profile such as us.MODEL.",
  vertex: "Not every location has every model, and some have to be enabled in the project.",
};

function requestSentence(facts: FailureFacts, context: FailureContext): Sentence {
  const said = quoted(facts);
  const who = asked(context);
  if (facts.codes.includes("err_invalid_url")) {
    return words(
      `The base URL${baseHint(context)} is not a URL.`,
      "Write it with http:// or https:// in front.",
      "address",
    );
  }
  if (needsToolParser(facts)) {
    return words(
      `${who} was started without support for tools${said}.`,
      "Start the server with the option that it names, or use another model.",
      "server",
    );
  }
  if (refusesTools(facts)) return toolsSentence(said, context);
  if (/location is not supported|not available in your (?:country|region)/i.test(wordsOf(facts))) {
    return words(
      `${context.provider} cannot be used from where this machine is${said}.`,
      "Use another provider.",
      "server",
    );
  }
  if (
    /model identifier is invalid|on-demand throughput|inference profile|(?:unknown|no such|invalid) model|model[^.]{0,80}(?:does not exist|not found)/i.test(
      wordsOf(facts),
    )
  ) {
    return notFoundSentence(facts, context);
  }
  return fieldless(`${who} refused the request${said}.`, "");
}

function toolsSentence(said: string, context: FailureContext): Sentence {
  return words(
    `${asked(context)} cannot use tools, so it can neither read nor change anything here${said}.`,
    `Use another model, or set "tools": false for it under providers.${context.provider}.models.`,
    "model",
  );
}

/** A parser's words, without the dump of what it had expected. */
function unreadable(facts: FailureFacts): string {
  return facts.codes.includes("ai_typevalidationerror") ? " (it has another format)" : quoted(facts);
}

function networkSentence(facts: FailureFacts, context: FailureContext): Sentence {
  const where = origin(facts.url ?? publicBase(context)) ?? asked(context);
  if (has(facts, refusedConnection))
    return words(`Nothing is listening at ${where}.`, "Start the server, or correct the base URL.", "server");
  if (has(facts, unknownHost))
    return words(
      `The host of ${where} cannot be found.`,
      "Check the base URL and the network connection.",
      "address",
    );
  if (isBlockedPort(facts))
    return words(
      `The port of ${where} belongs to another protocol, so no request was sent.`,
      "Correct the base URL, or let the server listen on another port.",
      "address",
    );
  if (isRedirect(facts)) {
    return words(
      `${where} sends requests on to another address${quoted(facts)}, which was not followed: your conversation and key go only where you said.`,
      "If you trust that address, make it the base URL.",
      "address",
    );
  }
  if (isCertificate(facts)) return certificateSentence(facts, where);
  return words(`The connection to ${where} broke${quoted(facts)}.`, "Try again.", "server");
}

function certificateSentence(facts: FailureFacts, where: string): Sentence {
  const clock = certificateClock(facts, new Date());
  return clock === undefined
    ? words(
        `The certificate of ${where} is not trusted${quoted(facts)}.`,
        "Set NODE_EXTRA_CA_CERTS if it is your own.",
        "server",
      )
    : words(`The certificate of ${where} ${clock.what}${quoted(facts)}.`, clock.advice, "server");
}

export function asked(context: FailureContext): string {
  // Nobody is named where a provider is asked for its models.
  return context.model === "" ? context.provider : `${context.provider}/${context.model}`;
}

export function baseHint(context: FailureContext): string {
  return context.baseURL === undefined ? "" : ` (${publicAddress(context.baseURL)})`;
}

function publicBase({ baseURL }: FailureContext): string | undefined {
  return baseURL === undefined ? undefined : publicAddress(baseURL);
}

function origin(url: string | undefined): string | undefined {
  return url === undefined ? undefined : URL.canParse(url) ? new URL(url).origin : url;
}

export function endingHint(context: FailureContext): string {
  return /\/v\d+[a-z]*\/?$/.test(context.baseURL ?? "") ? "" : "; it usually ends in /v1";
}
