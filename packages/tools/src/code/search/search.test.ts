import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { questionText } from "@stet/protocol/question-text";
import { type CodeFixtureOptions, codeCalls, openCodeFixture } from "@stet/testkit/code-fixture";
import { must, personEdits, TestWorkspace } from "@stet/testkit/workspace";
import { anchorLetters } from "@stet/text/anchors";
import type { PermissionRule } from "../../permission/permission-rule.ts";
import { Permissions } from "../../permission/permissions.ts";
import { SessionRules } from "../../permission/session-rules.ts";
import { hashlineEdit } from "../edit/hashline/hashline-edit.ts";
import { read } from "../read/read.ts";
import { astGrep } from "../structure/ast-grep.ts";
import { find } from "./find.ts";
import { pathScore } from "./fuzzy-path.ts";
import { search } from "./search.ts";
import { scopeFrom } from "./search-scope.ts";
import { tolerantGlob, tolerantRegex } from "./tolerant-pattern.ts";

const files = {
  "src/a.ts": "const name = `\u0024{platform}-x`;\nif (name) {\n  run(name);\n}\n",
  "src/deep/b.ts": "run(1);\r\nrun(2);\r\n",
  "src/deep/c.py": "run(3)\n",
  "docs/guide.md": "Call run(4) to begin.\n",
  ".github/flow.yml": "run: test\n",
  ".gitignore": "out/\n*.log\n",
  "out/a.ts": "run(ignored);\n",
  "note.log": "run(ignored)\n",
};

function open(t: TestContext, options: CodeFixtureOptions = {}) {
  return openCodeFixture(t, [search, find], { files, ...options });
}

test("matches are grouped by file, with anchors that fit the lines", async (t) => {
  const fixture = await open(t);
  const { text, details } = await fixture.call("search", { pattern: "run\\(" });
  const expected = [
    `docs/guide.md\n*1${anchorLetters("Call run(4) to begin.", 1)}|Call run(4) to begin.`,
    `src/a.ts\n*3${anchorLetters("  run(name);", 3)}|  run(name);`,
    `src/deep/b.ts\n*1${anchorLetters("run(1);", 1)}|run(1);\n*2${anchorLetters("run(2);", 2)}|run(2);`,
    `src/deep/c.py\n*1${anchorLetters("run(3)", 1)}|run(3)`,
  ];
  assert.equal(text, expected.join("\n\n"));
  assert.deepEqual(details, { matches: 5, files: 4, places: 4, skip: 0, truncated: false });
});

test("what is ignored is not searched, hidden files are, .git never is", async (t) => {
  const fixture = await open(t);
  const { text } = await fixture.call("search", { pattern: "run" });
  assert.match(text, /\.github\/flow\.yml/);
  assert.doesNotMatch(text, /ignored/);
});

test("a glob does not bring back what is ignored", async (t) => {
  const fixture = await open(t);
  assert.doesNotMatch((await fixture.call("search", { pattern: "run", paths: ["**/*.ts"] })).text, /out\/a/);
  assert.equal((await fixture.call("search", { pattern: "run", paths: ["*.log"] })).text, "No matches found");
});

test("paths may be files, folders and globs at once", async (t) => {
  const fixture = await open(t);
  const { text } = await fixture.call("search", {
    pattern: "run",
    paths: ["docs", "src/deep/*.py", "src/a.ts"],
  });
  assert.match(text, /docs\/guide\.md[\s\S]*src\/a\.ts[\s\S]*src\/deep\/c\.py/);
  assert.doesNotMatch(text, /b\.ts/);
  const braces = await fixture.call("search", { pattern: "run", paths: ["src/**/*.{py,rb"] });
  assert.match(braces.text, /^src\/deep\/c\.py/);
});

