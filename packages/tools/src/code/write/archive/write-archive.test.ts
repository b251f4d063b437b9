import assert from "node:assert/strict";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import { openCodeFixture } from "@stet/testkit/code-fixture";
import { unzipSync, zipSync } from "fflate";
import { extract, type Header, pack } from "tar-stream";
import { read } from "../../read/read.ts";
import { write } from "../write.ts";
import { replaceFile } from "./replace-file.ts";

const text = (content: string) => Buffer.from(content);

function tar(
  entries: readonly [Parameters<ReturnType<typeof pack>["entry"]>[0], string?][],
): Promise<Buffer> {
  const stream = pack();
  for (const [header, content = ""] of entries) stream.entry(header, content);
  stream.finalize();
  return buffer(stream);
}

/** The blocks of each entry of a tar file, and what tar-stream says of them. */
async function tarContents(bytes: Buffer): Promise<Map<string, { header: Header; blocks: string }>> {
  const found = new Map<string, { header: Header; blocks: string }>();
  const stream = extract();
  stream.end(bytes);
  let start = 0;
  for await (const entry of stream) {
    const end = entry.offset + 512 + Math.ceil(entry.header.size / 512) * 512;
    found.set(entry.header.name, { header: entry.header, blocks: bytes.toString("latin1", start, end) });
    start = end;
    entry.resume();
  }
  return found;
}

const old = new Date("2020-02-02T02:02:02Z");

async function fixture(t: TestContext) {
  const tarred = await tar([
    [{ name: "bin/run.sh", mode: 0o755, mtime: old, uname: "ada", uid: 501 }, "#!/bin/sh\n"],
    [{ name: "link", type: "symlink", linkname: "bin/run.sh", mtime: old }],
    [{ name: `${"long/".repeat(50)}name.txt`, mtime: old }, "long"],
    [{ name: "data.bin", mtime: old }, "\u00ff\u0000binary"],
    [{ name: "folder/", type: "directory", mtime: old }],
  ]);
  const files = {
    "a.zip": zipSync(
      {
        "keep.bin": [Uint8Array.from([0, 255, 1, 2]), { level: 0, mtime: old }],
        "docs/readme.txt": [text("old\n"), { mtime: old, os: 3, attrs: 0o100755 << 16 }],
        "docs/last.txt": [text("last\n".repeat(100)), { mtime: old, comment: "a comment" }],
      },
      { comment: "of the archive" },
    ),
    "a.tar": tarred,
    "a.tgz": gzipSync(tarred),
  };
  return openCodeFixture(t, [read, write], { files });
}

test("an entry of a ZIP file is put in or replaced, and all others stay as they were", async (t) => {
  const { call, place } = await fixture(t);
  const before = unzipSync(readFileSync(place.path("a.zip")));
  const size = statSync(place.path("a.zip")).size;
  const content = "new content, ünïcode\n";
  const answer = await call("write", { path: "a.zip:docs/readme.txt", content });
  const [said] = answer.text.split("\n");
  assert.equal(said, `Successfully wrote ${content.length} bytes to a.zip:docs/readme.txt`);
  assert.equal(
    (await call("write", { path: "a.zip:./new//deep/file.txt", content: "x".repeat(5000) })).error,
    undefined,
  );
  const bytes = readFileSync(place.path("a.zip"));
  const after = unzipSync(bytes);
  assert.deepEqual(Object.keys(after).sort(), [...Object.keys(before), "new/deep/file.txt"].sort());
  assert.equal(Buffer.from(after["docs/readme.txt"] ?? []).toString(), content);
  assert.deepEqual(after["keep.bin"], before["keep.bin"]);
  assert.deepEqual(after["docs/last.txt"], before["docs/last.txt"]);
  assert.ok(bytes.includes("a comment") && bytes.includes("of the archive"));
  assert.ok(!bytes.includes("old\n"));
  assert.ok(bytes.length < size + 400);
  assert.match((await call("read", { path: "a.zip:docs/readme.txt" })).text, /ünïcode/);
  assert.match((await call("read", { path: "a.zip:docs/last.txt:100" })).text, /100\|last/);
});

const recordStart = /PK(?:\p{Cc}{2})/gu;

