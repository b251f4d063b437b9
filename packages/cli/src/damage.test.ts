// Files of Stet's own, damaged in every way that was thought of: it is told with the path, nothing crashes, the workspace is
// not touched, and a repair brings back what can be read.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { workspaceLog } from "@stet/host/events/logs";
import { SqliteStore } from "@stet/host/store/sqlite-store";
import { VectorStore, vectorKey } from "@stet/meaning/vector-store";
import { onNotice } from "@stet/storage/notices";
import { eventAt } from "@stet/testkit/log-events";
import { environmentBelow, runStet } from "@stet/testkit/run-stet";
import { temporaryFolder } from "@stet/testkit/temporary";
import { must, refused } from "@stet/testkit/workspace";
import { addProjectRules } from "@stet/tools/permission/project-rules";

/** Does something to a file. */
type Damage = (path: string) => void;

const change =
  (make: (bytes: Buffer) => Buffer | string): Damage =>
  (path) =>
    writeFileSync(path, make(readFileSync(path)));
const cutTo =
  (part: (size: number) => number): Damage =>
  (path) =>
    truncateSync(path, Math.floor(part(readFileSync(path).length)));
/** Turns bits around, from a place on. */
const flip = (place: (size: number) => number, length: number): Damage =>
  change((bytes) => {
    const start = Math.max(0, Math.floor(place(bytes.length)));
    for (let at = start; at < Math.min(bytes.length, start + length); at += 1)
      bytes[at] = (bytes[at] ?? 0) ^ 0xff;
    return bytes;
  });
const replaceBy =
  (make: Damage): Damage =>
  (path) => {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
    make(path);
  };

const anyFile: Readonly<Record<string, Damage>> = {
  emptied: cutTo(() => 0),
  "cut after a byte": cutTo(() => 1),
  "cut in the middle": cutTo((size) => size / 2),
  "filled with NUL": change((bytes) => Buffer.alloc(bytes.length)),
  "second half NUL": change((bytes) => bytes.fill(0, bytes.length >> 1)),
  "first byte flipped": flip(() => 0, 1),
  "replaced by text": change(() => "Dear diary,\nthis is not what it was.\n".repeat(200)),
  "replaced by a folder": replaceBy((path) => mkdirSync(path)),
  "a link to nowhere": replaceBy((path) => symlinkSync(`${path}.nowhere`, path)),
};

/** Not damaged, but closed to the person: that is told, too, and nothing is begun anew in its place. */
const closed = "may not be read";
const closeFile: Damage = (path) => chmodSync(path, 0);
const nobody = 65_534;

/** Runs as somebody whom the system refuses something: root may read everything. */
async function asPerson<T>(home: string, action: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return action();
  execFileSync("chown", ["-R", String(nobody), home]);
  process.seteuid?.(nobody);
  try {
    return await action();
  } finally {
    process.seteuid?.(0);
  }
}

const removed: Readonly<Record<string, Damage>> = { removed: replaceBy(() => {}) };

const page = 4096;
const databases: Readonly<Record<string, Damage>> = {
  ...anyFile,
  ...removed,
  "only its header": cutTo(() => 100),
  "only its first page": cutTo(() => page),
  "without its last page": cutTo((size) => size - page),
  "header flipped": flip(() => 0, 100),
  "first page NUL": change((bytes) => bytes.fill(0, 0, page)),
  "second page flipped": flip(() => page, page),
  "middle page flipped": flip((size) => Math.floor(size / page / 2) * page, page),
  "last page flipped": flip((size) => size - page, page),
  "a hundred bytes flipped": (path) => {
    for (let at = 1; at <= 100; at += 1) flip((size) => (size * at) / 101, 1)(path);
  },
  "no log": (path) => rmSync(`${path}-wal`, { force: true }),
  "log of garbage": (path) => writeFileSync(`${path}-wal`, "x".repeat(50_000)),
  "shared memory of garbage": (path) => writeFileSync(`${path}-shm`, "x".repeat(32_768)),
  "another database": (path) => {
    const original = new DatabaseSync(path);
    const version = Number(original.prepare("PRAGMA user_version").get()?.user_version);
    original.close();
    replaceBy(() => {
      const other = new DatabaseSync(path);
      other.exec(`CREATE TABLE recipes (name TEXT); PRAGMA user_version = ${version}`);
      other.close();
    })(path);
  },
  "of a newer Stet": (path) => {
    const newer = new DatabaseSync(path);
    newer.exec("PRAGMA user_version = 999");
    newer.close();
  },
};

