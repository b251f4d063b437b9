import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { isFault } from "@stet/protocol/fault";
import { editInEditor } from "./external-editor.ts";

function editorOf(script: string): { environment: NodeJS.ProcessEnv; folder: string } {
  const folder = mkdtempSync(join(tmpdir(), "editor-"));
  const path = join(folder, "edit.sh");
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o700);
  return { environment: { PATH: process.env.PATH, EDITOR: `${path} --wait` }, folder };
}

test("what is added below the text is a line of its own, and no line end is added or lost", async () => {
  const { environment } = editorOf('echo "second" >> "$2"');
  assert.equal(await editInEditor("first", "a.md", environment), "first\nsecond");
  assert.equal(await editInEditor("first\n", "a.md", environment), "first\nsecond\n");
  assert.equal(await editInEditor("", "a.md", environment), "second");
});

test("nobody else can read the text while it is edited, and nothing of it stays", async () => {
  const { environment, folder } = editorOf('stat -c "%a %n" "$2" "$(dirname "$2")" > "$(dirname "$0")/seen"');
  assert.equal(await editInEditor("secret", "../../prompt.md", environment), "secret");
  const seen = readFileSync(join(folder, "seen"), "utf8").trim().split("\n");
  assert.match(seen[0] ?? "", /^600 .*stet-edit-\w+\/prompt\.md$/);
  assert.match(seen[1] ?? "", /^700 /);
  const [, path = ""] = (seen[0] ?? "").split(" ");
  assert.throws(() => readFileSync(path));
});

test("an editor that is not set, is not there or fails is told, and the text stays", async () => {
  const told = async (environment: NodeJS.ProcessEnv) => {
    const result = await editInEditor("text", "a.md", environment);
    assert.ok(isFault(result));
    return result.message;
  };
  assert.match(await told({ PATH: process.env.PATH }), /No editor is set/);
  assert.match(await told({ PATH: process.env.PATH, VISUAL: "no-such-editor" }), /no such program/);
  assert.match(await told(editorOf("exit 3").environment), /it ended with 3/);
});
