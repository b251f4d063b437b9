// How much one answer may hold. An answer over what the agent shows (see bound-output.ts) would be cut anywhere, and the
// model would have been shown less than we keep account of; so every tool here stays below by itself.

/** Bytes of an answer's JSON; the rest is for the fields around it. */
export const maxAnswerBytes = 40_000;

/** Bytes that a text takes in JSON. Exact up to the limit; what is longer in characters is not looked at. */
export function answerBytes(text: string): number {
  return text.length > maxAnswerBytes ? text.length : Buffer.byteLength(JSON.stringify(text)) - 2;
}
