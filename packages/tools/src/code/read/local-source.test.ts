import assert from "node:assert/strict";
import { readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { openCodeFixture } from "@stet/testkit/code-fixture";
import { temporaryFolder } from "@stet/testkit/temporary";
import type { CodeTool } from "../code-context.ts";
import { write } from "../write/write.ts";
import type { LocalTexts } from "./local-source.ts";
import { read } from "./read.ts";

/** The tools of an agent of a session. */
async function agentOf(t: TestContext, local: LocalTexts) {
  const of =
    (tool: CodeTool): CodeTool =>
    (context) =>
      tool({ ...context, local });
  const fixture = await openCodeFixture(t, [of(read), of(write)]);
  return {
    look: async (path: string) => (await fixture.call("read", { path })).text,
    put: async (path: string, content: string) => fixture.call("write", { path, content }),
  };
}

for (const kind of ["kept with the session", "in memory"]) {
  test(`what one agent of a session writes at local:// another one reads, ${kind}`, async (t) => {
    const folder = kind === "in memory" ? undefined : join(temporaryFolder(t), "artifacts");
    const session = `session ${Math.random()}`;
    const sender = await agentOf(t, { folder, session });
    const sent = await agentOf(t, { folder, session });
    const stranger = await agentOf(t, { folder: folder && `${folder}-other`, session: "another" });
    assert.match(await sender.look("local://"), /There is nothing at local:\/\/ yet/);
    const answer = await sender.put("local://notes/plan 1.md", "one\ntwo\n");
    assert.equal(answer.text, "Successfully wrote 8 bytes to local://notes/plan 1.md");
    assert.equal(await sent.look("local://notes/plan 1.md"), "1|one\n2|two");
    assert.equal(await sent.look("local://notes/plan%201.md:2:raw"), "two");
    await sent.put("local://done.md", "");
    await sender.put("local://notes/plan 1.md", "three");
    assert.equal(await sent.look("local://"), "local://done.md\nlocal://notes/plan 1.md");
    assert.equal(await sent.look("local://notes/plan 1.md"), "1|three");
    assert.match(await sent.look("local://other.md"), /There is no local:\/\/other\.md .*local:\/\/done\.md/);
    assert.match(await stranger.look("local://"), /nothing/);
    if (folder === undefined) return;
    assert.deepEqual(
      readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mode & 0o777]),
      [
        ["local.done.md", 0o600],
        ["local.notes%2Fplan%201.md", 0o600],
      ],
    );
  });
}

test("no name leads elsewhere, and what is too much is refused", async (t) => {
  const folder = temporaryFolder(t, { "0.txt": "an output" });
  const { look, put } = await agentOf(t, { folder, session: "one" });
  for (const name of [
    "../0.txt",
    "..%2f0.txt",
    "/etc/passwd",
    "a/../../b",
    "~/x",
    "a\\b",
    "a\u0000b",
    ".",
    "x".repeat(201),
  ]) {
    assert.match(await look(`local://${name}`), /"invalid_path"/, name);
    assert.equal((await put(`local://${name}`, "x")).error, "invalid_path", name);
  }
  assert.equal((await put("local://", "x")).error, "invalid_path");
  assert.equal((await put("local://big.md", "x".repeat(1024 * 1024 + 1))).error, "too_large");
  writeFileSync(join(folder, "secret"), "secret");
  symlinkSync(join(folder, "secret"), join(folder, "local.link.md"));
  assert.doesNotMatch(await look("local://link.md"), /secret/);
  for (let count = 1; count < 200; count += 1) writeFileSync(join(folder, `local.${count}`), "");
  assert.equal((await put("local://more.md", "x")).error, "limit_reached");
  assert.equal((await put("local://7", "again")).error, undefined);
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.endsWith(".tmp")),
    [],
  );
});
