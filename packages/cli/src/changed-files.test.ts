// What a person does to files between two turns, with another program: the next turn works on what is there.

import assert from "node:assert/strict";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { TurnEvent } from "@stet/host/turn/agent-turn";
import { startScriptedModel } from "@stet/testkit/scripted-model";
import { StetProject } from "@stet/testkit/stet-project";

const items = [..."abcdefghij"].map((letter) => `item ${letter}\n`);

class Project extends StetProject {
  write(name: string, content: string): void {
    writeFileSync(join(this.folder, name), content);
  }
}

type Call = readonly [tool: string, args: Record<string, unknown>];

/** One turn in which the model makes these calls, one a message; returns what each gave. */
async function play(t: TestContext, project: StetProject, args: readonly string[], calls: readonly Call[]) {
  let next = 0;
  const server = await startScriptedModel(() => {
    const call = calls[next++];
    if (call === undefined) return { text: "Done." };
    return { text: `I call ${call[0]}.`, toolCalls: [{ name: call[0], arguments: call[1] }] };
  });
  t.after(() => server.close());
  const env = { OPENAI_COMPATIBLE_BASE_URL: `${server.url}/v1` };
  const words = ["--model", "openai-compatible/local", "--mode", "json", "--review", "none"];
  const { code, out, note } = await project.stet([...words, ...args, "-p", "go"], { env });
  const events: TurnEvent[] = out
    .trim()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
  const results = events.flatMap((event) => (event.type === "tool_end" ? [event] : []));
  return { code, note, results };
}

test("a line is deleted by its number in the file as it is, also where the file was edited before", async (t) => {
  const project = new Project(t, { "a.txt": items.join("") });
  const first = await project.stet(["-p", "--review", "none", "Replace item j with item J in a.txt"]);
  assert.equal(first.code, 0, first.note);
  const now = ["new 1\n", "new 2\n", ...items.slice(0, -1), "item J\n"];
  project.write("a.txt", now.join(""));
  const second = await project.stet(["-p", "--review", "none", "Delete line 5 of a.txt"]);
  assert.equal(second.code, 0, second.note);
  assert.equal(project.read("a.txt"), now.toSpliced(4, 1).join(""));
});

test("an edit beside a line that was changed on disk is made, and the change is kept", async (t) => {
  const project = new Project(t, { "a.txt": items.join("") });
  assert.equal(
    (await project.stet(["-p", "--review", "none", "Replace item j with item J in a.txt"])).code,
    0,
  );
  const now = items.with(9, "item J\n").with(3, "item d, by hand\n");
  project.write("a.txt", now.join(""));
  const second = await project.stet(["-p", "--review", "none", "Replace item e with item E in a.txt"]);
  assert.equal(second.code, 0, second.note);
  assert.equal(project.read("a.txt"), now.with(4, "item E\n").join(""));
});

const reads: Readonly<Record<string, Call>> = {
  project: ["read_file", { file_path: "a.txt" }],
  tabs: ["read_document", {}],
  paper: ["get_context_lines", { lineNumber: 1, before: 0, after: 20 }],
  code: ["read", { path: "a.txt" }],
};

const edits: Readonly<Record<string, Call>> = {
  project: ["edit_file", { file_path: "a.txt", operation: "insert", start_line: 1, new_text: "more\n" }],
  tabs: ["insert_lines", { after_line: 0, content: "more", version: "1" }],
  paper: ["write_append", { text: "more" }],
  code: ["write", { path: "b.txt", content: "more\n" }],
};

for (const [toolset, call] of Object.entries(reads)) {
  test(`toolset ${toolset} reads the file as it is, and one that was deleted is neither read nor written again`, async (t) => {
    const project = new Project(t, { "a.txt": items.join("") });
    // Edited once, and its tab is open from here on.
    const open = ["--toolset", toolset, "--tab", "a.txt"];
    const edit = ["-p", "--toolset", "project", "--tab", "a.txt", "--review", "none"];
    assert.equal((await project.stet([...edit, "Replace item j with item J in a.txt"])).code, 0);
    project.write("a.txt", "all of it\nis another text\n");
    const read = await play(t, project, open, [call]);
    assert.equal(read.code, 0, read.note);
    assert.match(read.results[0]?.content ?? "", /is another text/);
    assert.doesNotMatch(read.results[0]?.content ?? "", /item/);
    rmSync(join(project.folder, "a.txt"));
    const gone = await play(t, project, open, [call, edits[toolset] ?? call]);
    assert.ok(gone.code !== 0 || gone.results[0]?.isError, JSON.stringify(gone.results));
    assert.ok(!existsSync(join(project.folder, "a.txt")), "it is not written again");
  });
}

test("a conflict with the file has a way out on the command line, and what that drops can be had again", async (t) => {
  const sides = { keep: "B by the agent\n", reload: "b by hand\n", both: "B by the agent\nb by hand\n" };
  for (const [side, expected] of Object.entries(sides)) {
    const project = new Project(t, { "a.txt": "a\nb\nc\n" });
    assert.equal((await project.stet(["-p", "Replace b with B by the agent in a.txt"])).code, 0);
    project.write("a.txt", "a\nb by hand\nc\n");
    const refused = await project.stet(["review", "accept", "--all"]);
    assert.equal(refused.code, 4);
    assert.match(refused.note, /stet review resolve a\.txt --reload, --keep or --both/);
    assert.match((await project.stet(["review"])).note, /a\.txt was changed on disk/);
    const read = await play(t, project, ["--toolset", "code"], [["read", { path: "a.txt" }]]);
    assert.equal(read.results[0]?.isError, false, "it can be read meanwhile");
    const edit = { file_path: "a.txt", operation: "delete", start_line: 1, end_line: 1 };
    const calls: Call[] = [
      ["read_file", { file_path: "a.txt" }],
      ["edit_file", edit],
    ];
    const edited = await play(t, project, [], calls);
    assert.match(edited.results[1]?.content ?? "", /external_change/);
    const resolved = await project.stet(["review", "resolve", "a.txt", `--${side}`]);
    assert.equal(resolved.code, 0, resolved.note);
    assert.equal(project.read("a.txt"), `a\n${expected}c\n`);
    const [, checkpoint = ""] = /stet rollback (\S+)/.exec(resolved.out) ?? [];
    const back = await project.stet(["rollback", checkpoint, "--yes"]);
    assert.equal(back.code, 0, back.note);
  }
});
