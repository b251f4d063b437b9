// Addresses of this machine: loopback, by number or by the name localhost. A name below it (`box.localhost`) is asked of the
// network's name server on many systems, and so may be anywhere.

export function isOwnMachine(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** An address without what may be secret in it: a name and a password, what is asked for, and a mark. */
export function publicAddress(url: string): string {
  if (!URL.canParse(url) || new URL(url).host === "") {
    return url.replace(/[?#].*$/s, "").replace(/^([\w+.-]*:?\/\/)?[^/]*@/, "$1");
  }
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname.replace(/\/$/, "")}`;
}

export function hasCredentials(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return username !== "" || password !== "";
}

/** Shorter ones are words that would be missed elsewhere. */
const leastSecret = 4;

/** Somebody's words about an address, without what is secret in it. */
export function withoutSecretsOf(url: string, text: string): string {
  if (!URL.canParse(url)) return text;
  const { username, password, search, searchParams, hash } = new URL(url);
  const parts = [username, password, hash.slice(1), search.slice(1), ...searchParams.values()];
  return withoutSecrets(
    parts.flatMap((part) => [part, decoded(part)]),
    text,
  );
}

export function withoutSecrets(secrets: readonly string[], text: string): string {
  return [...new Set(secrets)]
    .filter((secret) => secret.length >= leastSecret)
    .sort((one, other) => other.length - one.length)
    .reduce((left, secret) => left.replaceAll(secret, "…"), text);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
