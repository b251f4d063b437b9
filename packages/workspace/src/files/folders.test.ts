import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { isFault } from "@stet/protocol/fault";
import { temporaryFolder } from "@stet/testkit/temporary";
import { openRoot, type Root } from "./containment.ts";
import { makeFolder, missingFolders, syncFolder, withFolder } from "./folders.ts";

const proofs = ["descriptor", "path"] as const;

function settingOf(t: TestContext, proof: Root["proof"]): { root: Root; path: string; outside: string } {
  const folder = temporaryFolder(t, {
    "root/docs/a.md": "inside",
    "root/.git/config": "",
    "outside/b.md": "",
  });
  const root = openRoot(join(folder, "root"), { proof });
  assert.ok(!isFault(root));
  return { root, path: root.path, outside: join(folder, "outside") };
}

function refusal(result: unknown): string | undefined {
  return isFault(result) ? result.error : undefined;
}

for (const proof of proofs) {
  test(`an entry of an opened folder is created in it (proof by ${proof})`, (t) => {
    const { root, path } = settingOf(t, proof);
    const result = withFolder(root, join(path, "docs"), (folder) => {
      writeFileSync(folder.entry("new.md"), "new");
      return "made";
    });
    assert.equal(result, "made");
    assert.deepEqual(readdirSync(join(path, "docs")), ["a.md", "new.md"]);
  });

  test(`a folder outside, a protected one, a link and a file are not opened (proof by ${proof})`, (t) => {
    const { root, path, outside } = settingOf(t, proof);
    const open = (folder: string) => refusal(withFolder(root, folder, () => "opened"));
    symlinkSync(outside, join(path, "out"));
    mkdirSync(join(outside, "deep"));
    assert.equal(open(outside), "path_outside");
    assert.equal(open(join(path, "..")), "path_outside");
    assert.equal(open(join(path, ".git")), "protected_path");
    assert.equal(open(join(path, "out")), "external_change");
    assert.equal(open(join(path, "out/deep")), "path_outside");
    assert.equal(open(join(path, "docs/a.md")), "external_change");
    assert.equal(open(join(path, "missing")), "file_not_found");
  });

  test(`missing folders are made one by one, and not through a link (proof by ${proof})`, (t) => {
    const { root, path, outside } = settingOf(t, proof);
    const wanted = join(path, "docs/one/two");
    const missing = missingFolders(root, wanted);
    assert.deepEqual(missing, [join(path, "docs/one"), wanted]);
    for (const folder of missing) assert.equal(makeFolder(root, folder), undefined);
    assert.ok(statSync(wanted).isDirectory());
    assert.deepEqual(missingFolders(root, wanted), []);
    assert.equal(makeFolder(root, wanted), undefined);

    symlinkSync(outside, join(path, "out"));
    assert.equal(refusal(makeFolder(root, join(path, "out/new"))), "external_change");
    assert.equal(refusal(makeFolder(root, join(path, ".git/new"))), "protected_path");
    assert.deepEqual(readdirSync(outside), ["b.md"]);
  });
}

test("what the action could not do is a fault", (t) => {
  const { root, path } = settingOf(t, "descriptor");
  const result = withFolder(root, join(path, "docs"), (folder) => rmSync(folder.entry("missing")));
  assert.equal(refusal(result), "file_not_found");
});

test("a folder swapped for a link while it is open does not redirect what is created", (t) => {
  const { root, path, outside } = settingOf(t, "descriptor");
  withFolder(root, join(path, "docs"), (folder) => {
    renameSync(join(path, "docs"), join(path, "moved"));
    symlinkSync(outside, join(path, "docs"));
    writeFileSync(folder.entry("new.md"), "new");
    renameSync(folder.entry("new.md"), folder.entry("newer.md"));
  });
  assert.deepEqual(readdirSync(outside), ["b.md"]);
  assert.deepEqual(readdirSync(join(path, "moved")), ["a.md", "newer.md"]);
});

test("where entries are plain paths, a swap is at least reported", (t) => {
  const { root, path, outside } = settingOf(t, "path");
  const result = withFolder(root, join(path, "docs"), () => {
    renameSync(join(path, "docs"), join(path, "moved"));
    symlinkSync(outside, join(path, "docs"));
    return "made";
  });
  assert.equal(refusal(result), "external_change");
});

test("while another process swaps links, 1,000 writes never land outside", async (t) => {
  const { root, path, outside } = settingOf(t, "descriptor");
  symlinkSync(outside, join(path, "spare"));
  // In no case in the folder of the tests: the program moves folders about.
  const child = spawn(process.execPath, ["--eval", swapForEver], {
    cwd: path,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  await Promise.race([once(child.stdout, "data"), exited]);
  const counts = { written: 0, refused: 0 };
  const raced = () => counts.written > 0 && counts.refused > 0;
  const patience = Date.now() + 30_000;
  try {
    for (let round = 0; round < 1000 || (!raced() && Date.now() < patience); round += 1) {
      const result = withFolder(root, join(path, "docs/deep"), (folder) => {
        writeFileSync(folder.entry(`${round}.md`), "new");
        return "made";
      });
      counts[isFault(result) ? "refused" : "written"] += 1;
    }
  } finally {
    child.kill();
    await exited;
  }
  assert.deepEqual(readdirSync(join(outside, "deep")), []);
  assert.ok(raced(), `nothing was raced: ${JSON.stringify(counts)}`);
});

const swapForEver = `
  const { mkdirSync, renameSync } = require("node:fs");
  mkdirSync("docs/deep");
  mkdirSync("spare/deep");
  const rest = new Int32Array(new SharedArrayBuffer(4));
  console.log("ready");
  for (let round = 0; ; round += 1) {
    if (round % 32 === 0) Atomics.wait(rest, 0, 0, 1);
    renameSync("docs", "kept"); renameSync("spare", "docs");
    renameSync("docs", "spare"); renameSync("kept", "docs");
  }
`;

test("a folder is made durable, and one that is gone needs nothing", async (t) => {
  const { root, path, outside } = settingOf(t, "descriptor");
  assert.equal(await syncFolder(root, join(path, "docs")), undefined);
  assert.equal(await syncFolder(root, join(path, "missing")), undefined);
  assert.equal(refusal(await syncFolder(root, outside)), "path_outside");
  assert.ok(!existsSync(join(path, "missing")));
});
