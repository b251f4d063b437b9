// Redaction of a text before it is stored, displayed or sent on: values that are known to be secret, and what looks like a
// key of a well-known kind. Each becomes `[redacted:kind]`.
//
// - Once is enough: redacting a redacted text changes nothing.
// - The time grows with the length of the text. Every pattern begins where a word begins and has no choice in how to go on.
// - Hashes, ids, images and integrity strings are not redacted: a pattern without a mark of its own is not in the list
//   (secret-formats.ts).

import { isFilledIn, type Marked, marked, tokens } from "./secret-formats.ts";

export type Redact = (text: string) => string;

const minSecret = 8;

/** What replaces a secret. */
export type Label = (kind: string, secret: string) => string;

const plainLabel: Label = (kind) => `[redacted:${kind}]`;

/** `secrets` are values; those shorter than eight characters would be found everywhere, and are left alone. */
export function redactor(secrets: readonly string[], label: Label = plainLabel): Redact {
  const known = knownPattern(secrets);
  return (text) => {
    let result = known === undefined ? text : text.replace(known, (secret) => label("secret", secret));
    result = redactTokens(redactKeys(result, label), label);
    for (const format of marked) if (format.hint.test(result)) result = redactMarked(result, format, label);
    return result;
  };
}

const kinds = new Set([
  "secret",
  "value",
  "private-key",
  ...tokens.map(({ kind }) => kind),
  ...marked.map(({ kind }) => kind),
]);

/** The marks in a text that redaction put instead of secrets. */
export function redactionMarks(text: string): readonly string[] {
  if (!text.includes("[redacted:")) return [];
  return text.match(/\[redacted:[a-z0-9-]+\]/g)?.filter((mark) => kinds.has(mark.slice(10, -1))) ?? [];
}

