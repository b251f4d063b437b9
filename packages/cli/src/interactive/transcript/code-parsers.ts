// The lezer parsers, each loaded when its language is met for the first time (5 to 30 ms). Until one is there, the tokenizer
// colours the code; what is still in the window is then drawn again.

import type { Parser } from "@lezer/common";

const loaders: Readonly<Record<string, () => Promise<Parser>>> = {
  javascript: async () => (await import("@lezer/javascript")).parser.configure({ dialect: "ts jsx" }),
  python: async () => (await import("@lezer/python")).parser,
  rust: async () => (await import("@lezer/rust")).parser,
  go: async () => (await import("@lezer/go")).parser,
  c: async () => (await import("@lezer/cpp")).parser,
  java: async () => (await import("@lezer/java")).parser,
  php: async () => (await import("@lezer/php")).parser.configure({ top: "Program" }),
  json: async () => (await import("@lezer/json")).parser,
  css: async () => (await import("@lezer/css")).parser,
  html: async () => (await import("@lezer/html")).parser,
  yaml: async () => (await import("@lezer/yaml")).parser,
  markdown: async () => (await import("@lezer/markdown")).parser,
};

const loaded = new Map<string, Parser | "loading">();
const listeners = new Set<() => void>();
let revision = 0;

/** Counts up with each parser that was loaded: rows of code that were kept are old then. */
export function codeParserRevision(): number {
  return revision;
}

/** Called when another parser is there. Returns what ends it. */
export function onCodeParser(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Undefined where there is none, or not yet. */
export function codeParser(language: string): Parser | undefined {
  const known = loaded.get(language);
  if (known !== undefined) return known === "loading" ? undefined : known;
  if (Object.hasOwn(loaders, language)) void loadCodeParser(language);
  return undefined;
}

export async function loadCodeParser(language: string): Promise<void> {
  const load = Object.hasOwn(loaders, language) ? loaders[language] : undefined;
  if (load === undefined || loaded.has(language)) return;
  loaded.set(language, "loading");
  try {
    loaded.set(language, await load());
  } catch {
    // Without it the tokenizer goes on.
    return;
  }
  revision += 1;
  for (const listener of listeners) listener();
}
