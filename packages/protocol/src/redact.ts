// Secrets taken out of a text before it is kept, shown or sent on: values that are known to be secret, and what looks like a
// key of a well-known kind. Each becomes `[redacted:kind]`.
//
// - Once is enough: redacting a redacted text changes nothing.
// - The time grows with the length of the text. Every pattern begins where a word begins and has no choice in how to go on.
// - Hashes, ids, images and integrity strings stay: a pattern without a mark of its own is not in the list.

export type Redact = (text: string) => string;

const minSecret = 8;

/** `secrets` are values; those shorter than eight characters would be found everywhere, and are left alone. */
export function redactor(secrets: readonly string[]): Redact {
  const known = knownPattern(secrets);
  return (text) => {
    let result = known === undefined ? text : text.replace(known, label("secret"));
    result = redactKeys(result);
    for (const { kind, pattern, isSecret } of formats) {
      result = result.replace(pattern, (match, ...rest: unknown[]) => {
        const groups = rest.at(-1);
        const { before = "", value = match, after = "" } = isGroups(groups) ? groups : {};
        if (value.startsWith("[redacted:") || isSecret?.(value) === false) return match;
        return before + label(kind) + after;
      });
    }
    return result;
  };
}

function label(kind: string): string {
  return `[redacted:${kind}]`;
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

interface Format {
  readonly kind: string;
  /** May name the groups `before`, `value` and `after`; only the value goes. */
  readonly pattern: RegExp;
  readonly isSecret?: (value: string) => boolean;
}

type Groups = Readonly<Partial<Record<"before" | "value" | "after", string>>>;

function isGroups(value: unknown): value is Groups {
  return typeof value === "object" && value !== null;
}

const start = "(?<![A-Za-z0-9_-])";
const end = "(?![A-Za-z0-9_-])";

function token(kind: string, body: string, isSecret?: Format["isSecret"]): Format {
  const format = { kind, pattern: new RegExp(start + body + end, "g") };
  return isSecret === undefined ? format : { ...format, isSecret };
}

/** Letters and digits mixed, as no word is. */
function isMixed(value: string): boolean {
  return /\d/.test(value) && /[A-Z]/.test(value) && /[a-z]/.test(value);
}

const placeholder =
  /^(?:\$.*|%.*%|<.*>?|\{\{.*|\*+|[xX.]+|(?:your|replace|insert|enter|example|dummy|fake|placeholder)[-_ ].*|change[-_]?me|todo|pass(?:word)?|secret|token|user(?:name)?|undefined|null|none|true|false|string|process\.env.*)$/i;

function isFilledIn(value: string): boolean {
  return !placeholder.test(value);
}

const formats: readonly Format[] = [
  token("anthropic-key", "sk-ant-[A-Za-z0-9_-]{20,}"),
  token("openai-key", "sk-(?:proj|svcacct|admin|or-v1)-[A-Za-z0-9_-]{20,}"),
  token("api-key", "sk-[A-Za-z0-9_-]{20,}", isMixed),
  token("stripe-key", "(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}"),
  token("stripe-key", "whsec_[A-Za-z0-9+/]{24,}={0,2}"),
  token("github-token", "gh[pousr]_[A-Za-z0-9]{36,}"),
  token("github-token", "github_pat_[A-Za-z0-9_]{22,}"),
  token("gitlab-token", "gl(?:pat|dt|rt|cbt|ptt|soat)-[A-Za-z0-9_-]{20,}"),
  token("aws-key", "(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}"),
  token("slack-token", "xox[abeoprs]-[A-Za-z0-9-]{10,}"),
  token("slack-token", "xapp-[0-9]-[A-Za-z0-9-]{10,}"),
  token("google-key", "AIza[A-Za-z0-9_-]{35}"),
  token("google-token", "ya29\\.[A-Za-z0-9_-]{20,}"),
  token("google-token", "GOCSPX-[A-Za-z0-9_-]{20,}"),
  token("npm-token", "npm_[A-Za-z0-9]{36,}"),
  token("pypi-token", "pypi-[A-Za-z0-9_-]{50,}"),
  token("huggingface-token", "hf_[A-Za-z0-9]{30,}"),
  token("sendgrid-key", "SG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}"),
  token("digitalocean-token", "do[opr]_v1_[a-f0-9]{64}"),
  token("docker-token", "dckr_pat_[A-Za-z0-9_-]{20,}"),
  token("shopify-token", "shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"),
  token("api-key", "(?:gsk_|xai-|pplx-|tvly-|r8_|lin_api_|glsa_|sbp_|ntn_|fio-u-)[A-Za-z0-9_-]{30,}"),
  token("age-key", "AGE-SECRET-KEY-1[A-Z0-9]{50,}"),
  token("telegram-token", "[0-9]{8,10}:AA[A-Za-z0-9_-]{32,33}"),
  token("jwt", "eyJ[A-Za-z0-9_-]{10,}\\.eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}"),
  {
    kind: "slack-webhook",
    pattern:
      /(?<before>hooks\.slack\.com\/services\/)(?<value>[A-Za-z0-9]{5,20}\/[A-Za-z0-9]{5,20}\/[A-Za-z0-9]{10,40})/g,
  },
  {
    kind: "aws-secret",
    pattern:
      /(?<before>aws_?secret_?access_?key["']?[ \t]{0,4}[=:][ \t]{0,4}["']?)(?<value>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])/gi,
  },
  {
    kind: "authorization",
    pattern:
      /(?<before>\b(?:proxy-)?authorization["']?[ \t]{0,4}[:=][ \t]{0,4}["']?(?:(?:bearer|basic|token|digest)[ \t]{1,4})?)(?<value>[A-Za-z0-9._~+/=-]{8,})/gi,
    isSecret: (value) => isFilledIn(value) && !/^(?:bearer|basic|token|digest)$/i.test(value),
  },
  {
    kind: "authorization",
    pattern: /(?<before>\bBearer[ \t]{1,4})(?<value>[A-Za-z0-9._~+/=-]{20,})/g,
    isSecret: (value) => /\d/.test(value),
  },
  {
    kind: "api-key",
    pattern:
      /(?<before>\bx-(?:api-key|goog-api-key|auth-token)["']?[ \t]{0,4}[:=][ \t]{0,4}["']?)(?<value>[A-Za-z0-9._~+/=-]{8,})/gi,
    isSecret: isFilledIn,
  },
  {
    kind: "password",
    pattern:
      /(?<before>(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@"'`<>\\]{0,100}:)(?<value>[^\s/@"'`<>\\]{1,200})(?<after>@)/gi,
    isSecret: isFilledIn,
  },
  {
    kind: "value",
    pattern:
      /(?<before>^[ \t]{0,8}(?:export[ \t]{1,4})?[A-Z][A-Z0-9_]{0,60}?(?:SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|ACCESS_KEY|PRIVATE_KEY|SECRET_KEY|ENCRYPTION_KEY)=["']?)(?<value>[^\s"'#]{8,})/gm,
    isSecret: isFilledIn,
  },
];

const keyBegin = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g;
const keyEnd = /-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g;

/** Blocks of private keys, also when their end is cut off. Found by hand: a pattern would look for each end anew. */
function redactKeys(text: string): string {
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
    result += text.slice(at, begin.index) + label("private-key");
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
  if (depth > maxDepth) return label("too-deep");
  if (Array.isArray(value)) return value.map((item) => redactValue(item, redact, depth + 1));
  const entries = Object.entries(value).map(([key, item]) => {
    const isNamed = typeof item === "string" && item.length >= minSecret && secretKey.test(key);
    if (isNamed && isFilledIn(item) && !item.startsWith("[redacted:")) return [key, label("value")];
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
