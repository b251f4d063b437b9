import assert from "node:assert/strict";
import { test } from "node:test";
import { forbiddenCalls } from "./forbidden-calls.ts";

test("a second way to the terminal, to an open SQLite file, to the rows of the ledger, to a turn, to a decision or to another umask is found", () => {
  const found = [
    "process.stdout.write(name);",
    "const { stdin, stderr } = process;",
    "console.error(error);",
    "const database = new DatabaseSync(path);",
    "process.umask(0o077);",
    "const running = runAgentTurn({ workspace });",
    "const accepted = workspace.review.accept({ turn });",
    "await workspace.decide(() => decision);",
    "mkdirSync(folder, { recursive: true });",
    'database.all("SELECT document FROM checkpoints WHERE turn = ?", turn);',
  ];
  for (const source of found) assert.equal(forbiddenCalls("packages/cli/src/x.ts", source).length, 1, source);
  const fine = ["terminal.note(name);", "// console.log(x) would be wrong\n", "const { stdin } = process;"];
  for (const source of fine) assert.deepEqual(forbiddenCalls("packages/cli/src/x.ts", source), [], source);
  assert.deepEqual(forbiddenCalls("packages/cli/src/terminal.ts", found[0] ?? ""), []);
});

test("a member that is private by the keyword, and a type named after furniture or a participle, is found in tests, too", () => {
  const found = [
    "class Index {\n  private readonly paths: string[] = [];\n}",
    "class Index {\n  static private count = 0;\n}",
    "export interface Place {\n  readonly line: number;\n}",
    "type Told = string;",
  ];
  const fine = [
    "class Index {\n  private constructor() {}\n  readonly #paths: string[] = [];\n}",
    "interface PlaceOfWork {}",
    "// type Told = string;\n",
  ];
  for (const path of [
    "packages/text/src/x.test.ts",
    "packages/testkit/src/x.ts",
    "bench/x.ts",
    "scripts/x.ts",
  ]) {
    for (const source of found) assert.equal(forbiddenCalls(path, source).length, 1, source);
    for (const source of fine) assert.deepEqual(forbiddenCalls(path, source), [], source);
    assert.deepEqual(forbiddenCalls(path, "process.umask(0o077);"), []);
  }
});
