// Which sources a path may belong to, judged by its name alone, in the order in which they are asked. A source is loaded
// when a path may be its own, and not before.

import { isFault } from "@stet/protocol/fault";
import { parseSelector } from "./selector.ts";
import type { Source } from "./source.ts";

interface Candidate {
  /** What a path looks like that may be of this source. */
  readonly form: RegExp;
  load(): Promise<Source>;
}

const candidates: readonly Candidate[] = [
  { form: /^(https?:\/\/|www\.)/i, load: async () => (await import("./web/web-source.ts")).webSource },
  { form: /^conflict:/i, load: async () => (await import("./conflict-source.ts")).conflictSource },
  { form: /^(issue|pr):\/\//i, load: async () => (await import("../github/github-source.ts")).githubSource },
  { form: /^local:\/\//i, load: async () => (await import("./local-source.ts")).localSource },
  { form: /^stet:\/\//i, load: async () => (await import("./docs-source.ts")).docsSource },
  { form: /^[a-z][a-z0-9+.-]*:\/\//i, load: async () => (await import("./address-source.ts")).addressSource },
  {
    form: /\.(zip|tar|tgz|tar\.gz)(:|$)/i,
    load: async () => (await import("./archive/archive-source.ts")).archiveSource,
  },
  {
    form: /\.(sqlite3?|db3?)([:?]|$)/i,
    load: async () => (await import("./sqlite/sqlite-source.ts")).sqliteSource,
  },
];

export async function* sourcesFor(path: string): AsyncGenerator<Source> {
  for (const { form, load } of candidates) if (form.test(path)) yield await load();
}

export function isWebAddress(path: string): boolean {
  return /^(https?:\/\/|www\.)/i.test(path);
}

export function isInternalAddress(path: string): boolean {
  return /^conflict:|^[a-z][a-z0-9+.-]*:\/\//i.test(path) && !isWebAddress(path);
}

/** The archive or database that a path seems to lead into, and what is meant in it. */
export function containerOf(path: string): { readonly file: string; readonly inside: string } | undefined {
  const match = /^(.*?\.(?:zip|tar\.gz|tar|tgz|sqlite3?|db3?))([:?].*)?$/is.exec(path);
  return match?.[1] === undefined ? undefined : { file: match[1], inside: match[2] ?? "" };
}

/** The same, where a path that leads into nothing is a file with nothing meant in it. */
export function splitContainer(path: string): { readonly file: string; readonly inside: string } {
  return containerOf(path) ?? { file: path, inside: "" };
}

/** The file that a path seems to name: without its selector, and without what is meant in it. */
export function namedFile(path: string): string {
  const container = containerOf(path);
  if (container !== undefined) return container.file;
  const selected = parseSelector(path);
  return isFault(selected) ? path : selected.path;
}
