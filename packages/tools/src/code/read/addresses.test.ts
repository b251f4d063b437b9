import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import test, { type TestContext } from "node:test";
import { openCodeFixture } from "@stet/testkit/code-fixture";
import { temporaryFolder } from "@stet/testkit/temporary";
import type { CodeTool } from "../code-context.ts";
import { type AddressFolders, folderAddresses } from "./addresses.ts";
import { read } from "./read.ts";

function put(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

async function openFixture(t: TestContext, folders: Partial<AddressFolders> = {}) {
  const folder = temporaryFolder(t, {
    "project/rules/style.md": "project style\n",
    "user/rules/style.md": "user style\n",
    "user/rules/mine.md": "mine\n",
    "user/skills/review/SKILL.md": "how to review\n",
    "user/skills/review/list.txt": "one\ntwo\nthree\n",
    "state/memory/plan.md": "the plan\n",
    "state/ledger.sqlite": "secret ledger\n",
  });
  const [project, user, state] = [join(folder, "project"), join(folder, "user"), join(folder, "state")];
  const addresses = folderAddresses({ project, user, state, ...folders });
  const tool: CodeTool = (context) => read({ ...context, addresses });
  const fixture = await openCodeFixture(t, [tool]);
  return { fixture, folder, call: (path: string) => fixture.call("read", { path }) };
}

test("rules are the project's before the person's, and only of a project that is trusted", async (t) => {
  const { call } = await openFixture(t);
  assert.equal((await call("rule://style")).text, "1|project style");
  assert.equal((await call("rule://mine")).text, "1|mine");
  const other = await openFixture(t, { project: undefined });
  assert.equal((await other.call("rule://style")).text, "1|user style");
});

test("skills with what belongs to them, and memory have addresses", async (t) => {
  const { call } = await openFixture(t);
  assert.equal((await call("skill://review")).text, "1|how to review");
  assert.equal((await call("skill://review/list.txt:2-2:raw")).text, "two");
  assert.equal((await call("memory://plan")).text, "1|the plan");
  assert.equal((await call("memory://plan.md")).text, "1|the plan");
});

test("an address without a name lists what there is", async (t) => {
  const { call } = await openFixture(t);
  assert.equal((await call("rule://")).text, "1|rule://mine\n2|rule://style");
  assert.equal((await call("skill://")).text, "1|skill://review");
  assert.equal((await call("memory://")).text, "1|memory://plan");
});

test("an unknown name is refused with what there is", async (t) => {
  const { call } = await openFixture(t);
  for (const [path, known] of [
    ["rule://nope", "rule://mine, rule://style"],
    ["skill://nope", "skill://review"],
    ["memory://nope", "memory://plan"],
    [
      "nope://x",
      "artifact://, conflict://, issue://, local://, pr://, stet://, rule://, skill://, memory://",
    ],
  ] as const) {
    const answer = await call(path);
    assert.equal(answer.error, "unknown_address", path);
    assert.ok(answer.text.includes(known), answer.text);
  }
});

test("no name leads out of its folder", async (t) => {
  const { call, folder } = await openFixture(t);
  symlinkSync(join(folder, "state/ledger.sqlite"), join(folder, "state/memory/link.md"));
  symlinkSync("/etc", join(folder, "user/skills/etc"));
  put(join(folder, "user/secret.md"), "secret\n");
  const wrong = [
    "memory://../ledger.sqlite",
    "memory://..%2fledger.sqlite",
    "memory://%2e%2e/ledger.sqlite",
    "memory://link",
    "memory:///etc/passwd",
    "rule://../secret",
    "rule://..\\secret",
    "skill://etc/passwd",
    "skill://review/../../secret.md",
    "skill://..",
  ];
  for (const path of wrong) {
    const answer = await call(path);
    assert.ok(
      ["path_outside", "unknown_address", "invalid_path"].includes(answer.error ?? ""),
      `${path}: ${answer.text}`,
    );
    assert.doesNotMatch(answer.text, /secret ledger|root:/);
  }
});

test("a folder of rules that is a link to elsewhere has no rules", async (t) => {
  const { folder, call } = await openFixture(t, { user: undefined, project: undefined });
  const project = join(folder, "linked");
  mkdirSync(project);
  symlinkSync(join(folder, "user/rules"), join(project, "rules"));
  const linked = await openFixture(t, { user: undefined, project });
  assert.equal((await linked.call("rule://mine")).error, "unknown_address");
  assert.equal((await call("rule://mine")).error, "unknown_address");
});

test("a kept output is read in parts", async (t) => {
  const { fixture, call } = await openFixture(t);
  const text = Array.from({ length: 4000 }, (_, index) => `row ${index + 1}`).join("\n");
  const address = fixture.context.keepArtifact?.(text) ?? "";
  const first = await call(address);
  assert.match(first.text, /^1\|row 1\n2\|row 2\n/);
  const next = /Read (artifact:\/\/1:\d+) to go on/.exec(first.text)?.[1] ?? "";
  assert.match((await call(next)).text, /\|row 4000$/);
  assert.equal((await call("artifact://1:3000+2:raw")).text, "row 3000\nrow 3001");
  assert.match((await call("artifact://1:9000")).text, /has 4000 lines/);
  assert.equal((await call("artifact://x")).error, "unknown_address");
});

test("without addresses, only what always exists is offered", async (t) => {
  const fixture = await openCodeFixture(t, [read]);
  const answer = await fixture.call("read", { path: "rule://style" });
  assert.equal(answer.error, "unknown_address");
});