test("a kind of file, case, literal text, context and lines across line ends", async (t) => {
  const fixture = await open(t);
  assert.match(
    (await fixture.call("search", { pattern: "run", type: "py" })).text,
    /^src\/deep\/c\.py\n[\s\S]*run\(3\)$/,
  );
  assert.equal((await fixture.call("search", { pattern: "RUN\\(4" })).text, "No matches found");
  assert.match((await fixture.call("search", { pattern: "RUN\\(4", i: true })).text, /guide/);
  assert.match((await fixture.call("search", { pattern: "run(4)", literal: true })).text, /guide/);
  const around = await fixture.call("search", { pattern: "if \\(", context: 1 });
  assert.match(around.text, /^src\/a\.ts\n 1..\|const[\s\S]*\n\*2..\|if[\s\S]*\n 3..\|/);
  const across = await fixture.call("search", { pattern: "name\\) \\{.*?\\}", multiline: true });
  assert.match(across.text, /\*2..\|if/);
});

test("braces that are no repetition are meant as they are", async (t) => {
  const fixture = await open(t);
  assert.match((await fixture.call("search", { pattern: "\\\u0024{platform}" })).text, /src\/a\.ts/);
  assert.match((await fixture.call("search", { pattern: "\u0024{platform}" })).text, /src\/a\.ts/);
  assert.match((await fixture.call("search", { pattern: "if (name) {", literal: true })).text, /src\/a\.ts/);
  assert.match((await fixture.call("search", { pattern: "n{1}ame\\) {" })).text, /src\/a\.ts/);
});

const patterns: readonly [string, string][] = [
  ["\u0024{platform}", "\\$\\{platform\\}"],
  ["a$|b\u0024{2}", "a$|b\u0024{2}"],
  ["a{2}", "a{2}"],
  ["a{2,}b{3,4}", "a{2,}b{3,4}"],
  ["a{,4}", "a\\{,4\\}"],
  ["{2}", "\\{2\\}"],
  ["(a|{3})", "(a|\\{3\\})"],
  ["[{}]", "[{}]"],
  ["\\{x\\}", "\\{x\\}"],
  ["\\p{Lu}{2}", "\\p{Lu}{2}"],
  ["\\x{41}", "\\x{41}"],
  ["{", "\\{"],
  ["\\", "\\"],
];

for (const [pattern, expected] of patterns) {
  test(`${pattern} is searched as ${expected}`, () => assert.equal(tolerantRegex(pattern), expected));
}

test("an open brace of a glob is closed, and backslashes are folders", () => {
  assert.equal(tolerantGlob("src\\**\\*.{ts,js"), "src/**/*.{ts,js}");
});

