import assert from "node:assert/strict";
import { spawn } from "node:child_process";
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
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { environmentBelow, runStet, type StetResult, type TypedInput } from "@stet/testkit/run-stet";
import { temporaryFolder } from "@stet/testkit/temporary";

interface ServeFixture {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly servers: Server[];
}

function placeFor(t: TestContext): ServeFixture {
  const servers: Server[] = [];
  // Before the folder is removed: what is registered first is done first.
  t.after(() => Promise.all(servers.map((server) => server.stop())));
  const base = temporaryFolder(t, { "project/notes.md": "One line.\n" });
  return { folder: join(base, "project"), environment: environmentBelow(base), servers };
}

class Server {
  readonly ended: Promise<StetResult>;
  readonly #person = Promise.withResolvers<TypedInput>();

  constructor(place: ServeFixture, args: readonly string[]) {
    const { folder: cwd, environment: env, servers } = place;
    this.ended = runStet(["serve", ...args], { cwd, env, person: this.#person.resolve });
    servers.push(this);
  }

  /** What it has written, up to the end of what is waited for. */
  async shows(what: RegExp): Promise<string> {
    const person = await this.#person.promise;
    const end = await person.sees(what);
    return person.screen().slice(0, end);
  }

  /** What --json prints once it is ready. */
  async ready(): Promise<{ url: string; token: string; root: string; pid: number }> {
    const [line = ""] = /\{.*\}$/m.exec(await this.shows(/\}\n/)) ?? [];
    return JSON.parse(line);
  }

  /** The link that it prints for a person. */
  async link(): Promise<URL> {
    const [link = ""] = /http\S+#token=\S+/.exec(await this.shows(/#token=\S+\n/)) ?? [];
    return new URL(link);
  }

  async stop(): Promise<StetResult> {
    (await this.#person.promise).interrupts();
    return this.ended;
  }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

test("a program starts the server, uses it with the token, and ends it with a signal", async (t) => {
  const { folder: cwd, environment: env } = placeFor(t);
  const main = join(import.meta.dirname, "../main.ts");
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    const args = ["--disable-warning=ExperimentalWarning", main, "serve", "--port", "0", "--json"];
    const child = spawn(process.execPath, args, { cwd, env });
    t.after(() => child.kill("SIGKILL"));
    const [out, note] = [text(child.stdout.on("data", () => {})), text(child.stderr)];
    const [line] = await once(createInterface(child.stdout), "line");
    const { url, token, root, pid } = JSON.parse(line);
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.equal(root, realpathSync(cwd));
    assert.equal(pid, child.pid);
    if (process.platform === "linux") {
      const words = readFileSync(`/proc/${pid}/cmdline`, "utf8");
      assert.ok(!words.includes(token), "the token is not in the arguments of the process");
      assert.match(words, /--max-semi-space-size=16\0/, "the memory for young objects is bounded");
    }
    assert.equal((await fetch(`${url}/api/workspace`)).status, 401);
    const reply = await fetch(`${url}/api/workspace`, { headers: bearer(token) });
    assert.ok((await reply.text()).includes(JSON.stringify(root)));
    const stream = await fetch(`${url}/api/workspace/stream`, { headers: bearer(token) });
    child.kill(signal);
    assert.match(await stream.text(), /event: stream\.closed\ndata: {"reason":"server_stopping"}/);
    assert.deepEqual(await once(child, "close"), [0, null]);
    assert.equal((await out).trim(), line);
    assert.ok(!(await note).includes(token));
  }
});

test("a second server for the folder says that one is running", async (t) => {
  const place = placeFor(t);
  const first = new Server(place, ["--port", "0", "--json"]);
  const { pid } = await first.ready();
  const { code, note, out } = await new Server(place, ["--port", "0", "--json"]).ended;
  assert.deepEqual([code, out], [4, ""], note);
  assert.match(note, new RegExp(`running already: process ${pid}, `));
});

test("a second server for the folder with another data folder is refused, and may start when the first has ended", async (t) => {
  const place = placeFor(t);
  const first = new Server(place, ["--port", "0", "--json"]);
  const { pid } = await first.ready();
  const data = join(dirname(place.folder), "other data");
  const elsewhere = { ...place, environment: { ...place.environment, STET_DATA_DIR: data } };
  const { code, note } = await new Server(elsewhere, ["--port", "0", "--json"]).ended;
  assert.equal(code, 4, note);
  assert.match(note, new RegExp(`with the data folder .*: process ${pid}`));
  await first.stop();
  await new Server(elsewhere, ["--port", "0", "--json"]).ready();
});

test("a data folder that is moved away under a server is told, and nothing is answered as if it were kept", async (t) => {
  const place = placeFor(t);
  const server = new Server(place, ["--port", "0", "--json"]);
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
  await server.shows(/moved away/);
  renameSync(`${data} away`, data);
  assert.equal((await open()).status, 200, "and it goes on when the folder is back");
});

test("a person gets one link that signs a browser in", async (t) => {
  const link = await new Server(placeFor(t), ["--port", "0"]).link();
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
    const ended = await new Server(place, args).ended;
    assert.deepEqual([ended.code, ended.out], [code, ""], `${args.join(" ")}: ${ended.note}`);
    assert.match(ended.note, message);
  }
});

test("the sample project is a copy that keeps its changes; a fresh one leaves the former beside it", async (t) => {
  const place = placeFor(t);
  const samples = join(place.environment.STET_DATA_DIR ?? "", "samples");
  const begin = async (...args: string[]) => {
    const server = new Server(place, ["--sample", "--port", "0", "--json", ...args]);
    const { url, token, root } = await server.ready();
    const ask = async (path: string, body?: unknown) => {
      const headers = { ...bearer(token), "content-type": "application/json" };
      const post = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
      const reply = await fetch(`${url}${path}`, { headers, ...post });
      return JSON.parse(await reply.text());
    };
    const end = async () => {
      const ended = await server.stop();
      assert.equal(ended.code, 0);
      return ended;
    };
    return { root, ask, end };
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
  const busy = await new Server(place, ["--sample", "--fresh", "--port", "0", "--json"]).ended;
  assert.equal(busy.code, 4);
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
  assert.ok(!existsSync(join(samples, "lighthouse", "mine.md")));
  assert.ok(existsSync(join(samples, "lighthouse-1", "mine.md")));
  assert.deepEqual((await fresh.ask("/api/tabs")).tabs, [], "nothing is known of the new one");
  assert.match((await fresh.end()).note, /lighthouse-1\./);
  const former = new Server(place, ["--root", join(samples, "lighthouse-1"), "--port", "0", "--json"]);
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
  const server = new Server({ ...place, environment }, ["--port", "0", "--open"]);
  const printed = await server.link();
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
  assert.equal((await server.stop()).code, 0);
  assert.ok(!existsSync(dirname(path)));
  assert.ok(!existsSync(`${heard}.planted`));
});

test("where no browser can be opened, the server runs and says what to do", async (t) => {
  const place = placeFor(t);
  const none = { ...place.environment, PATH: "/nowhere", DISPLAY: ":0" };
  for (const environment of [place.environment, none, { ...none, CI: "true" }]) {
    const server = new Server({ ...place, environment }, ["--port", "0", "--open"]);
    const link = await server.link();
    await server.shows(/No browser could be opened here.*yourself/s);
    assert.equal((await fetch(link)).status, 200);
    assert.equal((await server.stop()).code, 0);
  }
});