const lines = (make: (lines: string[]) => string[]): Damage =>
  change((bytes) => `${make(bytes.toString("utf8").trimEnd().split("\n")).join("\n")}\n`);
const sessions: Readonly<Record<string, Damage>> = {
  ...anyFile,
  ...removed,
  "cut after its header": lines(([header = ""]) => [header]),
  "cut at the end of a line": lines((all) => all.slice(0, -1)),
  "cut inside its last line": cutTo((size) => size - 30),
  "header flipped": flip(() => 10, 20),
  "a byte flipped inside a line": flip((size) => size / 2, 1),
  "a letter changed": change((bytes) => bytes.toString("utf8").replace("Tobias", "Tobiaz")),
  "invalid UTF-8": change((bytes) =>
    Buffer.concat([bytes.subarray(0, 400), Buffer.from([0xff]), bytes.subarray(401)]),
  ),
  "no last line end": cutTo((size) => size - 1),
  "a line twice": lines((all) => [...all, all.at(-1) ?? ""]),
  "a huge line": (path) => appendFileSync(path, `${"x".repeat(2_000_000)}\n`),
  "of a newer Stet": change((bytes) => bytes.toString("utf8").replace(/"version":\d+/, '"version":99')),
};

const settings: Readonly<Record<string, Damage>> = {
  ...anyFile,
  "invalid UTF-8": change((bytes) =>
    Buffer.concat([bytes.subarray(0, -4), Buffer.from([0xff]), bytes.subarray(-4)]),
  ),
  "other types": change(() => '{"rules":[1],"maxToolCalls":"many"}'),
};

interface Store {
  readonly name: string;
  /** Below the person's home. */
  readonly path: (home: string) => string;
  readonly damages: Readonly<Record<string, Damage>>;
  /** What is shown of it. */
  readonly shows: RegExp;
  /** Shows what it holds. */
  readonly commands: readonly (readonly string[])[];
}

const one = (home: string, pattern: string) => join(home, globSync(pattern, { cwd: home })[0] ?? "missing");
const stores: readonly Store[] = [
  {
    name: "ledger",
    shows: /novel\.md/,
    path: (home) => one(home, "data/projects/*/ledger.sqlite"),
    damages: databases,
    commands: [["review"], ["review", "--json"], ["checkpoints"]],
  },
  {
    name: "prompts",
    shows: /Rename Tobias/,
    path: (home) => join(home, "data/prompts.sqlite"),
    damages: databases,
    commands: [["sessions", "prompts"]],
  },
  {
    name: "session",
    shows: /Rename Tobias/,
    path: (home) => one(home, "data/sessions/*/*.jsonl"),
    damages: sessions,
    commands: [["sessions"], ["sessions", "show", "SESSION"]],
  },
  {
    name: "rules",
    shows: /make \*/,
    path: (home) => one(home, "data/projects/*/permissions.json"),
    damages: { ...settings, ...removed },
    commands: [["permissions"]],
  },
  {
    name: "trust",
    shows: /maxToolCalls/,
    path: (home) => join(home, "data/trusted.json"),
    damages: { ...settings, ...removed },
    commands: [["config"]],
  },
  {
    name: "config",
    shows: /maxToolCalls +77/,
    path: (home) => join(home, "config/stet/config.json"),
    damages: settings,
    commands: [["config"]],
  },
];

