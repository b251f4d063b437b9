// What only one place may do, because a promise hangs on its being done there. Tests, the testkit and scripts are free.

import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { ledgerTables } from "@stet/workspace/ledger/ledger-schema";

interface Rule {
  readonly pattern: RegExp;
  /** Where it holds; everywhere unless given. */
  readonly within?: RegExp;
  readonly allowed: readonly string[];
  /** What to do instead. */
  readonly instead: string;
}

const tables = [...ledgerTables, "holders"].join("|");

const rules: readonly Rule[] = [
  {
    pattern: new RegExp(`\\b(?:FROM|JOIN|INTO|UPDATE|TABLE)\\s+(?:${tables})\\b`),
    within: /^packages\/(?!workspace\/)/,
    allowed: [],
    instead: "SQL of the ledger stays in @stet/workspace: give the query a name there",
  },
  {
    pattern: /\bprocess\.(?:stdout|stderr)\b|(?:stdout|stderr)\b[^=\n]*\} = process\b|\bconsole\.\w+\(/,
    // The second only names a call, in the description of a tool.
    allowed: ["packages/cli/src/terminal.ts", "packages/tools/src/code/structure/ast-grep.ts"],
    instead: "write through the terminal, which makes what would steer a screen visible",
  },
  {
    pattern: /\bnew DatabaseSync\(/,
    // The second opens databases of the person.
    allowed: ["packages/storage/src/sqlite-file.ts", "packages/tools/src/code/read/sqlite/run-sqlite.ts"],
    instead: "use openSqliteFile of @stet/storage, whose files only their owner can read",
  },
  {
    pattern: /\b(?:mkdir|writeFile|appendFile)(?:Sync)?\(|\bcreateWriteStream\(/,
    // Packages that write nothing but files of Stet's own.
    within: /^packages\/(?:session|server|agent|model|cli)\//,
    allowed: [],
    instead: "use makePrivateFolder and writePrivateFile of @stet/storage",
  },
  {
    pattern: /\bumask\(/,
    allowed: [],
    instead: "give files of Stet's own their mode with @stet/storage; the umask is the person's",
  },
];

/** Where a source breaks a rule. */
export function forbiddenCalls(path: string, source: string): string[] {
  return rules
    .filter(({ within, allowed }) => !allowed.includes(path) && within?.test(path) !== false)
    .filter(({ pattern }) => pattern.test(withoutComments(source)))
    .map(({ pattern, instead }) => `${path} has ${pattern.exec(source)?.[0] ?? ""}: ${instead}`);
}

export function forbiddenCallProblems(root: string): string[] {
  const packages = join(root, "packages");
  return readdirSync(packages, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const path = relative(root, join(entry.parentPath, entry.name)).replaceAll("\\", "/");
    const isSource =
      entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.(?:test|fuzz)\.tsx?$/.test(entry.name);
    if (!isSource || path.includes("/node_modules/") || path.startsWith("packages/testkit/")) return [];
    return forbiddenCalls(path, readFileSync(join(root, path), "utf8"));
  });
}

function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\/|(?<![:"'`])\/\/.*$/gm, "");
}
