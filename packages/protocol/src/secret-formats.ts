// What keys of well-known kinds look like.
//
// A token has a beginning of its own, stands alone as a word, and is found by one pattern for all kinds: a text is gone through
// once for them. Everything else is found by what stands before it. Hashes, ids, images and integrity strings have no mark of
// their own, so nothing here is about them.

export interface Token {
  readonly kind: string;
  /** A regular expression without anchors and groups that capture. */
  readonly body: string;
  readonly isSecret?: (value: string) => boolean;
}

export interface Marked {
  readonly kind: string;
  /** May name the groups `before`, `value` and `after`; only the value goes. */
  readonly pattern: RegExp;
  /** What a text has to contain for the pattern to be tried at all: quicker to look for. */
  readonly hint: RegExp;
  readonly isSecret?: (value: string) => boolean;
}

/** Letters and digits mixed, as no word is. */
function isMixed(value: string): boolean {
  return /\d/.test(value) && /[A-Z]/.test(value) && /[a-z]/.test(value);
}

const placeholder =
  /^(?:\$.*|%.*%|<.*>?|\{.*|\*+|[xX.]+|(?:your|replace|insert|enter|example|dummy|fake|placeholder|my|the|some)[-_ ].*|change[-_]?me|todo|pass(?:word|wd)?|pwd|secret|token|user(?:name)?|undefined|null|none|true|false|string|process\.env.*|example|test|guest|postgres|root|admin|mysql)$/i;

/** Whether a value is more than a word that stands for one. */
export function isFilledIn(value: string): boolean {
  return !placeholder.test(value);
}

/** Not a name in a program, such as `x-api-key: loadApiKey(…)`. */
function isNoName(value: string): boolean {
  return isFilledIn(value) && (/\d/.test(value) || /[^A-Za-z._]/.test(value));
}

export const tokens: readonly Token[] = [
  { kind: "anthropic-key", body: "sk-ant-[A-Za-z0-9_-]{20,}" },
  { kind: "openai-key", body: "sk-(?:proj|svcacct|admin|or-v1)-[A-Za-z0-9_-]{20,}" },
  { kind: "api-key", body: "sk-[A-Za-z0-9_-]{20,}", isSecret: isMixed },
  { kind: "stripe-key", body: "(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}" },
  { kind: "stripe-key", body: "whsec_[A-Za-z0-9+/]{24,}={0,2}" },
  { kind: "github-token", body: "gh[pousr]_[A-Za-z0-9_]{36,}" },
  { kind: "github-token", body: "github_pat_[A-Za-z0-9_]{22,}" },
  { kind: "gitlab-token", body: "gl(?:pat|dt|rt|cbt|ptt|soat|agent|ft|imt)-[A-Za-z0-9_-]{20,}" },
  { kind: "grafana-token", body: "glc_[A-Za-z0-9+/]{32,}={0,2}" },
  { kind: "grafana-token", body: "glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}" },
  { kind: "aws-key", body: "(?:A3T[A-Z0-9]|AKIA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|ASIA)[A-Z0-9]{16}" },
  { kind: "slack-token", body: "xox[abeoprs]-[A-Za-z0-9-]{10,}" },
  { kind: "slack-token", body: "xapp-[0-9]-[A-Za-z0-9-]{10,}" },
  { kind: "google-key", body: "AIza[A-Za-z0-9_-]{35}" },
  { kind: "google-token", body: "ya29\\.[A-Za-z0-9_-]{20,}" },
  { kind: "google-token", body: "GOCSPX-[A-Za-z0-9_-]{20,}" },
  { kind: "npm-token", body: "npm_[A-Za-z0-9_]{36,}", isSecret: (value) => /\d|[A-Z]/.test(value.slice(4)) },
  { kind: "pypi-token", body: "pypi-[A-Za-z0-9_-]{50,}" },
  { kind: "huggingface-token", body: "hf_[A-Za-z0-9]{30,}" },
  { kind: "sendgrid-key", body: "SG\\.[A-Za-z0-9_-]{16,128}\\.[A-Za-z0-9_-]{16,128}" },
  { kind: "digitalocean-token", body: "do[opr]_v1_[a-f0-9]{64}" },
  { kind: "docker-token", body: "dckr_pat_[A-Za-z0-9_-]{20,}" },
  { kind: "shopify-token", body: "shp(?:at|ca|pa|ss)_[a-zA-Z0-9]{32,64}" },
  { kind: "vault-token", body: "hv[sbr]\\.[A-Za-z0-9_-]{90,300}" },
  { kind: "onepassword-token", body: "ops_ey[A-Za-z0-9+/=]{100,}" },
  { kind: "linear-key", body: "lin_(?:api|oauth)_[A-Za-z0-9_]{32,128}" },
  { kind: "notion-token", body: "ntn_[0-9]{11}[A-Za-z0-9]{35}" },
  { kind: "notion-token", body: "secret_[A-Za-z0-9]{43}", isSecret: isMixed },
  { kind: "figma-token", body: "fig[dou]r?_[A-Za-z0-9_-]{40,200}" },
  { kind: "databricks-token", body: "dapi[a-fA-F0-9]{32}(?:-[0-9])?" },
  { kind: "vercel-token", body: "vc[piark]_[A-Za-z0-9]{20,60}", isSecret: isMixed },
  { kind: "atlassian-token", body: "ATATT3[A-Za-z0-9_=-]{100,}" },
  { kind: "api-key", body: "(?:gsk_|xai-|pplx-|tvly-|r8_|sbp_|fio-u-)[A-Za-z0-9_-]{30,}" },
  { kind: "age-key", body: "AGE-SECRET-KEY-1[A-Z0-9]{50,}" },
  { kind: "jwt", body: "eyJ[A-Za-z0-9_-]{10,}\\.eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}" },
];

export const marked: readonly Marked[] = [
  {
    kind: "azure-secret",
    hint: /[78]Q~/,
    pattern: /(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.]{3}[78]Q~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~.-])/g,
  },
  {
    kind: "telegram-token",
    hint: /\d:AA/,
    pattern: /(?<![A-Za-z0-9_-])[0-9]{8,10}:AA[A-Za-z0-9_-]{32,33}(?![A-Za-z0-9_-])/g,
  },
  {
    kind: "slack-webhook",
    hint: /hooks\.slack\.com/,
    pattern:
      /(?<before>hooks\.slack\.com\/(?:services|workflows)\/)(?<value>[A-Za-z0-9]{5,20}\/[A-Za-z0-9]{5,20}\/[A-Za-z0-9/]{10,80})/g,
  },
  {
    kind: "aws-secret",
    hint: /secret_?access_?key/i,
    pattern:
      /(?<before>secret_?access_?key["']?[ \t]{0,4}(?:=>|[=:])[ \t]{0,4}["']?)(?<value>[A-Za-z0-9/+=]{40})(?![A-Za-z0-9/+=])/gi,
  },
  {
    kind: "azure-key",
    hint: /AccountKey|SharedAccessKey/i,
    pattern: /(?<before>(?:AccountKey|SharedAccessKey)=)(?<value>[A-Za-z0-9+/]{40,88}={0,2})/gi,
  },
  {
    kind: "password",
    hint: /;\s{0,4}(?:password|pwd)\s{0,4}=/i,
    pattern: /(?<before>;[ \t]{0,4}(?:password|pwd)[ \t]{0,4}=[ \t]{0,4})(?<value>[^\s;"'`]{6,200})/gi,
    isSecret: isFilledIn,
  },
  {
    kind: "authorization",
    hint: /authorization/i,
    pattern:
      /(?<before>\b(?:proxy-)?authorization["']?[ \t]{0,4}[:=][ \t]{0,4}["']?(?:(?:bearer|basic|token|digest)[ \t]{1,4})?)(?<value>[A-Za-z0-9._~+/=-]{8,})/gi,
    isSecret: (value) => isNoName(value) && !/^(?:bearer|basic|token|digest)$/i.test(value),
  },
  {
    kind: "authorization",
    hint: /Bearer[ \t]/,
    pattern: /(?<before>\bBearer[ \t]{1,4})(?<value>[A-Za-z0-9._~+/=-]{20,})/g,
    isSecret: (value) => /\d/.test(value),
  },
  {
    kind: "api-key",
    hint: /x-(?:api-key|goog-api-key|auth-token|vault-token)/i,
    pattern:
      /(?<before>\bx-(?:api-key|goog-api-key|auth-token|vault-token)["']?[ \t]{0,4}[:=][ \t]{0,4}["']?)(?<value>[A-Za-z0-9._~+/=-]{8,})/gi,
    isSecret: isNoName,
  },
  {
    kind: "npm-token",
    hint: /_(?:authToken|auth|password)\s?=/,
    pattern: /(?<before>_(?:authToken|auth|password)[ \t]?=[ \t]?["']?)(?<value>[A-Za-z0-9._~+/=-]{8,})/g,
    isSecret: isNoName,
  },
  {
    kind: "password",
    hint: /:\/\/[^\s/]{0,200}@/,
    pattern:
      /(?<before>(?<=[a-z][a-z0-9+.-]{0,20}):\/\/[^\s:/@"'`<>\\]{0,100}:)(?<value>[^\s/@"'`<>\\]{1,200})(?<after>@)/gi,
    isSecret: (value) => value.length >= 4 && value !== "x-oauth-basic" && isFilledIn(value),
  },
  {
    // The token is the name of the person.
    kind: "password",
    hint: /:x-oauth-basic@/,
    pattern: /(?<before>:\/\/)(?<value>[^\s/@:"'`<>\\]{8,256})(?<after>:x-oauth-basic@)/g,
  },
  {
    kind: "value",
    hint: /(?:SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|KEY)=/,
    pattern:
      /(?<before>^[ \t]{0,8}(?:export[ \t]{1,4})?[A-Z][A-Z0-9_]{0,60}?(?:SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|ACCESS_KEY|PRIVATE_KEY|SECRET_KEY|ENCRYPTION_KEY)=["']?)(?<value>[^\s"'#]{8,})/gm,
    isSecret: isFilledIn,
  },
];
