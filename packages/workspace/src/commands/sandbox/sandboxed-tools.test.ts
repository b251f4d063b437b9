// Package managers and compilers in the sandbox, without the network. Each runs where it is installed.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";
import { type CommandsFixture, noSandbox, openCommands } from "@stet/testkit/commands-fixture";

const skip = noSandbox();

interface Tool {
  readonly name: string;
  /** Has to work outside for the case to say anything. */
  readonly probe: string;
  readonly files: Readonly<Record<string, string>>;
  readonly command: string;
  readonly output: RegExp;
}

const manifest = JSON.stringify({ name: "a", version: "1.0.0", scripts: { test: "echo tested" } });

const tools: readonly Tool[] = [
  {
    name: "npm",
    probe: "npm --version",
    files: { "package.json": manifest, "lib/package.json": '{ "name": "lib", "version": "1.0.0" }' },
    command: "npm install --offline ./lib && npm test && ls node_modules && npm pack --silent",
    output: /tested[\s\S]*lib[\s\S]*a-1\.0\.0\.tgz/,
  },
  {
    name: "pip",
    probe: "python3 -m pip --version",
    files: {},
    command:
      "python3 -m venv --without-pip env && env/bin/python -c 'import sys; print(sys.prefix)' && python3 -m pip cache dir && mkdir -p $(python3 -m pip cache dir)",
    output: /env\n[\s\S]*private-caches\/pip/,
  },
  {
    name: "pytest",
    probe: "python3 -m pytest --version",
    files: { "test_a.py": "def test_a(tmp_path):\n    (tmp_path / 'x').write_text('x')\n" },
    command: "python3 -m pytest -q",
    output: /1 passed/,
  },
  {
    name: "cargo",
    probe: "cargo --version",
    files: {
      "Cargo.toml": '[package]\nname = "a"\nversion = "0.1.0"\nedition = "2021"\n',
      "src/main.rs": 'fn main() { println!("built"); }\n#[test]\nfn adds() { assert_eq!(1 + 1, 2); }\n',
    },
    command: "cargo run --offline -q && cargo test --offline -q",
    output: /built[\s\S]*1 passed/,
  },
  {
    name: "go",
    probe: "go version",
    files: {
      "go.mod": "module a\n\ngo 1.19\n",
      "a.go": 'package main\n\nimport "fmt"\n\nfunc main() { fmt.Println("built") }\n',
      "a_test.go": 'package main\n\nimport "testing"\n\nfunc TestA(t *testing.T) {}\n',
    },
    command: "go run . && go test ./... && go env GOCACHE",
    output: /built\nok\s+a\b/,
  },
  {
    name: "gcc",
    probe: "gcc --version",
    files: { "a.c": '#include <stdio.h>\nint main() { puts("built"); }\n' },
    command: "gcc a.c -o a && ./a",
    output: /built/,
  },
  {
    name: "git",
    probe: "git --version",
    files: { "a.txt": "a\n" },
    command:
      "git init -q r && cd r && cp ../a.txt . && git add -A && git -c user.name=a -c user.email=a@b commit -qm a && git log --oneline | wc -l",
    output: /^1$/m,
  },
];

/** With the person's own home, because that is where tools are installed; what is written there must be nothing. */
function fixtureWith(
  t: Parameters<typeof openCommands>[0],
  files: Readonly<Record<string, string>>,
): CommandsFixture {
  const inRoot = Object.fromEntries(Object.entries(files).map(([name, text]) => [`root/${name}`, text]));
  return openCommands(t, { files: inRoot, environment: { ...process.env, HOME: homedir() } });
}

for (const { name, probe, files, command, output } of tools) {
  const isThere = spawnSync("sh", ["-c", probe], { stdio: "ignore", timeout: 30_000 }).status === 0;
  test(`${name} works in the sandbox, and writes nothing at home`, {
    skip: skip || (!isThere && `${name} is not installed`),
  }, async (t) => {
    const fixture = fixtureWith(t, files);
    const before = readdirSync(homedir()).toSorted();
    const end = await fixture.run(command, { timeoutSeconds: 120 });
    assert.equal(end.exitCode, 0, end.output.text);
    assert.match(end.output.text, output);
    assert.deepEqual(readdirSync(homedir()).toSorted(), before);
  });
}

const compiler = resolve("node_modules/typescript/bin/tsc");

test("tsc works in the sandbox", {
  skip: skip || (!existsSync(compiler) && "TypeScript is not installed"),
}, async (t) => {
  const fixture = openCommands(t, {
    files: { "root/a.ts": "export const a: number = 1;\n" },
    access: { readable: [dirname(dirname(dirname(realpathSync(compiler))))] },
  });
  const end = await fixture.run(
    `node ${realpathSync(compiler)} --outDir out --module nodenext a.ts && cat out/a.js`,
    { timeoutSeconds: 60 },
  );
  assert.equal(end.exitCode, 0, end.output.text);
  assert.equal(existsSync(join(fixture.root, "out/a.js")), true);
});
