// Addresses of this machine: loopback, by number or by the name localhost.

export function isOwnMachine(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return (
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    hostname === "[::1]" ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  );
}

/** An address without the password that may stand in it. */
export function publicAddress(url: string): string {
  if (!URL.canParse(url)) return url;
  const { username, password, protocol, host, pathname } = new URL(url);
  return username === "" && password === "" && !url.includes("?")
    ? url
    : `${protocol}//${host}${pathname.replace(/\/$/, "")}`;
}