/** The values as they are, and as they look inside of JSON and of addresses. */
function knownPattern(secrets: readonly string[]): RegExp | undefined {
  const forms = new Set<string>();
  for (const secret of secrets) {
    // One that is part of our own mark would be found in it again.
    if (secret.length < minSecret || secret.includes("[") || "[redacted:private-key]".includes(secret))
      continue;
    forms.add(secret);
    forms.add(JSON.stringify(secret).slice(1, -1));
    if (secret.isWellFormed()) forms.add(encodeURIComponent(secret));
  }
  const ordered = [...forms].filter((form) => !form.includes("redact")).sort((a, b) => b.length - a.length);
  if (ordered.length === 0) return undefined;
  return new RegExp(ordered.map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")).join("|"), "g");
}

type Groups = Readonly<Partial<Record<"before" | "value" | "after", string>>>;

function isGroups(value: unknown): value is Groups {
  return typeof value === "object" && value !== null;
}

// A token begins where a word does; that it is no part of `a-token` or `a_token` is looked at when one is found.
const tokenPattern = new RegExp(`\\b(?:${tokens.map(({ body }) => body).join("|")})(?![A-Za-z0-9_-])`, "g");
const tokenKinds = tokens.map(({ body, ...token }) => ({ ...token, whole: new RegExp(`^(?:${body})$`) }));

function redactTokens(text: string, label: Label): string {
  return text.replace(tokenPattern, (value: string, at: number) => {
    if (text[at - 1] === "-") return value;
    const token = tokenKinds.find(({ whole, isSecret }) => whole.test(value) && isSecret?.(value) !== false);
    return token === undefined ? value : label(token.kind, value);
  });
}

function redactMarked(text: string, { pattern, isSecret, kind }: Marked, label: Label): string {
  return text.replace(pattern, (match, ...rest: unknown[]) => {
    const groups = rest.at(-1);
    const { before = "", value = match, after = "" } = isGroups(groups) ? groups : {};
    if (value.startsWith("[redacted:") || isSecret?.(value) === false) return match;
    return before + label(kind, value) + after;
  });
}

const keyBegin = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g;
const keyEnd = /-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g;

/** Blocks of private keys, also when their end is cut off. Found by hand: a pattern would look for each end anew. */
function redactKeys(text: string, label: Label): string {
  let result = "";
  let at = 0;
  let hasEnd = true;
  keyBegin.lastIndex = 0;
  for (let begin = keyBegin.exec(text); begin !== null; begin = keyBegin.exec(text)) {
    const body = begin.index + begin[0].length;
    keyEnd.lastIndex = body;
    const found: RegExpExecArray | null = hasEnd ? keyEnd.exec(text) : null;
    hasEnd = found !== null;
    const stop = found === null ? body + rest(text, body) : found.index + found[0].length;
    result += text.slice(at, begin.index) + label("private-key", text.slice(begin.index, stop));
    at = stop;
    keyBegin.lastIndex = stop;
  }
  return at === 0 ? text : result + text.slice(at);
}

/** How far the letters of a key go on, with line ends as they are or as `\n`. */
function rest(text: string, from: number): number {
  const letters = /(?:[A-Za-z0-9+/=\s]|\\[nr])*/y;
  letters.lastIndex = from;
  return letters.exec(text)?.[0].length ?? 0;
}

const secretKey =
  /^(?:api_?key|password|passwd|passphrase|secret|client_?secret|access_?token|refresh_?token|id_?token|auth_?token|authorization|private_?key|secret_?key|access_?key)$/i;
const maxDepth = 500;

/** A JSON value with every text in it redacted, and with what is named like a secret. */
export function redactValue(value: unknown, redact: Redact, depth = 0): unknown {
  if (typeof value === "string") return redact(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth > maxDepth) return plainLabel("too-deep", "");
  if (Array.isArray(value)) return value.map((item) => redactValue(item, redact, depth + 1));
  const entries = Object.entries(value).map(([key, item]) => {
    const isNamed = typeof item === "string" && item.length >= minSecret && secretKey.test(key);
    if (isNamed && isFilledIn(item) && !item.startsWith("[redacted:"))
      return [key, plainLabel("value", item)];
    return [key, redactValue(item, redact, depth + 1)];
  });
  return Object.fromEntries(entries);
}

const secretName =
  /(?:^|_)(?:API_?KEY|ACCESS_?KEY(?:_ID)?|PRIVATE_?KEY|SECRET_?KEY|ENCRYPTION_?KEY|SECRET|TOKEN|PASS(?:WD|WORD|PHRASE)?|CREDENTIALS?|PAT|AUTH|COOKIE|DSN)(?:_|$)|(?:APIKEY|TOKEN|SECRET|PASSWORD)$/i;
const plainName =
  /^(?:SSH_AUTH_SOCK|SSH_ASKPASS|GIT_ASKPASS|\w*_ASKPASS|XAUTHORITY|\w*_(?:FILE|PATH|DIR|LIMIT|BUDGET|COUNT|TTL|URL_PATH))$/i;

/** The values of variables that are named like secrets, and passwords inside of addresses. */
export function secretsOf(environment: Readonly<Record<string, string | undefined>>): string[] {
  const found = new Set<string>();
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined || value.length < minSecret) continue;
    const password = /^[a-z][a-z0-9+.-]*:\/\/[^\s:/@]*:([^\s@]+)@/i.exec(value)?.[1];
    if (password !== undefined && password.length >= minSecret && isFilledIn(password)) found.add(password);
    else if (
      secretName.test(name) &&
      !plainName.test(name) &&
      isFilledIn(value) &&
      !/^(?:\/|~\/|\.\/|[a-z]+:\/\/)/i.test(value)
    ) {
      found.add(value);
    }
  }
  return [...found];
}

/** The redactor of this process for texts, and for the texts in any value: what it keeps, tells or sends on goes through it. */
export function redactionFor(environment: Readonly<Record<string, string | undefined>>): <T>(value: T) => T {
  const redact = redactor(secretsOf(environment));
  return <T>(value: T) => redactValue(value, redact) as T;
}
