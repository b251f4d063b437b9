import assert from "node:assert/strict";
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { type TestContext, test } from "node:test";
import { temporaryFolder } from "@stet/testkit/temporary";

const main = join(import.meta.dirname, "../main.ts");

interface Place {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
}

function placeFor(t: TestContext): Place {
  const base = temporaryFolder(t, { "project/notes.md": "One line.\n" });
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const own = { STET_DATA_DIR: join(base, "data"), XDG_CONFIG_HOME: join(base, "config"), HOME: base };
  return { folder: join(base, "project"), environment: { PATH, NODE_COMPILE_CACHE, ...own } };
}

class Server {
  readonly child: ChildProcessWithoutNullStreams;
  private readonly output: Interface;
  readonly lines: string[] = [];
  note = "";
  readonly ended: Promise<number | null>;

  constructor(t: TestContext, place: Place, args: string[]) {
    this.child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", main, "serve", ...args], {
      cwd: place.folder,
      env: place.environment,
    });
    this.ended = once(this.child, "close").then(([code]) => code);
    this.output = createInterface(this.child.stdout).on("line", (line) => this.lines.push(line));
    this.child.stderr.on("data", (data) => {
      this.note += data;
    });
    t.after(async () => {
      this.child.kill("SIGKILL");
      await this.ended;
    });
  }

  /** The first line that holds a text. */
  async line(part: string): Promise<string> {
    for (;;) {
      const found = this.lines.find((line) => line.includes(part));
      if (found !== undefined) return found;
      const next = await Promise.race([once(this.output, "line"), this.ended]);
      if (!Array.isArray(next) && this.lines.length === 0) throw new Error(`It did not start: ${this.note}`);
    }
  }

  /** What --json prints once it is ready. */
  async ready(): Promise<{ url: string; token: string; root: string; pid: number }> {
    return JSON.parse(await this.line("{"));
  }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

test("a program starts the server, uses it with the token, and ends it with a signal", async (t) => {
  const place = placeFor(t);
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    const server = new Server(t, place, ["--port", "0", "--json"]);
    const { url, token, root, pid } = await server.ready();
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.equal(root, realpathSync(place.folder));
    assert.equal(pid, server.child.pid);
    assert.equal((await fetch(`${url}/api/workspace`)).status, 401);
    const reply = await fetch(`${url}/api/workspace`, { headers: bearer(token) });
    assert.ok((await reply.text()).includes(JSON.stringify(root)));
    const stream = await fetch(`${url}/api/workspace/stream`, { headers: bearer(token) });
    server.child.kill(signal);
    assert.match(await stream.text(), /event: stream\.closed\ndata: {"reason":"server_stopping"}/);
    assert.equal(await server.ended, 0);
    assert.equal(server.lines.length, 1);
    assert.ok(!server.note.includes(token));
  }
});

test("the token is not in the arguments of the process", async (t) => {
  const server = new Server(t, placeFor(t), ["--port", "0", "--json"]);
  const { token, pid } = await server.ready();
  if (process.platform !== "linux") return t.skip("only Linux shows them in /proc");
  assert.ok(!readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(token));
});

test("a second server for the folder says that one is running", async (t) => {
  const place = placeFor(t);
  const first = new Server(t, place, ["--port", "0", "--json"]);
  const { pid } = await first.ready();
  const second = new Server(t, place, ["--port", "0", "--json"]);
  assert.equal(await second.ended, 4);
  assert.match(second.note, new RegExp(`running already: process ${pid}, `));
  assert.deepEqual(second.lines, []);
});

test("a second server for the folder with another data folder is refused, and may start when the first has ended", async (t) => {
  const place = placeFor(t);
  const first = new Server(t, place, ["--port", "0", "--json"]);
  const { pid } = await first.ready();
  const data = join(dirname(place.folder), "other data");
  const elsewhere = { ...place, environment: { ...place.environment, STET_DATA_DIR: data } };
  const second = new Server(t, elsewhere, ["--port", "0", "--json"]);
  assert.equal(await second.ended, 4, second.note);
  assert.match(second.note, new RegExp(`with the data folder .*: process ${pid}`));
  first.child.kill("SIGKILL");
  await first.ended;
  await new Server(t, elsewhere, ["--port", "0", "--json"]).ready();
});

