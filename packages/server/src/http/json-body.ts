// A reply as JSON, ready to be sent.
//
// Turning a book into JSON takes most of the time of sending it where it has characters beyond Latin-1: each of its
// characters is looked at, and all of it is encoded afterwards. So a long text is encoded first. JSON only escapes what
// ASCII has, and no byte of a longer UTF-8 sequence is one of ASCII's: escaping the bytes is escaping the text.

/** From so many characters on a text is worth it. */
const longText = 32_768;

export function jsonBody(data: unknown): string | Buffer<ArrayBuffer> {
  return hasLongText(data) ? Buffer.from(encodedRecord(data), "latin1") : JSON.stringify(data);
}

/** Among what it names, or in a record among that. */
function hasLongText(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  return Object.values(value).some((part) => isLong(part) || hasLongText(part));
}

function isLong(value: unknown): value is string {
  return typeof value === "string" && value.length >= longText;
}

function encodedRecord(data: Readonly<Record<string, unknown>>): string {
  const parts: string[] = [];
  for (const [name, value] of Object.entries(data)) {
    const json = encoded(value);
    if (json !== undefined) parts.push(`${encoded(name)}:${json}`);
  }
  return `{${parts.join(",")}}`;
}

function encoded(value: unknown): string | undefined {
  // Half of a surrogate pair has no bytes; JSON itself has a name for it.
  if (isLong(value) && value.isWellFormed()) return JSON.stringify(asLatin1(value));
  if (hasLongText(value)) return encodedRecord(value);
  const json: string | undefined = JSON.stringify(value);
  return json === undefined ? undefined : asLatin1(json);
}

/** The bytes of a text in UTF-8, as one character each. */
function asLatin1(text: string): string {
  return Buffer.from(text).toString("latin1");
}
