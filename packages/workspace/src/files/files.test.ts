import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { isFault } from "@stet/protocol/fault";
import { temporaryFolder } from "@stet/testkit/temporary";
import { type Location, openRoot, type Root, resolveInside } from "./containment.ts";
import { type FileContent, hashBytes, type ReadOptions, readBytes } from "./files.ts";

const proofs = ["descriptor", "path"] as const;

interface Setting {
  root: Root;
  /** The root's path. */
  path: string;
  outside: string;
}

function settingOf(t: TestContext, proof: Root["proof"]): Setting {
  const folder = temporaryFolder(t, {
    "root/notes.md": "notes",
    "root/docs/a.md": "inside",
    "outside/a.md": "SECRET",
    "root/.git/config": "SECRET",
  });
  const root = openRoot(join(folder, "root"), { proof });
  assert.ok(!isFault(root));
  return { root, path: root.path, outside: join(folder, "outside") };
}

function locate(root: Root, path: string): Location {
  const location = resolveInside(root, path);
  assert.ok(!isFault(location));
  return location;
}

function read(root: Root, path: string, options: ReadOptions = {}): FileContent {
  const content = readBytes(root, locate(root, path), options);
  assert.ok(!isFault(content), isFault(content) ? content.message : "");
  return content;
}

function refusal(root: Root, location: Location, options: ReadOptions = {}): string {
  const content = readBytes(root, location, options);
  assert.ok(isFault(content), "was read");
  return content.error;
}

test("a file is read with its bytes, mode, size and hash", (t) => {
  const { root, path } = settingOf(t, "descriptor");
  const bytes = Uint8Array.from({ length: 1000 }, (_, index) => index % 256);
  writeFileSync(join(path, "all.bin"), bytes);
  chmodSync(join(path, "all.bin"), 0o751);
  const content = read(root, "all.bin");
  assert.deepEqual(new Uint8Array(content.bytes), bytes);
  assert.equal(content.mode, 0o751);
  assert.equal(content.size, 1000);
  assert.equal(content.hash, `sha256:${createHash("sha256").update(bytes).digest("hex")}`);
  assert.equal(content.hash, hashBytes(bytes));
  assert.equal(content.links, 1);
});

test("an empty file is read", (t) => {
  const { root, path } = settingOf(t, "descriptor");
  writeFileSync(join(path, "empty"), "");
  assert.equal(read(root, "empty").hash, hashBytes(new Uint8Array()));
});

test("the identity changes with a write, a replacement and a change of mode, and with nothing else", (t) => {
  const { root, path } = settingOf(t, "descriptor");
  const file = join(path, "notes.md");
  const first = read(root, "notes.md").identity;
  assert.equal(read(root, "notes.md").identity, first);
  appendFileSync(file, "!");
  const second = read(root, "notes.md").identity;
  chmodSync(file, 0o600);
  const third = read(root, "notes.md").identity;
  writeFileSync(`${file}.new`, "notes!");
  chmodSync(`${file}.new`, 0o600);
  renameSync(`${file}.new`, file);
  const fourth = read(root, "notes.md").identity;
  assert.equal(new Set([first, second, third, fourth]).size, 4);
});

test("a file over the limit is refused with its size before it is read", (t) => {
  const { root, path } = settingOf(t, "descriptor");
  truncateSync(join(path, "notes.md"), 300 * 1024 * 1024);
  const content = readBytes(root, locate(root, "notes.md"));
  assert.ok(isFault(content));
  assert.equal(content.error, "unsupported_file_type");
  assert.match(content.message, /notes\.md has 314572800 bytes/);
  assert.equal(refusal(root, locate(root, "docs/a.md"), { maxBytes: 5 }), "unsupported_file_type");
  assert.equal(read(root, "docs/a.md", { maxBytes: 6 }).size, 6);
});

test("a file that grows between opening and reading is read whole", (t) => {
  const { root, path } = settingOf(t, "descriptor");
  const grow = () => writeFileSync(join(path, "notes.md"), "after, and longer");
  assert.equal(Buffer.from(read(root, "notes.md", { opened: grow }).bytes).toString(), "after, and longer");
});