test("a data folder that is moved away under a server is told, and nothing is answered as if it were kept", async (t) => {
  const place = placeFor(t);
  const server = new Server(t, place, ["--port", "0", "--json"]);
  const { url, token } = await server.ready();
  const headers = { ...bearer(token), "content-type": "application/json" };
  const open = () =>
    fetch(`${url}/api/tabs`, { method: "POST", headers, body: JSON.stringify({ path: "notes.md" }) });
  assert.equal((await open()).status, 200);
  assert.equal((await fetch(`${url}/api/health`, { headers })).status, 200);
  const { STET_DATA_DIR: data = "" } = place.environment;
  renameSync(data, `${data} away`);
  for (const reply of [await open(), await fetch(`${url}/api/health`, { headers })]) {
    assert.equal(reply.status, 500);
    assert.match(await reply.text(), /was deleted or moved away while it was in use/);
  }
  while (!server.note.includes("moved away")) await once(server.child.stderr, "data");
  renameSync(`${data} away`, data);
  assert.equal((await open()).status, 200, "and it goes on when the folder is back");
});

test("a person gets one link that signs a browser in", async (t) => {
  const server = new Server(t, placeFor(t), ["--port", "0"]);
  const link = new URL((await server.line("#token=")).trim());
  const token = new URLSearchParams(link.hash.slice(1)).get("token");
  const login = () =>
    fetch(`${link.origin}/api/login`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: link.origin },
      body: JSON.stringify({ token }),
    });
  const signedIn = await login();
  assert.equal(signedIn.status, 200);
  const cookie = signedIn.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  assert.equal((await fetch(`${link.origin}/api/workspace`, { headers: { cookie } })).status, 200);
  assert.equal((await login()).status, 403);
  assert.equal((await fetch(link)).headers.get("content-type"), "text/html; charset=utf-8");
});

test("what cannot be served is told in a sentence", async (t) => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  t.after(() => taken.close());
  const { port } = taken.address() as { port: number };
  const place = placeFor(t);
  const cases: [string[], number, RegExp][] = [
    [["--port", "many"], 2, /--port takes a whole number/],
    [["--tls-cert", "c.pem"], 2, /belong together/],
    [["--tls-cert", "c.pem", "--tls-key", "k.pem"], 4, /cannot be read/],
    [["--host", "0.0.0.0"], 4, /other machines.*--allow-unencrypted-network/s],
    [["--port", String(port)], 4, /Another program listens/],
    [["--root", "nowhere"], 4, /nowhere/],
    [["--sample", "--root", "."], 2, /give one of them/],
    [["--fresh"], 2, /with --sample/],
    [["--nonsense"], 2, /nonsense/],
  ];
  for (const [args, code, message] of cases) {
    const server = new Server(t, place, args);
    assert.equal(await server.ended, code, `${args.join(" ")}: ${server.note}`);
    assert.match(server.note, message);
    assert.deepEqual(server.lines, []);
  }
});

test("the memory for young objects is bounded, in the same process", async (t) => {
  const server = new Server(t, placeFor(t), ["--port", "0", "--json"]);
  const { pid } = await server.ready();
  assert.equal(pid, server.child.pid);
  if (process.platform !== "linux") return t.skip("only Linux shows the arguments in /proc");
  assert.match(readFileSync(`/proc/${pid}/cmdline`, "utf8"), /--max-semi-space-size=16\0/);
});

