import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs, { lstatSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { onNotice } from "@stet/storage/notices";
import { must, TestWorkspace } from "@stet/testkit/workspace";
import { openRoot } from "../files/containment.ts";
import { lineOf } from "./node.ts";
import { type FoundNode, type Seen, Shadow, type ShadowLimits } from "./shadow.ts";

async function open(
  t: TestContext,
  files: Record<string, string | Uint8Array>,
  limits: Partial<ShadowLimits> = {},
) {
  const place = new TestWorkspace(t, files);
  const root = must(openRoot(place.root));
  const stateFolder = place.folder;
  const shadow = must(Shadow.open({ root, stateFolder, limits }));
  t.after(() => shadow.close());
  must(await shadow.look());
  return {
    place,
    shadow,
    again: () => must(Shadow.open({ root, stateFolder, limits })),
    run: (command: string) => execFileSync("sh", ["-c", command], { cwd: place.root }),
    look: async () => told(must(await shadow.look())),
  };
}

/** Files by their content where it is known, everything else by its line. */
function told(found: readonly FoundNode[]): Record<string, string> {
  const decode = (seen: Seen | null) => {
    if (seen === null) return "nothing";
    if (seen.node.kind !== "file") return lineOf(seen.node);
    return seen.bytes === undefined ? "a file" : Buffer.from(seen.bytes).toString();
  };
  const rows = found.map(({ path, before, after }) => [path, `${decode(before)} → ${decode(after)}`]);
  return Object.fromEntries(rows.toSorted());
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
    x: "nothing → folder, mode 755",
    "x/y": "nothing → folder, mode 755",
    "x/y/f.txt": "nothing → new",
  });
  assert.deepEqual(await look(), {});
});

test("links, folders, modes, empty files and names of any bytes are found", async (t) => {
  const { run, look } = await open(t, {
    "a.txt": "one",
    "s.sh": "echo",
    "old-empty.txt": "",
    "here/f.txt": "x",
  });
  run("mkdir gone && ln -s a.txt old-link");
  await look();
  run(
    "touch empty.txt; chmod 755 s.sh; ln -s a.txt link; mkdir -p d/e; rmdir gone; ln -sf s.sh old-link; rm old-empty.txt; " +
      "rm here/f.txt; chmod 700 here; mkdir with; ln -s nowhere with/l; printf more > 'new\nline.txt'; " +
      "printf x > \"$(printf 'bad\\377.txt')\"; printf y > ./-dash; mkfifo pipe",
  );
  assert.deepEqual(await look(), {
    "empty.txt": "nothing → ",
    "s.sh": "echo → echo",
    link: 'nothing → link to "a.txt"',
    d: "nothing → folder, mode 755",
    "d/e": "nothing → folder, mode 755",
    gone: "folder, mode 755 → nothing",
    "old-link": 'link to "a.txt" → link to "s.sh"',
    "old-empty.txt": " → nothing",
    here: "folder, mode 755 → folder, mode 700",
    "here/f.txt": "x → nothing",
    with: "nothing → folder, mode 755",
    "with/l": 'nothing → link to "nowhere"',
    "new\nline.txt": "nothing → more",
    "bad\udcff.txt": "nothing → x",
    "-dash": "nothing → y",
    pipe: "nothing → pipe",
  });
  assert.deepEqual(await look(), {});
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

test("of files that are too large, what was in them before is not kept, and they are found all the same", async (t) => {
  const { run, look } = await open(
    t,
    { "a.bin": new Uint8Array([0, 1, 2]), "b.txt": "x".repeat(200) },
    { maxFileBytes: 100 },
  );
  run("printf '\\000\\001' > a.bin; echo y > b.txt; printf '\\000' > new.bin");
  assert.deepEqual(await look(), {
    "a.bin": "\0\u0001\u0002 → \0\u0001",
    "b.txt": "a file → y\n",
    "new.bin": "nothing → \0",
  });
});

test("beyond the bound in bytes, files are still found", async (t) => {
  const { run, look } = await open(
    t,
    { "a.txt": "x".repeat(60), "b.txt": "y".repeat(60) },
    { maxBytes: 100 },
  );
  run("echo -n 1 > a.txt; echo -n 2 > b.txt");
  assert.deepEqual(Object.keys(await look()), ["a.txt", "b.txt"]);
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

test("a file that becomes a link or a folder is found as that", async (t) => {
  const { run, look } = await open(t, { "a.txt": "one", "b.txt": "two" });
  run("rm a.txt b.txt; ln -s /etc/passwd a.txt; mkdir b.txt");
  assert.deepEqual(await look(), {
    "a.txt": 'one → link to "/etc/passwd"',
    "b.txt": "two → folder, mode 755",
  });
});

test("a damaged, emptied or removed record of the folder is made anew and told", async (t) => {
  const { place, shadow, again } = await open(t, { "a.txt": "one" });
  const path = join(place.folder, "shadow.sqlite");
  shadow.close();
  const damages: readonly (() => void)[] = [
    () => writeFileSync(path, "Dear diary, ".repeat(1000)),
    () => writeFileSync(path, readFileSync(path).fill(0xff, 4096)),
    () => writeFileSync(path, ""),
    () => rmSync(path),
  ];
  const told: string[] = [];
  t.after(onNotice(({ message }) => message.includes(path) && told.push(message)));
  for (const [number, damage] of damages.entries()) {
    damage();
    const anew = again();
    must(await anew.look());
    anew.close();
    assert.equal(told.length, number + 1, told.at(-1));
  }
  const sound = again();
  sound.close();
  assert.equal(told.length, damages.length, "a sound one is not told of");
});

test("what came with a folder that took the place of another one was changed when that was moved", async (t) => {
  const { run, shadow } = await open(t, {
    "old/a.txt": "1",
    "old/in/b.txt": "1",
    "new/a.txt": "2",
    "new/in/b.txt": "2",
  });
  await pause(50);
  const moved = Date.now();
  run("rm -r old && mv new old");
  const found = must(await shadow.look()).filter(({ after }) => after !== null);
  assert.deepEqual(found.map(({ path }) => path).toSorted(), ["old/a.txt", "old/in/b.txt"]);
  for (const { path, at } of found) assert.ok(at > moved - 20, path);
});

/** Lets somebody act right after a path is asked for its stamp, once. */
function afterStat(t: TestContext, path: string, action: () => void): void {
  const original = fs.lstatSync;
  const restore = () => {
    Object.assign(fs, { lstatSync: original });
    syncBuiltinESMExports();
  };
  const lstatSync = new Proxy(original, {
    apply: (target, self, args) => {
      const stats = Reflect.apply(target, self, args);
      if (String(args[0]) === path) {
        restore();
        action();
      }
      return stats;
    },
  });
  Object.assign(fs, { lstatSync });
  syncBuiltinESMExports();
  t.after(restore);
}

for (const [what, act] of [
  ["is written", (path: string) => writeFileSync(path, "")],
  [
    "becomes a link",
    (path: string) => {
      rmSync(path);
      fs.symlinkSync("elsewhere", path);
    },
  ],
] as const) {
  test(`a file that ${what} while it is looked at has the time of what is found, not of what was there before`, async (t) => {
    const { place, shadow } = await open(t, { a: "one" });
    const path = place.path("a");
    writeFileSync(path, "two");
    // The clock of files ticks.
    await pause(30);
    afterStat(t, path, () => act(path));
    const [found] = must(await shadow.look());
    assert.equal(found?.at, lstatSync(path).ctimeMs);
    assert.deepEqual(told(found ? [found] : []), {
      a: what === "is written" ? "one → " : 'one → link to "elsewhere"',
    });
  });
}
