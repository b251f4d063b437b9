import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { test } from "node:test";
import { crc32, deflateRawSync, gzipSync } from "node:zlib";
import { openCodeFixture } from "@stet/testkit/code-fixture";
import { zipSync } from "fflate";
import { pack } from "tar-stream";
import { write } from "../../write/write.ts";
import { read } from "../read.ts";

const lines = Array.from({ length: 100 }, (_, index) => `line ${index + 1}`).join("\n");

function tar(build: (stream: ReturnType<typeof pack>) => void): Promise<Buffer> {
  const stream = pack();
  build(stream);
  stream.finalize();
  return buffer(stream);
}

interface Raw {
  readonly name: string;
  readonly content: Buffer;
  readonly flags?: number;
  readonly method?: number;
  /** What the directory declares, where it is not the truth. */
  readonly size?: number;
  readonly mode?: number;
  readonly isLong?: boolean;
}

/** A ZIP file made by hand, for what a library would not make. */
function zip(entries: readonly Raw[], before = Buffer.alloc(0)): Buffer {
  const parts: Buffer[] = [before];
  const records: Buffer[] = [];
  let at = 0;
  for (const {
    name,
    content,
    flags = 0,
    method = 8,
    size = content.length,
    mode = 0,
    isLong = false,
  } of entries) {
    const packed = method === 8 ? deflateRawSync(content) : content;
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(flags, 2);
    shared.writeUInt16LE(method, 4);
    shared.writeUInt32LE(crc32(content), 10);
    shared.writeUInt32LE(isLong ? 0xffffffff : packed.length, 14);
    shared.writeUInt32LE(isLong ? 0xffffffff : size, 18);
    shared.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), shared, Buffer.from(name)]);
    const long = Buffer.alloc(isLong ? 28 : 0);
    if (isLong) {
      long.writeUInt16LE(1, 0);
      long.writeUInt16LE(24, 2);
      long.writeBigUInt64LE(BigInt(size), 4);
      long.writeBigUInt64LE(BigInt(packed.length), 12);
      long.writeBigUInt64LE(BigInt(at), 20);
    }
    const record = Buffer.alloc(20);
    record.writeUInt32LE((mode << 16) >>> 0, 10);
    record.writeUInt32LE(isLong ? 0xffffffff : at, 14);
    const head = Buffer.concat([Buffer.from("PK\x01\x02\x14\x03", "latin1"), shared]);
    head.writeUInt16LE(long.length, 30);
    records.push(Buffer.concat([head, record.subarray(4, 18), Buffer.from(name), long]));
    parts.push(local, packed);
    at += local.length + packed.length;
  }
  const directory = Buffer.concat(records);
  const hasLong = entries.some(({ isLong }) => isLong);
  if (hasLong) {
    const record = Buffer.alloc(76);
    record.writeUInt32LE(0x06064b50, 0);
    record.writeBigUInt64LE(44n, 4);
    record.writeBigUInt64LE(BigInt(entries.length), 24);
    record.writeBigUInt64LE(BigInt(entries.length), 32);
    record.writeBigUInt64LE(BigInt(directory.length), 40);
    record.writeBigUInt64LE(BigInt(at), 48);
    record.writeUInt32LE(0x07064b50, 56);
    record.writeBigUInt64LE(BigInt(at + directory.length), 64);
    parts.push(directory, record);
  } else parts.push(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(hasLong ? 0xffff : entries.length, 8);
  end.writeUInt16LE(hasLong ? 0xffff : entries.length, 10);
  end.writeUInt32LE(hasLong ? 0xffffffff : directory.length, 12);
  end.writeUInt32LE(hasLong ? 0xffffffff : at, 16);
  return Buffer.concat([...parts, end]);
}

const text = (content: string) => Buffer.from(content);