test("the sample project is a copy that keeps its changes; a fresh one leaves the former beside it", async (t) => {
  const place = placeFor(t);
  const samples = join(place.environment.STET_DATA_DIR ?? "", "samples");
  const begin = async (...args: string[]) => {
    const server = new Server(t, place, ["--sample", "--port", "0", "--json", ...args]);
    const { url, token, root } = await server.ready();
    const ask = async (path: string, body?: unknown) => {
      const headers = { ...bearer(token), "content-type": "application/json" };
      const post = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
      const reply = await fetch(`${url}${path}`, { headers, ...post });
      return JSON.parse(await reply.text());
    };
    const end = async () => {
      server.child.kill("SIGTERM");
      assert.equal(await server.ended, 0);
    };
    return { server, root, ask, end };
  };

  const first = await begin();
  assert.equal(first.root, realpathSync(join(samples, "lighthouse")));
  assert.equal((await first.ask("/api/workspace")).is_sample, true);
  const { session_id } = await first.ask("/api/agent/sessions", {});
  const instruction = "Rename Tobias to Elias in all files";
  const { job_id } = await first.ask("/api/agent/run", { session_id, instruction });
  for (let status = ""; status !== "awaiting_review"; ) {
    ({ status } = await first.ask(`/api/agent/jobs/${job_id}`));
    assert.ok(["queued", "running", "awaiting_review"].includes(status), status);
  }
  const { files: proposed, turns } = await first.ask("/api/review");
  assert.equal(turns[0].hunks, 24, "the whole rename is one turn");
  assert.ok(proposed.length >= 3);
  await first.ask("/api/review/decide", { everything: true, verdict: "reject" });
  const { document } = await first.ask("/api/tabs", { path: "novel.md" });
  const { revision, text } = await first.ask(`/api/documents/${document}`);
  const change = [text.length, [0, "Mine."]];
  await first.ask(`/api/documents/${document}/changes`, { revision, change, client: "w" });
  writeFileSync(join(samples, "lighthouse", "mine.md"), "Mine.\n");
  const busy = new Server(t, place, ["--sample", "--fresh", "--port", "0", "--json"]);
  assert.equal(await busy.ended, 4);
  assert.match(busy.note, /being served, by process \d+/);
  await first.end();

  const second = await begin();
  assert.match(
    (await second.ask(`/api/documents/${document}`)).text,
    /Mine\.$/,
    "what was typed is there again",
  );
  await second.end();

  const fresh = await begin("--fresh");
  assert.match(fresh.server.note, /lighthouse-1\./);
  assert.ok(!existsSync(join(samples, "lighthouse", "mine.md")));
  assert.ok(existsSync(join(samples, "lighthouse-1", "mine.md")));
  assert.deepEqual((await fresh.ask("/api/tabs")).tabs, [], "nothing is known of the new one");
  await fresh.end();
  const former = new Server(t, place, ["--root", join(samples, "lighthouse-1"), "--port", "0", "--json"]);
  const { url, token } = await former.ready();
  const kept = await fetch(`${url}/api/documents/${document}`, { headers: bearer(token) });
  assert.match(await kept.text(), /Mine\./, "what Stet knows of the former one went with it");
});

test("a browser is opened on a page that only this user can read, and never with the token", async (t) => {
  if (process.platform !== "linux") return t.skip("this is how Linux opens a browser");
  const place = placeFor(t);
  const programs = join(place.folder, "../bin");
  const heard = join(place.folder, "../heard");
  mkdirSync(programs);
  writeFileSync(
    join(programs, "xdg-open"),
    `#!/bin/sh\ncp "$1" ${heard}.html; echo "$@" > ${heard}.new; mv ${heard}.new ${heard}\n`,
  );
  chmodSync(join(programs, "xdg-open"), 0o755);
  // One that came with the folder is not the person's.
  const planted = join(place.folder, "node_modules/.bin");
  mkdirSync(planted, { recursive: true });
  writeFileSync(join(planted, "xdg-open"), `#!/bin/sh\ntouch ${heard}.planted\n`, { mode: 0o755 });
  const PATH = `${planted}:${programs}:${place.environment.PATH}`;
  const environment = { ...place.environment, PATH, DISPLAY: ":0", TMPDIR: dirname(place.folder) };
  const server = new Server(t, { ...place, environment }, ["--port", "0", "--open"]);
  const printed = new URL((await server.line("#token=")).trim());
  while (!existsSync(heard)) await new Promise((resolve) => setTimeout(resolve, 20));
  const path = readFileSync(heard, "utf8").trim();
  assert.match(path, /stet-open-\w+\/open\.html$/);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(statSync(dirname(path)).mode & 0o777, 0o700);
  const [, opened = ""] = /location\.replace\("([^"]+)"\)/.exec(readFileSync(`${heard}.html`, "utf8")) ?? [];
  for (const link of [new URL(opened), printed]) {
    const login = await fetch(`${link.origin}/api/login`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: link.origin },
      body: JSON.stringify({ token: new URLSearchParams(link.hash.slice(1)).get("token") }),
    });
    assert.equal(login.status, 200, "both links sign a browser in");
  }
  server.child.kill("SIGTERM");
  assert.equal(await server.ended, 0);
  assert.ok(!existsSync(dirname(path)));
  assert.ok(!existsSync(`${heard}.planted`));
});

test("where no browser can be opened, the server runs and says what to do", async (t) => {
  const place = placeFor(t);
  const none = { ...place.environment, PATH: "/nowhere", DISPLAY: ":0" };
  for (const environment of [place.environment, none, { ...none, CI: "true" }]) {
    const server = new Server(t, { ...place, environment }, ["--port", "0", "--open"]);
    const link = new URL((await server.line("#token=")).trim());
    while (!server.note.includes("yourself")) await once(server.child.stderr, "data");
    assert.match(server.note, /No browser could be opened here/);
    assert.equal((await fetch(link)).status, 200);
    server.child.kill("SIGTERM");
    assert.equal(await server.ended, 0);
  }
});
