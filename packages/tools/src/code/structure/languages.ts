// Languages whose structure is known, and trees of their sources.
//
// Positions of nodes are UTF-16 offsets into the source, and their lines are those between "\n". A source is always the
// text with its lines joined by "\n" (`Text.toString()`), so an offset in the tree is an offset in the `Text` and a line of
// the tree is a raw line of it, whatever the file has for line ends, byte order mark or characters.
//
// The parsers are native and are loaded when the first source is parsed.

import type { SgNode } from "@ast-grep/napi";

export const languages = [
  "typescript",
  "tsx",
  "javascript",
  "html",
  "css",
  "python",
  "go",
  "rust",
  "java",
  "c",
] as const;

export type Language = (typeof languages)[number];

export type Node = SgNode;

const byExtension: Readonly<Record<string, Language>> = {
  ts: "typescript",
  mts: "typescript",
  cts: "typescript",
  tsx: "tsx",
  js: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  jsx: "javascript",
  html: "html",
  htm: "html",
  css: "css",
  py: "python",
  pyi: "python",
  go: "go",
  rs: "rust",
  java: "java",
  c: "c",
  h: "c",
};

/** The language of a file by its name. */
export function languageOf(path: string): Language | undefined {
  const extension = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase();
  return extension !== undefined && Object.hasOwn(byExtension, extension)
    ? byExtension[extension]
    : undefined;
}

/** Nodes that may be strings over several lines. */
export const longStrings: Readonly<Partial<Record<Language, readonly string[]>>> = {
  typescript: ["template_string"],
  tsx: ["template_string"],
  javascript: ["template_string"],
  python: ["string"],
  go: ["raw_string_literal"],
  rust: ["string_literal", "raw_string_literal"],
  java: ["string_literal"],
};

/** The parser's own names. */
const parserNames: Readonly<Record<Language, string>> = {
  typescript: "TypeScript",
  tsx: "Tsx",
  javascript: "JavaScript",
  html: "Html",
  css: "Css",
  python: "python",
  go: "go",
  rust: "rust",
  java: "java",
  c: "c",
};

export interface Parser {
  /** The root of a source's tree. A source with mistakes has one, too: with nodes of kind ERROR. */
  parse(language: Language, source: string): Node;
  /** Whether this machine has the language's grammar. */
  has(language: Language): boolean;
}

let loading: Promise<Parser> | undefined;

export function loadParser(): Promise<Parser> {
  loading ??= load();
  return loading;
}

/** Grammars that come as packages of their own, with libraries for some systems only. */
const grammars = {
  python: () => import("@ast-grep/lang-python"),
  go: () => import("@ast-grep/lang-go"),
  rust: () => import("@ast-grep/lang-rust"),
  java: () => import("@ast-grep/lang-java"),
  c: () => import("@ast-grep/lang-c"),
};

const packaged = ["python", "go", "rust", "java", "c"] as const;

async function load(): Promise<Parser> {
  const napi = await import("@ast-grep/napi");
  const missing = new Set<Language>();
  const found: Parameters<typeof napi.registerDynamicLanguage>[0] = {};
  for (const language of packaged) {
    try {
      const { libraryPath, extensions, languageSymbol, expandoChar } = (await grammars[language]()).default;
      found[language] = {
        libraryPath,
        extensions,
        ...(languageSymbol !== undefined && { languageSymbol }),
        ...(expandoChar !== undefined && { expandoChar }),
      };
    } catch {
      missing.add(language);
    }
  }
  // Works once in a process.
  napi.registerDynamicLanguage(found);
  return {
    parse: (language, source) => napi.parse(parserNames[language], source).root(),
    has: (language) => !missing.has(language),
  };
}
