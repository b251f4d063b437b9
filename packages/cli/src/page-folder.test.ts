import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "@stet/testkit/temporary";
import { pageFolder } from "./page-folder.ts";

test("the page that was packed with the program comes before the one that is named", (t) => {
  const folder = temporaryFolder(t, { "bin/main.js": "", "web/index.html": "", "named/index.html": "" });
  const [program, named] = [join(folder, "bin"), join(folder, "named")];
  assert.equal(pageFolder({ STET_PAGE: named }, program), join(folder, "web"));
  assert.equal(pageFolder({ STET_PAGE: named }, join(program, "elsewhere")), named);
});

test("a folder without a page in it is no page, so the server starts with its plain one", (t) => {
  const folder = temporaryFolder(t, { "empty/notes.txt": "" });
  assert.equal(pageFolder({ STET_PAGE: join(folder, "empty") }, join(folder, "empty")), undefined);
  assert.equal(pageFolder({}, folder), undefined);
});