/** A project with hunks that wait, a conversation, prompts, a rule and settings; the last process was not closed in order. */
async function template(t: TestContext): Promise<string> {
  const home = temporaryFolder(t, {
    "project/novel.md": "Tobias Hale climbed the stairs.\n\nThe lamp was out.\n\nTobias lit it.\n".repeat(30),
    "project/notes/people.md": "- Tobias, keeper\n".repeat(20),
    "config/stet/config.json": '{ "maxToolCalls": 77 }\n',
  });
  const run = async (as: "call" | "process", ...args: string[]) => {
    const { code } = await runStet(args, { cwd: join(home, "project"), env: environmentBelow(home), as });
    assert.equal(code, 0);
  };
  await run("call", "trust");
  await run("call", "-p", "Rename Tobias to Elias in novel.md");
  await run("process", "-p", "--continue", "Rename Tobias to Elias in notes/people.md");
  addProjectRules(join(one(home, "data/projects/*/ledger.sqlite"), ".."), [
    { tool: "bash", target: "make *", effect: "deny" },
  ]);
  return home;
}

interface CommandOutput {
  readonly text: string;
  readonly note: string;
}

async function show(home: string, store: Store): Promise<CommandOutput> {
  const [session = ""] = globSync("data/sessions/*/*.jsonl*", { cwd: home });
  const id = /_([^_]+)\.jsonl/.exec(session)?.[1] ?? "";
  const shown: CommandOutput[] = [];
  for (const command of store.commands) {
    const args = command.map((word) => (word === "SESSION" ? id : word));
    const { out, note } = await runStet(args, { cwd: join(home, "project"), env: environmentBelow(home) });
    assert.doesNotMatch(note, /\n\s+at .*\.ts:\d/, `${store.name}: no stack`);
    shown.push({ text: out.replaceAll(/\d+ (?:second|minute)s? ago|just now/g, "now"), note });
  }
  return { text: shown.map(({ text }) => text).join(""), note: shown.map(({ note }) => note).join("") };
}

function workspaceFiles(home: string): string[] {
  return globSync("project/**/*.md", { cwd: home })
    .sort()
    .map((name) => `${name}\n${readFileSync(join(home, name), "utf8")}`);
}

test("damage of Stet's own files is told with its path, and nothing of the workspace changes", async (t) => {
  const home = await template(t);
  const saved = temporaryFolder(t);
  for (const folder of ["data", "config"])
    cpSync(join(home, folder), join(saved, folder), { recursive: true });
  const files = workspaceFiles(home);
  const restore = () => {
    for (const folder of ["data", "config"]) {
      rmSync(join(home, folder), { recursive: true, force: true });
      cpSync(join(saved, folder), join(home, folder), { recursive: true });
    }
  };
  for (const store of stores) {
    await t.test(store.name, async (s) => {
      restore();
      const before = await show(home, store);
      assert.match(before.text, store.shows);
      for (const [kind, damage] of Object.entries(store.damages)) {
        restore();
        const path = store.path(home);
        assert.ok(existsSync(path), `${store.name}: ${path}`);
        damage(path);
        const after = await show(home, store);
        const what = `${store.name}, ${kind}`;
        // Nothing is silent: it is told, or nothing is missing from what is shown.
        const isTold = after.note.includes(path);
        assert.ok(isTold || after.text === before.text, `${what}: ${after.text}${after.note}`);
        assert.deepEqual(workspaceFiles(home), files, what);
        if (store.name !== "ledger" && store.name !== "session") continue;
        await assertRepaired(home, store, what);
        assert.deepEqual(workspaceFiles(home), files, `${what}, repaired`);
      }
      await s.test(closed, { skip: process.platform === "win32" }, async () => {
        restore();
        const path = store.path(home);
        closeFile(path);
        const { note } = await asPerson(home, () => show(home, store));
        assert.ok(note.includes(path), note);
        assert.match(note, /Check (?:its|the) permissions/, note);
        assert.deepEqual(globSync(`${path}*damaged*`), [], "it is not taken for damage");
        assert.deepEqual(workspaceFiles(home), files);
      });
      s.diagnostic(`${Object.keys(store.damages).length + 1} kinds of damage`);
    });
  }
});

