// What the server or the system itself said of a failure, as part of a sentence.

import { cutText } from "@stet/protocol/cut-text";
import { type FailureFacts, isHtml } from "./failure-facts.ts";

/** What packages say about themselves and not about the failure. */
const noise =
  /^(?:Failed to process (?:successful|error) response|terminated|fetch failed|Cannot connect to API: .*|Type validation failed: .*|\[\s*\{.*)$/s;

/** Short, on one line, and without anything that looks like a key. */
export function quoted(facts: FailureFacts): string {
  const status = facts.status !== undefined && facts.status >= 400 ? `${facts.status}` : "";
  const telling = facts.texts.filter((text) => !noise.test(text) && !isHtml({}, text));
  // A server's own words stand outside, the system's reason for a broken connection or text inside.
  const chosen = (status === "" ? telling.at(-1) : telling[0]) ?? "";
  const line = chosen
    .replace(/\s+/g, " ")
    .replace(/\b(?:sk-|AIza|gsk_|xai-|Bearer |ABSK|ASIA|AKIA)[\w*.+/=-]{6,}/g, "[key]")
    .replace(/[.\s]+$/, "");
  const said = [status, cutText(line, 300)].filter((part) => part !== "").join(": ");
  return said === "" ? "" : ` (${said})`;
}
