// Calls that only one file may make, because a promise hangs on its being made there, and names that no file may use. Calls are
// checked in the sources of packages; names also in tests, the testkit, benches and scripts.

import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { toolsetNames } from "@stet/protocol/toolset";
import { ledgerTables } from "@stet/workspace/ledger/ledger-schema";

interface Rule {
  readonly pattern: RegExp;
  /** Where it holds; in the sources of every package unless given. */
  readonly within?: RegExp;
  /** Whether it holds in every TypeScript file, tests and scripts included. */
  readonly isEverywhere?: true;
  readonly allowed: readonly string[];
  /** What to do instead. */
  readonly instead: string;
}

const tables = [...ledgerTables, "holders"].join("|");

const toolsets = toolsetNames.join("|");
const tools = toolNames(join(import.meta.dirname, "../packages/tools/src"));
/** Of names that are also plain words, only a comparison with a tool's name counts. */
const distinct = tools.filter((name) => name.includes("_")).join("|");
const plain = tools.filter((name) => !name.includes("_")).join("|");
/** The practice model plays a model, which knows the tools by name. */
const outsideTools = /^packages\/(?!tools\/|model\/src\/practice\/)/;

const rules: readonly Rule[] = [
  {
    pattern: new RegExp(
      `(?:[=!]==?\\s*|\\bcase\\s+)"(?:${toolsets})"|"(?:${toolsets})"\\s*[=!]==?|Record<ToolsetName\\b`,
    ),
    within: outsideTools,
    allowed: [],
    instead: "a toolset says what it is: ask its policy in @stet/tools/toolset-policies",
  },
  {
    pattern: new RegExp(
      `"(?:${distinct})"|\\b(?:${distinct}):|\\b(?:tool|name|toolName)\\s*[=!]==?\\s*"(?:${plain})"`,
    ),
    within: outsideTools,
    // A payload of the chat API names the kinds of its edits.
    allowed: ["packages/protocol/src/events/chat-events.ts"],
    instead: "a tool says what it does: ask its traits, or show its words",
  },
  {
    pattern: new RegExp(`\\b(?:FROM|JOIN|INTO|UPDATE|TABLE)\\s+(?:${tables})\\b`),
    within: /^packages\/(?!workspace\/)/,
    allowed: [],
    instead: "SQL of the ledger stays in @stet/workspace: give the query a name there",
  },
  {
    pattern: /\bprocess\.(?:stdout|stderr)\b|(?:stdout|stderr)\b[^=\n]*\} = process\b|\bconsole\.\w+\(/,
    // The renderer's terminal steers the screen; its rows are made visible before. The last only names a call, in the
    // description of a tool.
    allowed: [
      "packages/cli/src/terminal.ts",
      "packages/tui/src/terminal/process-terminal.ts",
      "packages/tools/src/code/structure/ast-grep.ts",
    ],
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
    within: /^packages\/(?:session|server|host|postgres|agent|model|cli)\//,
    allowed: [],
    instead: "use makePrivateFolder and writePrivateFile of @stet/storage",
  },
  {
    pattern: /\brunAgentTurn\(/,
    allowed: ["packages/host/src/turn/agent-turn.ts", "packages/host/src/turn/prepare-turn.ts"],
    instead: "use prepareTurn of @stet/host: turns are put together in one place",
  },
  {
    pattern: /\breview(?:\.(?:accept|reject|undo)\(|\[\w+\]\()|\bworkspace\.decide\(/,
    within: /^packages\/(?:host|postgres|server|cli|tools|agent)\//,
    allowed: ["packages/host/src/review/decisions.ts"],
    instead: "use Decisions of @stet/host, which records a decision and writes it to its sessions",
  },
  {
    pattern:
      /\bdata: Record<string, unknown>|\bdata as unknown as\b|\b(?:String|Number)\(data\.|\bevent\(\s*"[^"]+",\s*z\.(?:unknown|any|record|looseObject)\b|\.(?:append|delta|tell)\(type: string\b/,
    within: /^packages\/(?:protocol|client|web|cli|host|server|postgres)\//,
    allowed: [],
    instead: "an event's data has a schema in protocol/events: name it by EventData<Type>",
  },
  {
    pattern: /\bumask\(/,
    allowed: [],
    instead: "give files of Stet's own their mode with @stet/storage; the umask is the person's",
  },
  {
    pattern: /^\s+(?:(?:static|override|async|readonly|abstract) )*private (?!constructor\b)/m,
    isEverywhere: true,
    allowed: [],
    instead: "the one private syntax of a class member is #name",
  },
  {
    pattern:
      /^(?:export )?(?:abstract )?(?:type|interface|class) (?:Told|Shown|Meant|Placed|Place|Desk|Room|Guest)\b/m,
    isEverywhere: true,
    allowed: [],
    instead: "name the type after what it holds; CONTRIBUTING.md has the words",
  },
];

/** Where a source breaks a rule. */
export function forbiddenCalls(path: string, source: string): string[] {
  const isSource = /^packages\/(?!testkit\/)/.test(path) && !/\.(?:test|fuzz)\.tsx?$/.test(path);
  return rules
    .filter(({ within, isEverywhere, allowed }) =>
      isEverywhere ? true : isSource && !allowed.includes(path) && within?.test(path) !== false,
    )
    .filter(({ pattern }) => pattern.test(withoutComments(source)))
    .map(({ pattern, instead }) => `${path} has ${pattern.exec(source)?.[0] ?? ""}: ${instead}`);
}

/** The names that tools are defined under. */
function toolNames(folder: string): string[] {
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
    .map((path) => readFileSync(join(folder, path), "utf8"));
  const defined = /(?:defineTool\(\{\s*name: |\btool\(\s*)"(\w+)"/g;
  return [
    ...new Set(sources.flatMap((source) => [...source.matchAll(defined)].map(([, name = ""]) => name))),
  ];
}

export function forbiddenCallProblems(root: string): string[] {
  const entries = ["packages", "bench", "scripts"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true }),
  );
  return entries.flatMap((entry) => {
    const path = relative(root, join(entry.parentPath, entry.name)).replaceAll("\\", "/");
    if (!entry.isFile() || !/\.tsx?$/.test(entry.name) || path.includes("/node_modules/")) return [];
    return forbiddenCalls(path, readFileSync(join(root, path), "utf8"));
  });
}

function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\/|(?<![:"'`])\/\/.*$/gm, "");
}