for (const proof of proofs) {
  test(`folders, FIFOs and devices are refused without waiting (proof by ${proof})`, (t) => {
    const { root, path } = settingOf(t, proof);
    const at = (name: string) => ({ path: name, absolute: join(path, name), exists: true });
    execFileSync("mkfifo", [join(path, "pipe")]);
    assert.equal(refusal(root, at("docs")), "not_a_file");
    assert.equal(refusal(root, at("pipe")), "not_a_file");
    assert.equal(refusal(root, { path: "null", absolute: "/dev/null", exists: true }), "not_a_file");
    assert.equal(refusal(root, at("missing")), "file_not_found");
  });

  test(`a FIFO that takes the file's place before the opening does not block (proof by ${proof})`, (t) => {
    const { root, path } = settingOf(t, proof);
    const location = locate(root, "notes.md");
    rmSync(location.absolute);
    execFileSync("mkfifo", [join(path, "notes.md")]);
    assert.equal(refusal(root, location), "not_a_file");
  });

  test(`a file swapped for a link out after resolving is not read (proof by ${proof})`, (t) => {
    const { root, outside } = settingOf(t, proof);
    const location = locate(root, "docs/a.md");
    rmSync(location.absolute);
    symlinkSync(join(outside, "a.md"), location.absolute);
    assert.equal(refusal(root, location), "external_change");
  });

  test(`a parent swapped for a link out after resolving is not read through (proof by ${proof})`, (t) => {
    const { root, path, outside } = settingOf(t, proof);
    const location = locate(root, "docs/a.md");
    renameSync(join(path, "docs"), join(path, "hidden"));
    symlinkSync(outside, join(path, "docs"));
    assert.equal(refusal(root, location), "path_outside");
  });

  test(`a parent swapped out for the opening and back for the proof gives nothing (proof by ${proof})`, (t) => {
    const { root, path, outside } = settingOf(t, proof);
    const location = locate(root, "docs/a.md");
    renameSync(join(path, "docs"), join(path, "hidden"));
    symlinkSync(outside, join(path, "docs"));
    const swapBack = () => {
      rmSync(join(path, "docs"));
      renameSync(join(path, "hidden"), join(path, "docs"));
    };
    const error = refusal(root, location, { opened: swapBack });
    assert.equal(error, proof === "descriptor" ? "path_outside" : "external_change");
  });

  test(`a parent swapped for a link to .git is not read through (proof by ${proof})`, (t) => {
    const { root, path } = settingOf(t, proof);
    writeFileSync(join(path, "docs/config"), "mine");
    const location = locate(root, "docs/config");
    renameSync(join(path, "docs"), join(path, "hidden"));
    symlinkSync(".git", join(path, "docs"));
    assert.equal(refusal(root, location), "protected_path");
  });

  test(`while another process swaps links, 2,000 reads never return an outside byte (proof by ${proof})`, async (t) => {
    const { root, path, outside } = settingOf(t, proof);
    mkdirSync(join(path, "spare"));
    symlinkSync(outside, join(path, "spare/folder"));
    symlinkSync(join(outside, "a.md"), join(path, "spare/file"));
    await readWhile(root, path, swapLinks);
  });

  test(`while another process swaps the file for a FIFO, 2,000 reads never wait (proof by ${proof})`, async (t) => {
    const { root, path } = settingOf(t, proof);
    mkdirSync(join(path, "spare"));
    linkSync(join(path, "docs/a.md"), join(path, "spare/file"));
    execFileSync("mkfifo", [join(path, "spare/pipe")]);
    await readWhile(root, path, swapKinds);
  });
}

/**
 * Reads docs/a.md 2,000 times while another process runs the program in the root, without end. How
 * the two meet is the machine's affair: where one of them never won, it goes on until each has.
 */
async function readWhile(root: Root, path: string, program: string): Promise<void> {
  const child = spawn(process.execPath, ["--eval", program], {
    cwd: path,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  await Promise.race([once(child.stdout, "data"), exited]);
  const counts = { read: 0, refused: 0 };
  const raced = () => counts.read > 0 && counts.refused > 0;
  const patience = Date.now() + 30_000;
  try {
    for (let round = 0; round < 2000 || (!raced() && Date.now() < patience); round += 1) {
      const location = resolveInside(root, "docs/a.md");
      const content = isFault(location) ? location : readBytes(root, location);
      if (isFault(content)) counts.refused += 1;
      else {
        assert.equal(Buffer.from(content.bytes).toString(), "inside");
        counts.read += 1;
      }
    }
  } finally {
    child.kill();
    await exited;
  }
  assert.ok(raced(), `nothing was raced: ${JSON.stringify(counts)}`);
}

/** Swaps the folder docs, and the file in it, for links to outside and back. */
const swapLinks = `
  const { renameSync } = require("node:fs");
  const rest = new Int32Array(new SharedArrayBuffer(4));
  console.log("ready");
  for (let round = 0; ; round += 1) {
    if (round % 32 === 0) Atomics.wait(rest, 0, 0, 1);
    renameSync("docs", "spare/kept"); renameSync("spare/folder", "docs");
    renameSync("docs", "spare/folder"); renameSync("spare/kept", "docs");
    renameSync("docs/a.md", "spare/kept"); renameSync("spare/file", "docs/a.md");
    renameSync("docs/a.md", "spare/file"); renameSync("spare/kept", "docs/a.md");
  }
`;

/** Puts now the file, now the FIFO, under the name docs/a.md, with never a moment of neither. */
const swapKinds = `
  const { linkSync, renameSync } = require("node:fs");
  const rest = new Int32Array(new SharedArrayBuffer(4));
  console.log("ready");
  for (let round = 0; ; round += 1) for (const kind of ["pipe", "file"]) {
    linkSync("spare/" + kind, "spare/next");
    renameSync("spare/next", "docs/a.md");
    if (round % 32 === 0) Atomics.wait(rest, 0, 0, 1);
  }
`;
