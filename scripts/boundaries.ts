// Which package may import which, read from the import statements. A package outside the table, an import
// that the table does not allow, and a Node module in a browser-safe package are each a problem.

import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join, relative } from "node:path";

interface Boundary {
  mayImport: readonly string[];
  /** No Node modules: the package also runs in a browser. */
  browserSafe: boolean;
}

const everything = [
  "protocol",
  "text",
  "storage",
  "vim",
  "model",
  "session",
  "workspace",
  "meaning",
  "agent",
  "tools",
  "host",
  "postgres",
  "server",
  "client",
  "tui",
];

export const boundaries: Readonly<Record<string, Boundary>> = {
  protocol: { mayImport: [], browserSafe: true },
  text: { mayImport: ["protocol"], browserSafe: true },
  storage: { mayImport: ["protocol"], browserSafe: false },
  vim: { mayImport: ["protocol", "text"], browserSafe: true },
  model: { mayImport: ["protocol"], browserSafe: false },
  session: { mayImport: ["protocol", "storage"], browserSafe: false },
  workspace: { mayImport: ["protocol", "text", "storage"], browserSafe: false },
  meaning: { mayImport: ["protocol", "text", "storage"], browserSafe: false },
  agent: { mayImport: ["protocol", "model", "session"], browserSafe: false },
  tools: {
    mayImport: ["protocol", "text", "storage", "vim", "workspace", "meaning", "agent"],
    browserSafe: false,
  },
  host: {
    mayImport: ["protocol", "text", "storage", "model", "session", "workspace", "meaning", "agent", "tools"],
    browserSafe: false,
  },
  postgres: { mayImport: ["protocol", "storage", "workspace", "host"], browserSafe: false },
  server: { mayImport: ["protocol", "host"], browserSafe: false },
  client: { mayImport: ["protocol", "text"], browserSafe: true },
  web: { mayImport: ["protocol", "text", "client"], browserSafe: true },
  tui: { mayImport: [], browserSafe: false },
  cli: { mayImport: everything, browserSafe: false },
  testkit: { mayImport: [...everything, "cli"], browserSafe: false },
};

const importPattern =
  /(?:^|\n)\s*(?:import|export)\s(?:[^"';]*?\sfrom\s*)?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/g;

export function importsOf(source: string): string[] {
  return [...source.matchAll(importPattern)].map((match) => match[1] ?? match[2] ?? "");
}

/** What is wrong with one import of one file, or undefined. Tests may use Node and the testkit. */
export function importProblem(packageName: string, isTest: boolean, specifier: string): string | undefined {
  const boundary = boundaries[packageName];
  if (boundary === undefined) return `package "${packageName}" is not in the table of scripts/boundaries.ts`;
  const ours = /^@stet\/([^/]+)/.exec(specifier)?.[1];
  if (ours !== undefined) {
    if (ours === packageName) return `imports its own package by name; use a relative path`;
    if (ours === "testkit") return isTest ? undefined : "imports testkit outside a test";
    return boundary.mayImport.includes(ours) ? undefined : `may not import @stet/${ours}`;
  }
  if (/^(\.\.\/){2,}/.test(specifier) && specifier.includes("packages/"))
    return `reaches into another package`;
  if (boundary.browserSafe && !isTest && isBuiltin(specifier))
    return `is browser-safe, so it may not use ${specifier}`;
  return undefined;
}

export function boundaryProblems(root: string): string[] {
  const problems: string[] = [];
  const packages = join(root, "packages");
  for (const entry of readdirSync(packages, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.tsx?$/.test(entry.name) || entry.parentPath.includes("node_modules")) continue;
    const path = join(entry.parentPath, entry.name);
    const packageName = relative(packages, path).split(/[\\/]/)[0] ?? "";
    const isTest = packageName === "testkit" || /\.(test|fuzz)\.tsx?$/.test(entry.name);
    for (const specifier of importsOf(readFileSync(path, "utf8"))) {
      const problem = importProblem(packageName, isTest, specifier);
      if (problem !== undefined) problems.push(`${relative(root, path)}: ${problem}`);
    }
  }
  return problems;
}