test("archives of all kinds are listed, folder by folder, and their entries read by lines", async (t) => {
  const build = (stream: ReturnType<typeof pack>) => {
    stream.entry({ name: "./readme.txt" }, "hello\n");
    stream.entry({ name: "src/", type: "directory" });
    stream.entry({ name: "src/a.ts" }, lines);
    stream.entry({ name: `src/${"deep/".repeat(40)}long.txt` }, "far\n");
  };
  const plain = await tar(build);
  const files = {
    "a.tar": plain,
    "a.tar.gz": gzipSync(plain),
    "a.tgz": gzipSync(plain),
    "a.zip": zipSync({
      "readme.txt": text("hello\n"),
      src: { "a.ts": text(lines) },
      [`src/${"deep/".repeat(40)}long.txt`]: text("far\n"),
    }),
  };
  const { call } = await openCodeFixture(t, [read], { files });
  for (const name of Object.keys(files)) {
    assert.equal((await call("read", { path: name })).text, "readme.txt (6 B)\nsrc/", name);
    assert.equal((await call("read", { path: `${name}:src` })).text, "a.ts (791 B)\ndeep/", name);
    assert.equal((await call("read", { path: `${name}:src/` })).text, "a.ts (791 B)\ndeep/", name);
    assert.match((await call("read", { path: `${name}:readme.txt` })).text, /^1\|hello/, name);
    const some = await call("read", { path: `${name}:src/a.ts:50-52` });
    assert.match(some.text, /^49\|line 49\n50\|line 50/, name);
    const raw = await call("read", { path: `${name}:./src//a.ts:2+1:raw` });
    assert.equal(raw.text, "line 2", name);
    assert.match(
      (await call("read", { path: `${name}:src/${"deep/".repeat(40)}long.txt` })).text,
      /far/,
      name,
    );
  }
});

test("an entry that is not there is told with those that may be meant", async (t) => {
  const { call } = await openCodeFixture(t, [read], {
    files: { "a.zip": zipSync({ docs: { "readme.txt": text("x") } }) },
  });
  const answer = await call("read", { path: "a.zip:README.txt" });
  assert.equal(answer.error, "file_not_found");
  assert.match(answer.text, /a\.zip:docs\/readme\.txt/);
  assert.equal((await call("read", { path: "a.zip:../readme.txt" })).error, "invalid_path");
  assert.match((await call("read", { path: "a.zip:docs/../readme.txt" })).text, /cannot contain '\.\.'/);
  assert.equal((await call("read", { path: "none.zip:x" })).error, "file_not_found");
  assert.equal((await call("read", { path: "a.zip:docs/readme.txt:0" })).error, "invalid_line_range");
});

test("more than 500 entries are listed in part", async (t) => {
  const many = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`f${index}`, text("")]));
  const { call } = await openCodeFixture(t, [read], {
    files: { "a.zip": zipSync(many), "e.zip": zipSync({}) },
  });
  const { text: listing } = await call("read", { path: "a.zip" });
  assert.equal(listing.split("\n").length, 501);
  assert.match(listing, /\[100 more entries/);
  assert.equal((await call("read", { path: "e.zip" })).text, "(empty archive)");
});

