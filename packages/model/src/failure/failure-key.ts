// Why a key was not taken: there is none, it is wrong, it has expired, it belongs to another region, its account has no credit,
// or the clock of this machine is wrong.

import { clockDifference } from "./failure-clock.ts";
import type { FailureFacts } from "./failure-facts.ts";
import { has, hasBadSignature, hasNoCredentials, hasNoCredit, isExpired, wordsOf } from "./failure-kind.ts";
import { quoted } from "./failure-quote.ts";
import { asked, type FailureContext, fieldless, type Sentence, words } from "./failure-sentence.ts";

export function keySentence(facts: FailureFacts, context: FailureContext): Sentence {
  const said = quoted(facts);
  const who = asked(context);
  const text = wordsOf(facts);
  if (hasNoCredit(facts)) {
    return words(
      `${who} refused: the account has no credit left${said}.`,
      "Add credit there, or use another model.",
      "account",
    );
  }
  if (hasBadSignature(facts)) return signatureSentence(facts, context);
  if (isExpired(facts)) {
    return words(`The key of ${context.provider} has expired${said}.`, expiredHint(text, context), "key");
  }
  if (has(facts, ["ai_loadapikeyerror", "ai_loadsettingerror"]) || hasNoCredentials(facts)) {
    return words(`${context.provider} needs a key${said}.`, missingHint(facts, context), "key");
  }
  if (/not been used in project|is disabled\b|SERVICE_DISABLED|billing/i.test(text)) {
    return words(
      `${who} is not enabled for this account${said}.`,
      "Enable it there, or use another model.",
      "account",
    );
  }
  if (/access to the model|not authorized to (?:perform|invoke|access)|AccessDenied/i.test(text)) {
    return words(
      `${who} may not be used with this key${said}.`,
      "Ask for access to this model in the provider's console, or use another model.",
      "model",
    );
  }
  if (isOtherRegion(text)) {
    return words(
      `${who} refused the key, which may belong to another region or resource${said}.`,
      `Check ${placeHint(context)}, and that the key is of the same one. ${keyHint(context)}`,
      "key",
    );
  }
  return words(`${who} refused the key${said}.`, keyHint(context), "key");
}

function isOtherRegion(text: string): boolean {
  return /wrong API endpoint|correct regional|valid region|not valid for (?:this )?(?:region|endpoint|location)|(?:wrong|another|different|other|incorrect) (?:region|location|endpoint|resource)|(?:region|location) (?:mismatch|does not match)/i.test(
    text,
  );
}

/** The setting that says where. */
function placeHint({ provider }: FailureContext): string {
  if (provider === "bedrock") return "AWS_REGION or providers.bedrock.options.region";
  if (provider === "vertex") return "GOOGLE_VERTEX_LOCATION or providers.vertex.options.location";
  if (provider.startsWith("azure")) return `AZURE_RESOURCE_NAME or providers.${provider}.options.resource`;
  return `providers.${provider}.baseURL`;
}

function signatureSentence(facts: FailureFacts, context: FailureContext): Sentence {
  const said = quoted(facts);
  const difference = clockDifference(facts, Date.now());
  if (difference !== undefined) {
    return fieldless(
      `${asked(context)} refused the request because of its time: the clock of this machine is ${difference} the server's${said}.`,
      "Set the clock, then try again.",
    );
  }
  if (/TimeTooSkewed|expired|not yet current|timeframe/i.test(wordsOf(facts))) {
    return fieldless(
      `${asked(context)} refused the request because of its time: the clock of this machine may be wrong${said}.`,
      "Set the clock, then try again.",
    );
  }
  return words(
    `${asked(context)} refused the signature of the request${said}.`,
    `The secret key does not belong to the key id, or the region is another one: check ${placeHint(context)}. ${keyHint(context)}`,
    "key",
  );
}

function expiredHint(text: string, context: FailureContext): string {
  return /security token|session token|ExpiredToken/i.test(text) && context.provider === "bedrock"
    ? "Sign in to AWS again, which makes a new session token, and set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, or connect it with stet login bedrock."
    : keyHint(context);
}

function missingHint(facts: FailureFacts, context: FailureContext): string {
  return hasNoCredentials(facts)
    ? `Sign in with gcloud auth application-default login, or give a key with stet login ${context.provider}.`
    : keyHint(context);
}

/** Where the key is, and how to give another one. */
function keyHint({ provider, keyVariable }: FailureContext): string {
  const other = `ive another key with stet login ${provider} ("Connect a model" in the window)`;
  return keyVariable === undefined
    ? `G${other}, or correct providers.${provider}.apiKey where the configuration has it.`
    : `Check ${keyVariable}, or g${other}.`;
}