/** The bytes of each entry of a ZIP file: all of its local part, and its record but for the offset. */
function zipRecords(bytes: Buffer): Map<string, { local: string; record: string }> {
  const found = new Map<string, { local: string; record: string }>();
  const directory = bytes.readUInt32LE(bytes.lastIndexOf("PK\x05\x06") + 16);
  const starts = [...bytes.toString("latin1", directory).matchAll(recordStart)];
  const offsets = starts.slice(0, -1).map(({ index }) => bytes.readUInt32LE(directory + index + 42));
  for (const [at, { index }] of starts.slice(0, -1).entries()) {
    const record = Buffer.from(bytes.subarray(directory + index, directory + (starts[at + 1]?.index ?? 0)));
    const start = record.readUInt32LE(42);
    const end = Math.min(directory, ...offsets.filter((offset) => offset > start));
    record.writeUInt32LE(0, 42);
    const name = record.toString("utf8", 46, 46 + record.readUInt16LE(28));
    found.set(name, {
      local: bytes.toString("latin1", start, end),
      record: record.toString("latin1"),
    });
  }
  return found;
}

test("writing into a ZIP file keeps the bytes, modes, times, comments and order of all other entries", async (t) => {
  const { call, place } = await fixture(t);
  for (const entry of ["keep.bin", "docs/readme.txt", "docs/last.txt", "added.txt"]) {
    const before = zipRecords(readFileSync(place.path("a.zip")));
    assert.equal(
      (await call("write", { path: `a.zip:${entry}`, content: `${entry} again` })).error,
      undefined,
    );
    const after = zipRecords(readFileSync(place.path("a.zip")));
    const names = [...new Set([...before.keys(), entry])];
    assert.deepEqual([...after.keys()], names);
    for (const [name, bytes] of before) if (name !== entry) assert.deepEqual(after.get(name), bytes, name);
  }
});

test("a header for the whole tar file stays when the entry behind it is replaced", async (t) => {
  const { call, place } = await fixture(t);
  const tarred = await tar([
    [{ name: "a.txt", mtime: old, pax: { comment: "0123456789" } }, "a"],
    [{ name: "b.txt", mtime: old }, "b"],
  ]);
  // The kind x is made a g, and the header's sum with it.
  const sum = Number.parseInt(tarred.toString("latin1", 148, 154), 8) - 0x78 + 0x67;
  tarred.write("g", 156);
  tarred.write(sum.toString(8).padStart(6, "0"), 148);
  writeFileSync(place.path("g.tar"), tarred);
  assert.equal((await call("write", { path: "g.tar:a.txt", content: "new" })).error, undefined);
  const after = readFileSync(place.path("g.tar"));
  assert.deepEqual(after.subarray(0, 1024), tarred.subarray(0, 1024));
  assert.match((await call("read", { path: "g.tar:a.txt" })).text, /new/);
  assert.match((await call("read", { path: "g.tar:b.txt" })).text, /b/);
});

