// A route's path with its parameters and its query filled in.

export function pathOf(path: string, sent: { readonly params?: unknown; readonly query?: unknown }): string {
  const params = (sent.params ?? {}) as Record<string, unknown>;
  const filled = path.replace(/:([a-z_]+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries((sent.query ?? {}) as Record<string, unknown>)) {
    if (value !== undefined) query.set(name, String(value));
  }
  const text = query.toString();
  return text === "" ? filled : `${filled}?${text}`;
}
