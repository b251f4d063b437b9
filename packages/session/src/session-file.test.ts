import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import fs, {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { isFault } from "@stet/protocol/fault";
import { Random } from "@stet/testkit/random";
import { answered, must, newSession, openSession, said } from "@stet/testkit/sample-session";
import { temporaryFolder } from "@stet/testkit/temporary";
import { exportHtml } from "./export-html.ts";
import { exportMarkdown } from "./export-markdown.ts";
import { buildContext } from "./session-context.ts";
import { SessionFile } from "./session-file.ts";

const child = join(import.meta.dirname, "../../testkit/src/session-append-child.ts");
const childArguments = ["--disable-warning=ExperimentalWarning", child];

function conversation(t: TestContext, exchanges = 3): string {
  const path = join(temporaryFolder(t), "session.jsonl");
  const session = newSession(path);
  for (let number = 0; number < exchanges; number += 1) {
    must(session.appendMessage(said(`question ${number}`)));
    must(session.appendMessage(answered(`answer ${number}`)));
  }
  return path;
}

test("a session that never got an answer leaves no file", (t) => {
  const path = join(temporaryFolder(t), "deep/session.jsonl");
  const session = newSession(path);
  must(session.append({ type: "thinking_level_change", thinkingLevel: "high" }));
  must(session.appendMessage(said("hello")));
  assert.equal(existsSync(join(path, "..")), false);
  must(session.appendMessage(answered("hello to you")));
  const reopened = openSession(path);
  assert.deepEqual(
    reopened.entries().map((entry) => !isFault(entry) && entry.type),
    ["thinking_level_change", "message", "message"],
  );
  assert.equal(statSync(path).mode & 0o077, 0, "others may not read it");
});

test("an entry is in the file when append returns", (t) => {
  const path = conversation(t);
  const session = openSession(path);
  const entry = must(session.append({ type: "mode_change", mode: "plan" }));
  assert.ok(readFileSync(path, "utf8").includes(entry.id));
});

test("line separators and carriage returns inside a message do not end its line", (t) => {
  const path = conversation(t, 1);
  const text = "one\u2028two\u2029three\rfour\nfive\u0085six \ud800 half a pair";
  must(openSession(path).appendMessage(said(text)));
  const session = openSession(path);
  assert.deepEqual(session.damage, []);
  assert.equal(buildContext(session).messages.at(-1)?.content, text);
});

test("a last line that was cut off is set aside and reported, and appending goes on", (t) => {
  const path = conversation(t);
  const torn = '{"type":"message","id":"deadbeef","parentId":null,"timest';
  appendFileSync(path, torn);
  const session = openSession(path);
  assert.equal(session.damage.length, 1);
  assert.equal(session.damage[0]?.line, 8);
  assert.equal(readFileSync(session.damage[0]?.keptIn ?? "", "utf8"), `${torn}\n`);
  must(session.appendMessage(said("and on")));
  const again = openSession(path);
  assert.deepEqual(again.damage, []);
  assert.equal(again.entries().length, 7);
});

test("a file cut at any byte opens with every whole line", (t) => {
  const path = conversation(t);
  const whole = readFileSync(path);
  const headerEnd = whole.indexOf("\n") + 1;
  for (let length = headerEnd; length < whole.length; length += 7) {
    writeFileSync(path, whole.subarray(0, length));
    const session = openSession(path);
    const wholeLines = whole.subarray(0, length).toString().split("\n").length - 2;
    const isComplete = whole[length] === 0x0a;
    assert.equal(session.entries().length, wholeLines + (isComplete ? 1 : 0));
    must(session.appendMessage(said("after the cut")));
    assert.equal(openSession(path).entries().length, wholeLines + (isComplete ? 2 : 1));
  }
});

test("a last line that only lacks its end is kept", (t) => {
  const path = conversation(t);
  writeFileSync(path, readFileSync(path, "utf8").trimEnd());
  const session = openSession(path);
  assert.deepEqual(session.damage, []);
  must(session.appendMessage(said("and on")));
  assert.equal(openSession(path).entries().length, 7);
});

test("damage in the middle is reported with its line, left in place, and what follows stays reachable", (t) => {
  const path = conversation(t);
  const lines = readFileSync(path, "utf8").split("\n");
  lines[3] = `garbage ${lines[3]?.slice(20)}`;
  writeFileSync(path, lines.join("\n"));
  const session = openSession(path);
  assert.deepEqual(
    session.damage.map(({ line, reason }) => ({ line, reason })),
    [{ line: 4, reason: "the line is not JSON" }],
  );
  assert.equal(session.children(null).length, 2, "the child of the damaged entry is a root");
  assert.equal(session.entries().length, 5);
  must(session.appendMessage(said("and on")));
  assert.ok(readFileSync(path, "utf8").includes(lines[3]), "the damaged line is still there");
});

test("an entry whose head can be read keeps its place when its content is damaged", (t) => {
  const path = conversation(t);
  const lines = readFileSync(path, "utf8").split("\n");
  lines[3] = `${lines[3]?.slice(0, -20)}\u0000\u0000}`;
  writeFileSync(path, lines.join("\n"));
  const session = openSession(path);
  assert.equal(session.damage[0]?.line, 4);
  assert.equal(session.path().length, 6);
  const context = buildContext(session);
  assert.equal(context.messages.length, 5);
  assert.equal(context.unreadable.length, 1);
  assert.match(context.unreadable[0]?.message ?? "", /line 4/);
});

test("a damaged header is reported, and the conversation opens", (t) => {
  const path = conversation(t);
  writeFileSync(path, readFileSync(path, "utf8").replace('{"type":"session"', '{"type":"sess'));
  const session = openSession(path);
  assert.equal(session.damage[0]?.line, 1);
  assert.equal(buildContext(session).messages.length, 6);
  must(session.rename("Found again", "user"));
  assert.deepEqual(openSession(path).damage, []);
  assert.match(readFileSync(`${path}.torn`, "utf8"), /"type":"sess/);
});

test("an id that occurs twice is reported; parents that stand later do not make a circle", (t) => {
  const path = conversation(t, 1);
  const base = '"timestamp":"2026-02-16T10:20:30.000Z","mode":"plan"}\n';
  appendFileSync(path, `{"type":"mode_change","id":"aaaaaaaa","parentId":"bbbbbbbb",${base}`);
  appendFileSync(path, `{"type":"mode_change","id":"bbbbbbbb","parentId":"aaaaaaaa",${base}`);
  appendFileSync(path, `{"type":"mode_change","id":"aaaaaaaa","parentId":null,${base}`);
  const session = openSession(path);
  assert.deepEqual(
    session.damage.map((damage) => damage.line),
    [6],
  );
  assert.equal(session.path().length, 2);
});

test("bytes that are anything at all never throw, and are never changed in the middle", (t) => {
  const path = conversation(t, 8);
  const whole = readFileSync(path);
  const random = new Random(7);
  for (let round = 0; round < 200; round += 1) {
    const bytes = Buffer.from(whole);
    for (let hit = random.between(1, 8); hit > 0; hit -= 1)
      bytes[random.below(bytes.length)] = random.below(256);
    writeFileSync(path, bytes);
    const opened = SessionFile.open(path);
    if (isFault(opened)) continue;
    for (const entry of opened.read(opened.index.slots)) {
      if (isFault(entry)) assert.ok(opened.damage.length > 0);
    }
    const session = openSession(path);
    exportHtml(session);
    exportMarkdown(session);
    buildContext(session);
    const end = bytes.lastIndexOf(0x0a) + 1;
    assert.ok(readFileSync(path).subarray(0, end).equals(bytes.subarray(0, end)));
  }
});

test("messages that are not what their role needs are reported, and nothing that reads them fails", (t) => {
  const path = conversation(t, 1);
  const contents = [
    5,
    null,
    "x",
    [null],
    [{ type: "image" }],
    [{ type: "text" }],
    [{ type: "toolCall", id: 1 }],
    [{}],
  ];
  for (const role of ["assistant", "toolResult"]) {
    for (const [number, content] of contents.entries()) {
      const message = { ...answered("x"), role, content };
      const id = `${role.slice(0, 4)}${number}`;
      appendFileSync(
        path,
        `${JSON.stringify({ type: "message", id, parentId: null, timestamp: "t", message })}\n`,
      );
    }
  }
  const session = openSession(path);
  assert.equal(session.damage.length, contents.length * 2);
  for (const { id } of session.children(null)) {
    must(session.branch(id));
    exportHtml(session);
    buildContext(session);
  }
});

test("a file that is no session is refused and left as it is", (t) => {
  const folder = temporaryFolder(t, {
    "notes.jsonl": "my notes\n",
    "new.jsonl": '{"type":"session","version":9,"id":"x"}\n',
  });
  for (const name of ["notes.jsonl", "new.jsonl", "missing.jsonl"]) {
    assert.ok(isFault(SessionFile.open(join(folder, name))));
  }
  mkdirSync(join(folder, "folder.jsonl"));
  assert.ok(isFault(SessionFile.open(join(folder, "folder.jsonl"))));
  assert.equal(readFileSync(join(folder, "notes.jsonl"), "utf8"), "my notes\n");
  assert.equal(existsSync(join(folder, "missing.jsonl")), false);
});

test("kill -9 during appends loses no acknowledged entry", async (t) => {
  const path = conversation(t, 1);
  const acknowledged: string[] = [];
  for (let round = 0; round < 4; round += 1) {
    const writer = spawn(process.execPath, [...childArguments, path, `round${round}`, "100000"]);
    let output = "";
    await new Promise<void>((resolve) => {
      writer.stdout.on("data", (text) => {
        output += text;
        if (output.length > 9 * 40 * (round + 1)) writer.kill("SIGKILL");
      });
      writer.on("close", () => resolve());
    });
    acknowledged.push(...output.split("\n").filter((id) => id.length === 8));
  }
  const session = openSession(path);
  assert.ok(acknowledged.length > 100);
  for (const id of acknowledged) assert.ok(!isFault(session.entry(id)), `${id} was acknowledged and is gone`);
  assert.deepEqual(
    session.damage.filter((damage) => damage.keptIn === undefined),
    [],
  );
});

for (const title of ["Storms", "Sun", "A much longer title"]) {
  test(`a process that ends right after it gave a session the title ${title} leaves no complaint`, (t) => {
    const path = conversation(t, 2);
    must(openSession(path).rename("Winter", "user"));
    const snapshot = join(temporaryFolder(t), "left");
    const { renameSync } = fs;
    t.after(() => {
      fs.renameSync = renameSync;
      syncBuiltinESMExports();
    });
    fs.renameSync = (from, to) => {
      renameSync(from, to);
      if (to === path) cpSync(dirname(path), snapshot, { recursive: true });
    };
    syncBuiltinESMExports();
    must(openSession(path).rename(title, "user"));
    const left = openSession(join(snapshot, "session.jsonl"));
    assert.equal(left.header.title, title);
    assert.deepEqual(left.damage, []);
  });
}

test("two processes on one session both keep everything", async (t) => {
  const path = conversation(t, 1);
  const session = openSession(path);
  const runs = ["one", "two"].map(
    (name) =>
      new Promise<number | null>((resolve) => {
        spawn(process.execPath, [...childArguments, path, name, "150"], {
          stdio: ["ignore", "ignore", "inherit"],
        }).on("close", resolve);
      }),
  );
  while (session.entries().length < 20) {
    must(session.appendMessage(said("the first process goes on meanwhile")));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assert.deepEqual(await Promise.all(runs), [0, 0]);
  const ours = must(session.appendMessage(said("last")));
  assert.equal(session.path(ours.id).length, session.path().length);
  const texts = session
    .path()
    .map((entry) => (!isFault(entry) && entry.type === "message" ? entry.message.content : ""));
  assert.ok(!JSON.stringify(texts).includes("one 0"), "others do not get into this conversation");
  const all = openSession(path);
  assert.deepEqual(all.damage, []);
  const contents = all.entries().map((entry) => JSON.stringify(entry));
  for (const name of ["one", "two"]) {
    assert.equal(contents.filter((text) => text.includes(`"content":"${name} `)).length, 150);
  }
});

test("a new title by one process does not lose what another appends", (t) => {
  const path = conversation(t);
  const one = openSession(path);
  const two = openSession(path);
  must(one.rename("A much longer title that moves every byte", "user"));
  must(two.appendMessage(said("from two")));
  must(one.appendMessage(said("from one")));
  assert.equal(two.header.title, "A much longer title that moves every byte");
  assert.equal(two.path().length, 7);
  assert.equal(buildContext(two).messages.at(-1)?.content, "from two");
  const all = openSession(path);
  assert.deepEqual(all.damage, []);
  assert.equal(all.entries().length, 8);
  must(two.rename("made up", "auto"));
  assert.equal(openSession(path).header.title, "A much longer title that moves every byte");
});

test("a full disk refuses the entry and leaves the file as it was", {
  skip: process.platform !== "linux",
}, (t) => {
  const path = conversation(t);
  const before = readFileSync(path);
  const limited = `ulimit -f ${Math.ceil(before.length / 1024) + 8}; trap '' XFSZ; exec "$0" "$@"`;
  const run = spawnSync("bash", ["-c", limited, process.execPath, ...childArguments, path, "big", "100000"], {
    encoding: "utf8",
  });
  assert.notEqual(run.status, 0);
  assert.match(run.stderr, /could not be written/);
  const acknowledged = run.stdout.split("\n").filter((id) => id.length === 8);
  const session = openSession(path);
  assert.deepEqual(session.damage, []);
  assert.equal(session.entries().length, 6 + acknowledged.length);
});