test("an entry of a tar file is replaced in its place, and all others stay byte for byte", async (t) => {
  const { call, place } = await fixture(t);
  for (const [name, bytes] of [
    ["a.tar", (path: string) => readFileSync(path)],
    ["a.tgz", (path: string) => gunzipSync(readFileSync(path))],
  ] as const) {
    const before = await tarContents(bytes(place.path(name)));
    assert.equal(
      (await call("write", { path: `${name}:bin/run.sh`, content: "#!/bin/bash\n" })).error,
      undefined,
    );
    assert.equal((await call("write", { path: `${name}:new.txt`, content: "new" })).error, undefined);
    const after = await tarContents(bytes(place.path(name)));
    assert.deepEqual([...after.keys()], [...before.keys(), "new.txt"]);
    for (const [entry, content] of before) {
      if (entry !== "bin/run.sh") assert.equal(after.get(entry)?.blocks, content.blocks, entry);
    }
    const run = after.get("bin/run.sh");
    assert.match(run?.blocks ?? "", /#!\/bin\/bash\n/);
    const { mode, uid, uname } = run?.header ?? {};
    assert.deepEqual({ mode, uid, uname }, { mode: 0o755, uid: 501, uname: "ada" });
    assert.match((await call("read", { path: `${name}:new.txt` })).text, /new/);
  }
});

test("an archive that is not there is made, with its folders", async (t) => {
  const { call, place } = await fixture(t);
  for (const name of ["out/deep/b.zip", "out/b.tar", "out/b.tar.gz"]) {
    const answer = await call("write", { path: `${name}:a/b.txt`, content: "made\n" });
    assert.equal(answer.error, undefined, answer.text);
    assert.match((await call("read", { path: `${name}:a/b.txt` })).text, /made/);
  }
  assert.deepEqual(readdirSync(place.path("out")).sort(), ["b.tar", "b.tar.gz", "deep"]);
});

test("the file's mode stays, and the copy from before is kept once and named", async (t) => {
  const { call, place, workspace } = await fixture(t);
  chmodSync(place.path("a.zip"), 0o640);
  const before = readFileSync(place.path("a.zip"));
  const first = await call("write", { path: "a.zip:x", content: "1" });
  const second = await call("write", { path: "a.zip:x", content: "2" });
  const { undo, kept } = first.details as { undo: boolean; kept: string };
  assert.equal(undo, false);
  assert.ok(first.text.includes(`kept at ${kept}`), first.text);
  assert.equal((second.details as { kept: string }).kept, kept);
  assert.deepEqual(readFileSync(kept), before);
  assert.equal(readdirSync(join(workspace.stateFolder, "kept-binaries")).length, 1);
  assert.equal(statSync(place.path("a.zip")).mode & 0o777, 0o640);
  assert.ok(!readdirSync(place.root).some((name) => name.startsWith(".a.zip")));
});

test("paths that name no file in an archive are refused, and nothing is written", async (t) => {
  const { call, place } = await fixture(t);
  writeFileSync(place.path("text.zip"), "no archive\n");
  mkdirSync(place.path("folder.zip"));
  writeFileSync(join(place.folder, "out.zip"), zipSync({ a: text("x") }));
  symlinkSync(join(place.folder, "out.zip"), place.path("link.zip"));
  const before = readFileSync(place.path("a.zip"));
  for (const [path, error, says] of [
    ["a.zip", "invalid_path", /must target a file inside the archive/],
    ["a.zip:", "invalid_path", /must target a file inside the archive/],
    ["a.zip:.", "invalid_path", /must target a file inside the archive/],
    ["a.zip:docs/", "invalid_path", /must target a file, not a directory/],
    ["a.zip:../x", "invalid_path", /Archive path cannot contain '\.\.'/],
    ["a.zip:a/../../x", "invalid_path", /cannot contain/],
    ["a.zip:a\\..\\x", "invalid_path", /cannot contain/],
    ["a.zip:docs", "not_a_file", /not a directory/],
    ["a.zip:keep.bin/below.txt", "not_a_file", /not a folder/],
    ["a.tar:folder", "not_a_file", /folder/],
    ["a.tar:link", "not_a_file", /link/],
    ["a.zip:x\u0007y", "invalid_path", /control character/],
    ["text.zip:a.txt", "not_readable", /no ZIP directory/],
    ["folder.zip:a.txt", "not_a_file", /folder/],
    ["link.zip:a", "path_outside", /leads out/],
    ["../out.zip:a", "path_outside", /\.\./],
    [".git/a.zip:x", "protected_path", /git/],
  ] as const) {
    const answer = await call("write", { path, content: "x" });
    assert.equal(answer.error, error, `${path}: ${answer.text}`);
    assert.match(answer.text, says, path);
  }
  assert.deepEqual(readFileSync(place.path("a.zip")), before);
  assert.deepEqual(unzipSync(readFileSync(join(place.folder, "out.zip"))).a, Uint8Array.from(text("x")));
});

test("a damaged archive is not rewritten, and no temporary file stays", async (t) => {
  const { call, place } = await fixture(t);
  const cut = readFileSync(place.path("a.tgz")).subarray(0, -60);
  writeFileSync(place.path("cut.tgz"), cut);
  assert.equal((await call("write", { path: "cut.tgz:x", content: "x" })).error, "not_readable");
  assert.deepEqual(readFileSync(place.path("cut.tgz")), cut);
  assert.ok(!readdirSync(place.root).some((name) => name.startsWith(".cut")));
});

test("a file that was changed while the new one was made stays as it is now", async (t) => {
  const { place, workspace } = await fixture(t);
  const location = workspace.documents.locate("a.zip");
  assert.ok("absolute" in location);
  const stale = { location, identity: "0:0:0:0:0", mode: undefined, bytes: text("new") };
  const fault = await replaceFile(workspace.root, stale);
  assert.equal(fault?.error, "external_change");
  assert.ok(!readdirSync(place.root).some((name) => name.startsWith(".a.zip")));
  assert.match(readFileSync(place.path("a.zip"), "latin1"), /^PK/);
});
