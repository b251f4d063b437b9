import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { must, TestWorkspace } from "@stet/testkit/workspace";
import { openRoot } from "../containment.ts";
import { Shadow, type ShadowChanges, type ShadowLimits } from "./shadow.ts";

async function open(
  t: TestContext,
  files: Record<string, string | Uint8Array>,
  limits: Partial<ShadowLimits> = {},
) {
  const place = new TestWorkspace(t, files);
  const root = must(openRoot(place.root));
  const stateFolder = place.folder;
  const shadow = new Shadow({ root, stateFolder, limits });
  t.after(() => shadow.close());
  must(await shadow.look());
  return {
    place,
    shadow,
    again: () => new Shadow({ root, stateFolder, limits }),
    run: (command: string) => execFileSync("sh", ["-c", command], { cwd: place.root }),
    look: async () => told(must(await shadow.look())),
  };
}

function told({ text, other }: ShadowChanges): Record<string, string> {
  const decode = (bytes: Uint8Array | null) => (bytes === null ? "nothing" : Buffer.from(bytes).toString());
  const entries = text.map(({ path, before, after }) => [path, `${decode(before)} → ${decode(after)}`]);
  return Object.fromEntries([...entries, ...other.map((path) => [path, "changed"])].sort());
}

test("what a command changed, made, moved and removed is told with what was there", async (t) => {
  const { run, look } = await open(t, {
    "a.txt": "one",
    "b.txt": "two",
    "deep/c.txt": "three",
    "d.txt": "same",
  });
  run("echo -n 1 > a.txt; rm b.txt; mv deep/c.txt deep/e.txt; mkdir -p x/y; echo -n new > x/y/f.txt");
  assert.deepEqual(await look(), {
    "a.txt": "one → 1",
    "b.txt": "two → nothing",
    "deep/c.txt": "three → nothing",
    "deep/e.txt": "nothing → three",
    "x/y/f.txt": "nothing → new",
  });
  assert.deepEqual(await look(), {});
});

test("what is beside the texts is told: empty files, folders, links, modes, a name with a line end", async (t) => {
  const { run, shadow } = await open(t, {
    "a.txt": "one",
    "s.sh": "echo",
    "old-empty.txt": "",
    "here/f.txt": "x",
  });
  run("mkdir gone && ln -s a.txt old-link");
  must(await shadow.look());
  run(
    "touch empty.txt; chmod 755 s.sh; ln -s a.txt link; mkdir -p d/e; rmdir gone; ln -sf s.sh old-link; rm old-empty.txt; " +
      "rm here/f.txt; mkdir with; echo y > with/g.txt; printf more > 'new\nline.txt'",
  );
  const { text, leftBehind } = must(await shadow.look());
  assert.deepEqual(Object.fromEntries(leftBehind.map(({ path, what }) => [path, what])), {
    "empty.txt": "a new empty file",
    "s.sh": "its mode, 644, is 755 now",
    link: "a new link",
    d: "a new folder",
    gone: "a removed folder",
    "old-link": "a link that leads elsewhere now",
    "old-empty.txt": "a removed empty file",
  });
  assert.ok(text.some(({ path }) => path === "new\nline.txt"));
  assert.deepEqual(must(await shadow.look()).leftBehind, []);
});

test("a file that is changed at once after a look, to the same length, is noticed", async (t) => {
  const { place, look } = await open(t, { "a.txt": "aaaa" });
  for (const text of ["bbbb", "cccc", "dddd", "eeee"]) {
    writeFileSync(place.path("a.txt"), text);
    assert.match((await look())["a.txt"] ?? "", new RegExp(`→ ${text}$`));
  }
});

test("a file that is only touched has not changed", async (t) => {
  const { place, look } = await open(t, { "a.txt": "aaaa" });
  await pause(60);
  utimesSync(place.path("a.txt"), new Date(), new Date());
  assert.deepEqual(await look(), {});
});

test("ignored files, node_modules and .git are not looked at, hidden ones are", async (t) => {
  const { run, look } = await open(t, { ".gitignore": "out/\n", ".env.example": "a" });
  run(
    "mkdir -p out node_modules/x .git; echo x > out/a; echo x > node_modules/x/a.js; echo x > .git/y; echo -n b > .env.example",
  );
  assert.deepEqual(await look(), { ".env.example": "a → b" });
});

test("files that are not text, too large or too many are told by name", async (t) => {
  const { run, look } = await open(
    t,
    { "a.bin": new Uint8Array([0, 1, 2]), "b.txt": "x".repeat(200) },
    { maxFileBytes: 100 },
  );
  run("printf '\\000\\001' > a.bin; echo y >> b.txt; printf '\\000' > new.bin");
  assert.deepEqual(await look(), { "a.bin": "changed", "b.txt": "changed", "new.bin": "changed" });
});

test("beyond the bound in bytes, files are still told", async (t) => {
  const { run, look } = await open(
    t,
    { "a.txt": "x".repeat(60), "b.txt": "y".repeat(60) },
    { maxBytes: 100 },
  );
  run("echo -n 1 > a.txt; echo -n 2 > b.txt");
  const changes = await look();
  assert.deepEqual(Object.keys(changes), ["a.txt", "b.txt"]);
});

test("a new process finds what changed since the last one looked", async (t) => {
  const { run, shadow, again } = await open(t, { "a.txt": "one" });
  shadow.close();
  run("echo -n 1 > a.txt");
  const next = again();
  t.after(() => next.close());
  assert.deepEqual(told(must(await next.look())), { "a.txt": "one → 1" });
});

test("a store that is damaged is made anew", async (t) => {
  const { place, shadow, again } = await open(t, { "a.txt": "one" });
  shadow.close();
  rmSync(join(place.folder, "shadow.sqlite-wal"), { force: true });
  writeFileSync(
    join(place.folder, "shadow.sqlite"),
    "not a database at all, but long enough to be looked at".repeat(50),
  );
  const next = again();
  t.after(() => next.close());
  must(await next.look());
  assert.deepEqual(told(must(await next.look())), {});
});

test("a file that becomes a link or a folder is gone", async (t) => {
  const { run, look } = await open(t, { "a.txt": "one", "b.txt": "two" });
  run("rm a.txt b.txt; ln -s /etc/passwd a.txt; mkdir b.txt");
  assert.deepEqual(await look(), { "a.txt": "one → nothing", "b.txt": "two → nothing" });
});