/** Also what only a look at all of it finds. */
async function assertRepaired(home: string, store: Store, what: string): Promise<void> {
  const run = (...args: string[]) =>
    runStet(args, { cwd: join(home, "project"), env: environmentBelow(home) });
  const repaired = await run("doctor", "--repair");
  assert.doesNotMatch(repaired.note, /\n\s+at .*\.ts:\d/, what);
  if (what.endsWith("of a newer Stet")) return;
  const again = await run("doctor", "--repair", "--json");
  assert.notEqual(again.out, "", `${what}: ${repaired.note}${again.note}`);
  const results: { name: string; ok: boolean }[] = JSON.parse(again.out);
  assert.ok(
    results.every(({ ok }) => ok),
    `${what}: ${repaired.out} ${again.out} ${again.note}`,
  );
  const { note } = await show(home, store);
  assert.doesNotMatch(note, /malformed|damaged/i, what);
}

interface Cache {
  readonly name: string;
  /** Puts something in. */
  fill(path: string): Promise<void>;
  /** What is in it. */
  content(path: string): Promise<string>;
}

const caches: readonly Cache[] = [
  {
    name: "server.sqlite",
    async fill(path) {
      const store = must(SqliteStore.open(dirname(path)));
      for (let number = 1; number <= 300; number += 1)
        must((await store.keepEvents(workspaceLog, [eventOf(number)])) ?? true);
      must((await store.reserveCursors(workspaceLog, 300)) ?? true);
      await store.close();
    },
    async content(path) {
      const store = must(SqliteStore.open(dirname(path)));
      const events = await store.events(workspaceLog, 0, 1000);
      await store.close();
      return String(events.length);
    },
  },
  {
    name: "vectors.sqlite",
    async fill(path) {
      const store = must(VectorStore.open(path));
      store.put(keys.map((key) => [key, new Float32Array([1, ...new Array(300).fill(0)])] as const));
      store.close();
    },
    async content(path) {
      const store = must(VectorStore.open(path));
      const found = store.get(keys).size;
      store.close();
      return String(found);
    },
  },
];

const keys = Array.from({ length: 60 }, (_, index) => vectorKey("model", `passage ${index}`));

function eventOf(cursor: number) {
  return eventAt(cursor, "message.completed", { text: "x".repeat(200) });
}

test("damage of what can be made again is told with its path, and it works on", async (t) => {
  for (const cache of caches) {
    const sound = temporaryFolder(t);
    await cache.fill(join(sound, cache.name));
    const before = await cache.content(join(sound, cache.name));
    assert.notEqual(before, "0");
    for (const [kind, damage] of Object.entries(databases)) {
      const folder = temporaryFolder(t);
      cpSync(sound, folder, { recursive: true });
      const path = join(folder, cache.name);
      damage(path);
      const told: string[] = [];
      const stop = onNotice(({ message }) => told.push(message));
      const isLeft = cache.name === "server.sqlite" && kind === "of a newer Stet";
      const after = isLeft ? refused(SqliteStore.open(folder)).message : await cache.content(path);
      stop();
      const isTold = [after, ...told].join().includes(path);
      assert.ok(isTold || after === before, `${cache.name}, ${kind}: ${after} of ${before}`);
      if (isLeft) continue;
      // Vectors are computed again.
      const again = await cache.content(path);
      if (cache.name !== "vectors.sqlite") assert.equal(again, after, `${kind}: nothing more is lost`);
    }
  }
});
