import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import test from "node:test";
import { Fault } from "@stet/protocol/fault";
import { openCodeFixture } from "@stet/testkit/code-fixture";
import { hashlineEdit } from "../edit/hashline/hashline-edit.ts";
import { write } from "../write/write.ts";
import { read } from "./read.ts";
import { namedFile, splitContainer } from "./sources.ts";

test("the file that a path leads through is told from what is meant in it", () => {
  for (const [path, file, inside] of [
    ["a.zip:in/b.ts:5", "a.zip", ":in/b.ts:5"],
    ["x/a.tar.gz:b", "x/a.tar.gz", ":b"],
    ["a.db.zip:x.db:t", "a.db.zip", ":x.db:t"],
    ["a.db?q=SELECT 1", "a.db", "?q=SELECT 1"],
    ["a.sqlite3", "a.sqlite3", ""],
    ["folder.zip/b.ts", "folder.zip/b.ts", ""],
    ["a.ts:5", "a.ts:5", ""],
  ] as const) {
    assert.deepEqual(splitContainer(path), { file, inside });
  }
  assert.equal(namedFile("a.ts:5-9:raw"), "a.ts");
});

function makeDatabase(path: string): void {
  const database = new DatabaseSync(path);
  database.exec("CREATE TABLE users (name TEXT); INSERT INTO users VALUES ('Ada')");
  database.close();
}

test("a database is found by the end of its path, and has to be allowed by its own", async (t) => {
  let isAllowed = true;
  const fixture = await openCodeFixture(t, [read], {
    files: { "data/notes.txt": "x" },
    permit: async ({ targets }) => {
      const isHidden = targets.some((target) => target.kind === "path" && target.path.startsWith("data/"));
      return isHidden && !isAllowed ? new Fault("not_allowed", "no", "no") : undefined;
    },
  });
  makeDatabase(join(fixture.place.root, "data/app.db"));
  for (const path of ["app.db", "app.db:users"]) {
    const answer = await fixture.call("read", { path });
    assert.match(
      answer.text,
      /^\[Path 'app\.db' not found; resolved to 'data\/app\.db' via suffix match\]\n/,
    );
    assert.match(answer.text, /users/);
  }
  isAllowed = false;
  assert.equal((await fixture.call("read", { path: "app.db:users" })).error, "not_allowed");
  assert.equal((await fixture.call("read", { path: "none.db:users" })).error, "file_not_found");
});

test("a folder, or a text file, that is named like a database is read as what it is", async (t) => {
  const fixture = await openCodeFixture(t, [read], {
    files: { "dir.db/a.txt": "x", "plain.db": "only text\n" },
  });
  assert.match((await fixture.call("read", { path: "dir.db" })).text, /^dir\.db\/\na\.txt/);
  assert.match((await fixture.call("read", { path: "plain.db" })).text, /\|only text/);
});

test("a file that is called like a page is a file", async (t) => {
  const fixture = await openCodeFixture(t, [read, write], { files: { "www.a.ts": "here\n" } });
  assert.match((await fixture.call("read", { path: "www.a.ts:1-1" })).text, /\|here/);
  assert.match(
    (await fixture.call("write", { path: "www.b.ts", content: "x\n" })).text,
    /wrote 2 bytes to www\.b\.ts/,
  );
});

test("anchors that read has shown can be edited by, and what was edited can be replaced", async (t) => {
  const fixture = await openCodeFixture(t, [read, write, hashlineEdit], { files: { "a.txt": "one\ntwo\n" } });
  const shown = await fixture.call("read", { path: "a.txt" });
  const anchor = /^2[a-z]{2}/m.exec(shown.text)?.[0];
  const edited = await fixture.call("edit", { input: `§a.txt\n»${anchor}\nthree\n` });
  assert.equal(edited.error, undefined);
  const written = await fixture.call("write", { path: "a.txt", content: "new\n" });
  assert.match(written.text, /Successfully wrote 4 bytes to a\.txt/);
});
