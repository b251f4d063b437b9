import assert from "node:assert/strict";
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, realpathSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
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
    [["--port", "many"], 2, /--port takes a number/],
    [["--tls-cert", "c.pem"], 2, /belong together/],
    [["--tls-cert", "c.pem", "--tls-key", "k.pem"], 4, /cannot be read/],
    [["--host", "0.0.0.0"], 4, /other machines.*--allow-unencrypted-network/s],
    [["--port", String(port)], 4, /Another program listens/],
    [["--root", "nowhere"], 4, /nowhere/],
    [["--nonsense"], 2, /nonsense/],
  ];
  for (const [args, code, message] of cases) {
    const server = new Server(t, place, args);
    assert.equal(await server.ended, code, `${args.join(" ")}: ${server.note}`);
    assert.match(server.note, message);
    assert.deepEqual(server.lines, []);
  }
});