test("a page goes on where the last one ended", async (t) => {
  const many = Object.fromEntries(
    Array.from({ length: 120 }, (_, index) => [`f/${String(index).padStart(3, "0")}.txt`, "needle\n"]),
  );
  const fixture = await openCodeFixture(t, [search], { files: many });
  const first = await fixture.call("search", { pattern: "needle" });
  assert.match(first.text, /f\/049\.txt[\s\S]*\[120 matches in all\. Use skip: 50/);
  const third = await fixture.call("search", { pattern: "needle", skip: 100 });
  assert.match(third.text, /^f\/100\.txt/);
  assert.doesNotMatch(third.text, /skip: 150/);
  assert.match(
    (await fixture.call("search", { pattern: "needle", skip: 200 })).text,
    /No matches after the first 200/,
  );
});

test("a costly expression over a long line that was typed and not saved is stopped", async (t) => {
  const fixture = await open(t);
  const { id } = must(fixture.workspace.documents.open("docs/guide.md"));
  const content = "abcdefgh".repeat(60_000);
  personEdits(fixture.workspace, id, { op: "replace", from: 1, to: 1, content });
  const answer = await fixture.call("search", { pattern: "(?:[a-h]{1,300}){1,3}[xyz]" });
  assert.equal(answer.error, "invalid_regex");
  assert.match(answer.text, /took too long and was stopped/);
});

test("what the person typed and did not save is found, and not what it replaced", async (t) => {
  const fixture = await open(t);
  const { id } = must(fixture.workspace.documents.open("src/deep/c.py"));
  personEdits(fixture.workspace, id, { op: "replace", from: 1, to: 1, content: "walk(3)" });
  assert.match((await fixture.call("search", { pattern: "walk" })).text, /src\/deep\/c\.py/);
  assert.doesNotMatch((await fixture.call("search", { pattern: "run" })).text, /c\.py/);
});

test("a pattern that is none, a missing path and a path outside say what to do", async (t) => {
  const fixture = await open(t);
  assert.equal((await fixture.call("search", { pattern: "a(" })).error, "invalid_regex");
  assert.equal((await fixture.call("search", { pattern: "(?<=x)y" })).error, "invalid_regex");
  const missing = await fixture.call("search", { pattern: "a", paths: ["nowhere"] });
  assert.equal(missing.error, "file_not_found");
  assert.match(missing.text, /find/);
  assert.equal((await fixture.call("search", { pattern: "a", paths: ["../x"] })).error, "path_outside");
  assert.equal((await fixture.call("search", { pattern: "a", paths: [".git"] })).error, "file_not_found");
  assert.equal((await fixture.call("search", { pattern: "" })).error, "invalid_arguments");
});

test("a pattern that would take for ever elsewhere is answered", async (t) => {
  const fixture = await openCodeFixture(t, [search], { files: { "a.txt": `${"a".repeat(50_000)}\n` } });
  assert.equal((await fixture.call("search", { pattern: "(a+)+$x" })).text, "No matches found");
});

test("globs find files, the newest first; letters find them by how well they fit", async (t) => {
  const fixture = await open(t);
  const globbed = await fixture.call("find", { pattern: "**/*.ts" });
  assert.deepEqual(globbed.text.split("\n").sort(), ["src/a.ts", "src/deep/b.ts"]);
  assert.equal((await fixture.call("find", { pattern: "*.ts", path: "src/deep" })).text, "src/deep/b.ts");
  assert.equal((await fixture.call("find", { pattern: "guide" })).text, "docs/guide.md");
  assert.equal((await fixture.call("find", { pattern: "docgui" })).text, "docs/guide.md");
  assert.equal((await fixture.call("find", { pattern: "zzz" })).text, "No files found");
  assert.equal((await fixture.call("find", { pattern: "*", path: "../" })).error, "path_outside");
});

test("a glob that names an ignored folder finds there, others do not", async (t) => {
  const files = { ".gitignore": "node_modules\n", "node_modules/react/index.js": "", "src/index.js": "" };
  const fixture = await openCodeFixture(t, [find], { files });
  const named = ["node_modules/react/*.js", "node_modules/**/*.js", "./node_modules/react/{index,jsx}.js"];
  for (const pattern of named) {
    assert.equal((await fixture.call("find", { pattern })).text, "node_modules/react/index.js", pattern);
  }
  const below = await fixture.call("find", { pattern: "react/*.js", path: "node_modules" });
  assert.equal(below.text, "node_modules/react/index.js");
  assert.equal((await fixture.call("find", { pattern: "**/*.js" })).text, "src/index.js");
  assert.equal((await fixture.call("find", { pattern: "gone/*.js" })).error, "file_not_found");
});

test("a file's own name counts more than its folders", () => {
  const paths = ["src/user/service.ts", "src/user-service.ts", "test/user-service.test.ts"];
  const ranked = paths.toSorted((one, other) => {
    return (pathScore(other, "userservice") ?? 0) - (pathScore(one, "userservice") ?? 0);
  });
  assert.deepEqual(ranked, ["src/user-service.ts", "test/user-service.test.ts", "src/user/service.ts"]);
  assert.equal(pathScore("a/b.ts", "xyz"), undefined);
});

test("a plain path beside a glob means all below it", () => {
  const root = { root: { path: "/project" } } as Parameters<typeof scopeFrom>[0];
  assert.deepEqual(scopeFrom(root, ["docs", "src/*.ts"]), {
    prefixes: ["docs", "src"],
    globs: ["docs", "docs/**", "src/*.ts"],
  });
  assert.deepEqual(scopeFrom(root, ["/project/src"]), { prefixes: ["src"], globs: [] });
});

test("searching leaves files as they are", async (t) => {
  const fixture = await open(t);
  await fixture.call("search", { pattern: "run" });
  assert.equal(readFileSync(fixture.place.path("src/deep/b.ts"), "utf8"), files["src/deep/b.ts"]);
});

const guarded = {
  ".env": "WORD=in env\n",
  "certs/key.pem": "WORD in key\n",
  "private/a.ts": "const WORD = 1; // in private\n",
  "src/plain.ts": "const WORD = 1; // in plain\n",
};

/** Tools that are held to rules as they are in a turn. */
async function openGuarded(t: TestContext, rules: readonly PermissionRule[], answer = "Deny") {
  const workspace = await new TestWorkspace(t, guarded).open();
  const asked: string[] = [];
  const permissions = new Permissions({
    workspace,
    mode: () => "ask",
    rules,
    session: { id: "one", rules: new SessionRules() },
    ask: async (question) => {
      asked.push(questionText(question));
      return answer;
    },
    isInteractive: true,
    hasSandbox: () => false,
    sandboxNetwork: false,
    programs: { shell: () => "bash", isWritable: () => false },
  });
  const fixture = codeCalls(workspace, [search, find, astGrep, read, hashlineEdit], {
    permit: (request, call) => permissions.permit(request, call),
    readEffect: permissions.readEffect("search"),
  });
  return { fixture, asked };
}

test("a search leaves out what may hold secrets, says so and asks nobody; naming the file asks", async (t) => {
  const { fixture, asked } = await openGuarded(t, [], "Allow once");
  for (const paths of [undefined, ["."], [".*", "certs"], [".*", "certs/*"], ["**"], [".e*", "c*/*"]]) {
    const { text } = await fixture.call("search", {
      pattern: "WORD",
      ...(paths === undefined ? {} : { paths }),
    });
    assert.doesNotMatch(text, /in env|in key/, String(paths));
    assert.match(text, /Left out because they may hold secrets: \.env, certs\/key\.pem\./, String(paths));
  }
  assert.deepEqual(asked, []);
  assert.match((await fixture.call("search", { pattern: "WORD", paths: [".env"] })).text, /in env/);
  assert.match((await fixture.call("search", { pattern: "WORD", paths: ["**/*.pem"] })).text, /in key/);
  assert.equal(asked.length, 2);
  assert.doesNotMatch((await fixture.call("search", { pattern: "absent" })).text, /Left out/);
});

test("what a rule denies is in no search, no list and no structural search, and what it allows is", async (t) => {
  const rules: PermissionRule[] = [
    { tool: "read", target: "private/**", effect: "deny" },
    { tool: "read", target: ".env", effect: "allow" },
  ];
  const { fixture } = await openGuarded(t, rules);
  const { text } = await fixture.call("search", { pattern: "WORD" });
  assert.match(text, /in plain[\s\S]*Left out because a rule denies reading: 1 file\./);
  assert.match(text, /in env/);
  assert.doesNotMatch(text, /in private|private\//);
  for (const paths of [["private"], ["private/a.ts"], ["./private/*"], ["src/../private"]]) {
    const denied = await fixture.call("search", { pattern: "WORD", paths });
    assert.doesNotMatch(denied.text, /in private/, paths.join());
  }
  const found = await fixture.call("find", { pattern: "**/*.ts" });
  assert.equal(found.text, "src/plain.ts\n[Left out because a rule denies reading: 1 file.]");
  const tree = await fixture.call("read", { path: "." });
  assert.match(tree.text, /plain\.ts/);
  assert.doesNotMatch(tree.text, /private/);
  const edited = await fixture.call("edit", { input: "§private/a.ts\n≔1zz\nnothing" });
  assert.equal(edited.isError, true);
  assert.doesNotMatch(edited.text, /in private/);
  const structural = await fixture.call("ast_grep", { pat: "const $A = $B", paths: ["."] });
  assert.match(structural.text, /plain/);
  assert.doesNotMatch(structural.text, /private/);
});
