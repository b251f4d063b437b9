// What a provider signed, on its way back: thinking, calls, and their ids.
//
// A signature is the provider's metadata of a block as JSON (sdk-stream.ts); it goes back to the same provider and model only.

import type { JSONObject, JSONValue, SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { AssistantMessage } from "@stet/protocol/message";
import { type FamilyModel, isMistral } from "./family.ts";

interface Options {
  readonly providerOptions?: SharedV4ProviderOptions;
}

export function signed(signature: string | undefined): Options {
  if (signature === undefined) return {};
  try {
    const value: unknown = JSON.parse(signature);
    return isProviderOptions(value) ? { providerOptions: value } : {};
  } catch {
    return {};
  }
}

function isProviderOptions(value: unknown): value is SharedV4ProviderOptions {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.values(value).every((options) => typeof options === "object" && options !== null)
  );
}

/** OpenRouter takes thinking as fields of the message, not as parts of it. */
export function returnsThinkingBeside({ family }: FamilyModel): boolean {
  return family === "openrouter";
}

export function messageOptions(message: AssistantMessage, target: FamilyModel): Options {
  if (!returnsThinkingBeside(target)) return {};
  const details: JSONValue[] = [];
  let text = "";
  for (const content of message.content) {
    if (content.type !== "thinking") continue;
    text += content.thinking;
    const kept = signed(content.signature).providerOptions?.openrouter?.reasoningDetails;
    if (Array.isArray(kept)) details.push(...kept);
  }
  const fields: JSONObject = {
    ...(text !== "" && { reasoning: text }),
    ...(details.length > 0 && { reasoning_details: details }),
  };
  return Object.keys(fields).length === 0 ? {} : { providerOptions: { openaiCompatible: fields } };
}

/** An id that this provider takes; the same one for a call and its result. */
export function callId(id: string, target: FamilyModel): string {
  if (!isMistral(target)) return id.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 64);
  return /^[a-zA-Z0-9]{9}$/.test(id) ? id : nineCharacters(id);
}

function nineCharacters(text: string): string {
  let one = 0x811c9dc5;
  let other = 0x01000193;
  for (let index = 0; index < text.length; index++) {
    one = Math.imul(one ^ text.charCodeAt(index), 0x01000193) >>> 0;
    other = Math.imul(other + text.charCodeAt(index), 0x85ebca6b) >>> 0;
  }
  return (one.toString(36) + other.toString(36)).padEnd(9, "0").slice(-9);
}