test("an entry that is not UTF-8 text is a notice, not bytes", async (t) => {
  const { call } = await openCodeFixture(t, [read], {
    files: { "a.zip": zipSync({ "b.bin": Buffer.from([0xff, 0xfe, 0, 1]), "z.bin": Buffer.from("a\0b") }) },
  });
  assert.equal(
    (await call("read", { path: "a.zip:b.bin" })).text,
    "[Cannot read binary archive entry 'b.bin' (4 B)]",
  );
  assert.match((await call("read", { path: "a.zip:z.bin" })).text, /^\[Cannot read binary/);
});

test("names that lead out, and links, are told and not followed", async (t) => {
  const plain = await tar((stream) => {
    stream.entry({ name: "../../etc/passwd" }, "root");
    stream.entry({ name: "/etc/shadow" }, "root");
    stream.entry({ name: "link", type: "symlink", linkname: "/etc/passwd" });
    stream.entry({ name: "hard", type: "link", linkname: "ok.txt" });
    stream.entry({ name: "pipe", type: "fifo" });
    stream.entry({ name: "ok.txt" }, "fine");
  });
  const packed = zip([
    { name: "..\\evil.txt", content: text("x") },
    { name: "link", content: text("/etc/passwd"), mode: 0o120777 },
    { name: "bell\u0007\u001b[31m.txt", content: text("x") },
  ]);
  const { call } = await openCodeFixture(t, [read], { files: { "a.tar": plain, "a.zip": packed } });
  const listing = (await call("read", { path: "a.tar" })).text;
  assert.match(listing, /leads out of the archive, not readable: \.\.\/\.\.\/etc\/passwd/);
  assert.match(listing, /leads out of the archive, not readable: \/etc\/shadow/);
  assert.match(listing, /^link -> \/etc\/passwd$/m);
  assert.match(listing, /^pipe \(special file\)$/m);
  assert.equal((await call("read", { path: "a.tar:link" })).error, "not_a_file");
  assert.match((await call("read", { path: "a.tar:hard" })).text, /link to ok\.txt/);
  assert.equal((await call("read", { path: "a.tar:pipe" })).error, "not_a_file");
  assert.match((await call("read", { path: "a.tar:ok.txt" })).text, /fine/);
  const other = (await call("read", { path: "a.zip" })).text;
  assert.match(other, /leads out/);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that none gets through is what is tested.
  assert.doesNotMatch(other, /[\u0007\u001b]/);
  assert.equal((await call("read", { path: "a.zip:link" })).error, "not_a_file");
});

test("a ZIP file with large fields, something before it, or stored entries is read", async (t) => {
  const entries = [
    { name: "a.txt", content: text("stored"), method: 0 },
    { name: "b.txt", content: text("deflated") },
  ];
  const { call } = await openCodeFixture(t, [read], {
    files: {
      "plain.zip": zip(entries),
      "long.zip": zip(entries.map((entry) => ({ ...entry, isLong: true }))),
      "self.zip": zip(entries, text("#!/bin/sh\nunpack me\n")),
    },
  });
  for (const name of ["plain.zip", "long.zip", "self.zip"]) {
    assert.match((await call("read", { path: `${name}:a.txt` })).text, /stored/, name);
    assert.match((await call("read", { path: `${name}:b.txt` })).text, /deflated/, name);
  }
});

test("encrypted, strangely packed, damaged and false archives are told as such", async (t) => {
  const good = zip([{ name: "a.txt", content: text(lines) }]);
  const damaged = Buffer.from(good);
  damaged.fill(0, 45, 60);
  const tarred = await tar((stream) => stream.entry({ name: "a.txt" }, lines));
  const gzipped = gzipSync(tarred);
  const { call } = await openCodeFixture(t, [read], {
    files: {
      "secret.zip": zip([{ name: "a.txt", content: text("x"), flags: 1 }]),
      "odd.zip": zip([{ name: "a.txt", content: text("x"), method: 12 }]),
      "damaged.zip": damaged,
      "cut.zip": good.subarray(0, good.length - 30),
      "text.zip": "not an archive at all\n",
      "empty.zip": "",
      "cut.tar": tarred.subarray(0, 700),
      "text.tar": "x".repeat(2000),
      "cut.tgz": gzipped.subarray(0, gzipped.length - 40),
      "text.tgz": "x".repeat(2000),
    },
  });
  assert.match((await call("read", { path: "secret.zip:a.txt" })).text, /encrypted/);
  assert.match((await call("read", { path: "odd.zip:a.txt" })).text, /method 12/);
  for (const path of [
    "secret.zip:a.txt",
    "odd.zip:a.txt",
    "damaged.zip:a.txt",
    "cut.zip",
    "text.zip",
    "empty.zip",
    "cut.tar:a.txt",
    "text.tar",
    "cut.tgz",
    "text.tgz",
  ]) {
    assert.equal((await call("read", { path })).error, "not_readable", path);
  }
});

test("archives that were made to fill a disk are refused before they do", async (t) => {
  const zeros = Buffer.alloc(60 * 1024 * 1024);
  const small = Buffer.alloc(20 * 1024 * 1024);
  const huge = await tar((stream) => {
    stream.entry({ name: "a.txt" }, "x");
    stream.entry({ name: "zeros" }, zeros);
  });
  const { call } = await openCodeFixture(t, [read], {
    files: {
      "big.zip": zip([{ name: "z", content: zeros }]),
      "ratio.zip": zip([{ name: "z", content: small }]),
      // It says that it is small.
      "liar.zip": zip([{ name: "z", content: small, size: 100 }]),
      "bomb.tgz": gzipSync(huge, { level: 9 }),
      "big.tar": await tar((stream) => stream.entry({ name: "zeros" }, zeros)),
    },
  });
  for (const path of [
    "big.zip:z",
    "ratio.zip:z",
    "liar.zip:z",
    "bomb.tgz",
    "bomb.tgz:zeros",
    "big.tar:zeros",
  ]) {
    const answer = await call("read", { path });
    assert.equal(answer.error, "too_large", `${path}: ${answer.text}`);
  }
});

test("more entries than allowed, or headers of gigabytes, are refused", async (t) => {
  const directory = Buffer.alloc(22);
  directory.writeUInt32LE(0x06054b50, 0);
  const record = Buffer.alloc(76);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(200_000n, 32);
  record.writeUInt32LE(0x07064b50, 56);
  directory.writeUInt16LE(0xffff, 10);
  directory.writeUInt32LE(0xffffffff, 12);
  const header = Buffer.alloc(512);
  header.write("x", 0);
  header.write("77777777777", 124);
  header.write("x", 156);
  header.write("ustar\x0000", 257);
  let sum = 8 * 32;
  for (const [at, byte] of header.entries()) if (at < 148 || at >= 156) sum += byte;
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  const { call } = await openCodeFixture(t, [read], {
    files: { "many.zip": Buffer.concat([record, directory]), "pax.tar": header },
  });
  assert.equal((await call("read", { path: "many.zip" })).error, "too_large");
  assert.equal((await call("read", { path: "pax.tar" })).error, "not_readable");
});

test("an archive beyond what is held in memory is refused, packed or unpacked", async (t) => {
  const { call, place } = await openCodeFixture(t, [read, write]);
  for (const name of ["large.tar", "large.zip"]) {
    writeFileSync(place.path(name), "");
    truncateSync(place.path(name), 257 * 1024 * 1024);
  }
  for (const name of ["large.tar", "large.zip"]) {
    const answer = await call("read", { path: `${name}:a.txt` });
    assert.equal(answer.error, "too_large");
    assert.match(answer.text, /more than 256 MB.*\s.*in bash/);
    assert.equal((await call("write", { path: `${name}:a.txt`, content: "x" })).error, "too_large");
  }
});

test("folders that are called like archives, links out and protected places are left to those who know them", async (t) => {
  const { call, place } = await openCodeFixture(t, [read], {
    files: { "in.zip": zipSync({ a: text("x") }) },
  });
  mkdirSync(place.path("folder.zip"));
  assert.equal((await call("read", { path: "folder.zip" })).error, undefined);
  writeFileSync(`${place.folder}/out.zip`, zipSync({ a: text("secret") }));
  symlinkSync(`${place.folder}/out.zip`, place.path("link.zip"));
  assert.equal((await call("read", { path: "link.zip:a" })).error, "path_outside");
  assert.equal((await call("read", { path: "../out.zip:a" })).error, "path_outside");
  assert.equal((await call("read", { path: ".git/x.zip:a" })).error, "protected_path");
});
