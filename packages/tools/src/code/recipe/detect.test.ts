import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { isFault } from "@stet/protocol/fault";
import { TestWorkspace } from "@stet/testkit/workspace";
import { detectTasks, projectFiles } from "./detect.ts";
import { type Runner, resolveTask, taskList } from "./runner.ts";

async function detect(t: TestContext, files: Record<string, string>): Promise<Runner[]> {
  const workspace = await new TestWorkspace(t, files).open();
  return [...(await detectTasks(projectFiles(workspace), () => true)).runners];
}

function names(runners: readonly Runner[], id: string): string[] {
  return runners.find((runner) => runner.id === id)?.tasks.map(({ name }) => name) ?? [];
}

test("scripts of package.json and of its workspaces are tasks, run by what the lock file says", async (t) => {
  const runners = await detect(t, {
    "package.json": JSON.stringify({ scripts: { test: "x", "odd name": "y" }, workspaces: ["packages/*"] }),
    "packages/a/package.json": JSON.stringify({ name: "@me/a", scripts: { build: "z" } }),
    "packages/b/package.json": "{ not json",
    "pnpm-lock.yaml": "",
  });
  assert.deepEqual(runners, [
    {
      id: "pkg",
      program: "pnpm",
      tasks: [
        { name: "test", command: "pnpm run test" },
        { name: "odd name", command: "pnpm run 'odd name'" },
        { name: "@me/a/build", command: "pnpm run build", folder: "packages/a" },
      ],
    },
  ]);
});

test("recipes of a justfile, without private ones, settings and variables", async (t) => {
  const text = [
    'set shell := ["bash", "-c"]',
    "version := '1'",
    "alias b := build",
    "# Builds it",
    "build target='all': clean",
    "    cargo build",
    "clean:",
    "    rm -rf out",
    "_hidden:",
    "    true",
    "[private]",
    "secret:",
    "    true",
  ].join("\n");
  const runners = await detect(t, { justfile: text });
  assert.deepEqual(runners[0]?.tasks, [
    { name: "build", command: "just build", doc: "Builds it" },
    { name: "clean", command: "just clean", doc: undefined },
  ]);
});

test("targets of a makefile: with .PHONY only those, and documented files", async (t) => {
  const phony =
    ".PHONY: all test\nall: out.js ## Makes it\ntest:\n\tnode test\nout.js: a.js\n\tcp a.js $@\n## The docs\ndocs: x\n%.o: %.c\nX := 1\n";
  assert.deepEqual((await detect(t, { Makefile: phony }))[0]?.tasks, [
    { name: "all", command: "make all", doc: "Makes it" },
    { name: "test", command: "make test", doc: undefined },
    { name: "docs", command: "make docs", doc: "The docs (file target)" },
  ]);
  assert.deepEqual(names(await detect(t, { Makefile: "a: b\n\tx\nb:\n\ty\n" }), "make"), ["a", "b"]);
});

test("targets of a Rust package, and of the packages of a workspace", async (t) => {
  const one = await detect(t, {
    "Cargo.toml": '[package]\nname = "app"\n\n[[bin]]\nname = "extra"\npath = "x.rs"\n',
    "src/main.rs": "",
    "tests/flow.rs": "",
    "examples/demo.rs": "",
  });
  assert.deepEqual(names(one, "cargo"), ["bin/app", "bin/extra", "example/demo", "test/flow"]);
  const many = await detect(t, {
    "Cargo.toml": '[workspace]\nmembers = ["crates/*"]\n',
    "crates/a/Cargo.toml": '[package]\nname = "a"\n',
    "crates/a/src/main.rs": "",
    "crates/b/Cargo.toml": '[package]\nname = "b"\n',
    "crates/b/tests/t.rs": "",
  });
  assert.deepEqual(many[0]?.tasks, [
    { name: "a/bin/a", command: "cargo run -p a --bin a" },
    { name: "b/test/t", command: "cargo test -p b --test t" },
  ]);
});

test("tasks of a Taskfile, without internal ones; a broken file is no runner", async (t) => {
  const text =
    "version: '3'\ntasks:\n  build:\n    desc: Builds\n    cmds: [x]\n  lint: eslint\n  inner:\n    internal: true\n";
  assert.deepEqual((await detect(t, { "Taskfile.yml": text }))[0]?.tasks, [
    { name: "build", command: "task build", doc: "Builds" },
    { name: "lint", command: "task lint", doc: undefined },
  ]);
  assert.deepEqual(await detect(t, { "Taskfile.yml": "tasks: [" }), []);
});

const runners: Runner[] = [
  {
    id: "pkg",
    program: "npm",
    tasks: [
      { name: "test", command: "npm run test" },
      { name: "a/test", command: "npm run test", folder: "a" },
    ],
  },
  {
    id: "make",
    program: "make",
    tasks: [
      { name: "test", command: "make test" },
      { name: "lint", command: "make lint", doc: "Checks" },
    ],
  },
];

const resolved: readonly [string, string][] = [
  ["lint", "make lint"],
  ["  lint   --fix  x", "make lint --fix  x"],
  ["pkg:test --watch", "npm run test --watch"],
  ["a/test", "npm run test"],
];

for (const [request, command] of resolved) {
  test(`${request.trim()} runs ${command}`, () => {
    const task = resolveTask(request, { runners, missing: [] });
    assert.ok(!isFault(task));
    assert.equal(task.command, command);
  });
}

const refusals: readonly [string, RegExp][] = [
  ["", /Say which task/],
  ["pkg:", /Say which task of pkg/],
  ["test", /Several runners.*pkg:test or make:test/],
  ["deploy", /no task deploy/],
  ["make:a/test", /no task make:a\/test/],
];

for (const [request, message] of refusals) {
  test(`${JSON.stringify(request)} is refused with the list of tasks`, () => {
    const fault = resolveTask(request, { runners, missing: [] });
    assert.ok(isFault(fault));
    assert.match(fault.message, message);
    assert.match(fault.suggestion, /make: test, lint \(Checks\)/);
  });
}

test("a long list is cut", () => {
  const tasks = Array.from({ length: 25 }, (_, index) => ({ name: `t${index}`, command: "" }));
  assert.match(taskList([{ id: "just", program: "just", tasks }]), /t19, and 5 more$/);
});
