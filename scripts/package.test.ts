import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { pngPicture } from "../packages/testkit/src/picture.ts";
import { startScriptedModel } from "../packages/testkit/src/scripted-model.ts";
import { temporaryFolder } from "../packages/testkit/src/temporary.ts";

const root = join(import.meta.dirname, "..");
const quiet = "--disable-warning=ExperimentalWarning";

test("the packed command runs a whole turn, without the sources", (t) => {
  execFileSync(process.execPath, [quiet, "scripts/package.ts"], { cwd: root, stdio: "ignore" });
  assert.ok(existsSync(join(root, "dist/stet.tgz")));
  const packed = join(root, "dist/package/bin");
  assert.ok(!readdirSync(packed).some((name) => name.endsWith(".ts")), "only what Node runs as it is");
  const folder = temporaryFolder(t);
  cpSync(join(root, "examples/lighthouse"), join(folder, "project"), { recursive: true });
  const stet = (...args: string[]) =>
    spawnSync(process.execPath, [join(packed, "stet.js"), ...args], {
      cwd: join(folder, "project"),
      env: { PATH: process.env.PATH, HOME: folder, STET_DATA_DIR: join(folder, "data") },
      input: "",
      encoding: "utf8",
    });
  assert.match(stet("--version").stdout, /^\d+\.\d+\.\d+\n$/);
  const turn = stet("-p", "Rename Tobias to Elias in all files");
  assert.equal(turn.status, 0, turn.stderr);
  assert.match(turn.stdout, /25 times in 6 files/);
  assert.doesNotMatch(turn.stderr, /Warning/);
  assert.match(stet("review", "accept", "--all").stdout, /Accepted 24 hunks/);
  const coded = stet(
    "-p",
    "--toolset",
    "code",
    "--permission",
    "auto-edit",
    "Replace Elias with Tobias in all files",
  );
  assert.equal(coded.status, 0, coded.stderr);
  assert.match(coded.stdout, /25 times in 6 files/);
  assert.match(stet("-p", "--toolset", "code", "run `echo $((40 + 2))`").stdout, /42/);
  const id = stet("sessions").stdout.slice(0, 8);
  assert.match(stet("sessions", "export", id, "talk.html").stdout, /Written/);
});

test("npm takes what the guides install for a file, not for a repository on GitHub", () => {
  for (const name of ["README.md", "docs/getting-started.md", "scripts/package.ts"]) {
    const text = readFileSync(join(root, name), "utf8");
    const installed = [...text.matchAll(/npm install --global (\S*stet\.tgz)/g)].map(([, path]) => path);
    assert.deepEqual(installed, ["./dist/stet.tgz"], name);
  }
});

test("the packed command makes a large picture small enough for a model", async (t) => {
  const model = await startScriptedModel([
    { toolCalls: [{ name: "read", arguments: { path: "large.png" } }] },
    { text: "I see it." },
  ]);
  t.after(() => model.close());
  const folder = temporaryFolder(t, { "project/large.png": pngPicture(2600, 400) });
  const stet = join(root, "dist/package/bin/stet.js");
  const words = ["--toolset", "code", "--model", "openai-compatible/scripted", "-p", "Look at large.png"];
  const child = spawn(process.execPath, [stet, ...words], {
    cwd: join(folder, "project"),
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      STET_DATA_DIR: join(folder, "data"),
      OPENAI_COMPATIBLE_BASE_URL: `${model.url}/v1`,
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  assert.deepEqual(await once(child, "exit"), [0, null]);
  const messages = model.requests[1]?.messages ?? [];
  const [image] = messages.flatMap((message) => ("images" in message ? (message.images ?? []) : []));
  // The width of a PNG stands behind its signature and the name of its first chunk.
  assert.equal(Buffer.from(image?.data ?? "", "base64").readUInt32BE(16), 2000);
});

test("the packed command asks a model without Node's own HTTP client, which takes long to load", async (t) => {
  const model = await startScriptedModel([{ text: "Hello." }]);
  t.after(() => model.close());
  const spy = `process.on("exit", () => require("node:fs").writeFileSync("loaded.txt", process.moduleLoadList.join("\\n")))`;
  const folder = temporaryFolder(t, { "project/n.txt": "one\n", "spy.cjs": spy });
  const stet = join(root, "dist/package/bin/stet.js");
  const words = ["--model", "openai-compatible/scripted", "-p", "Hello?"];
  const child = spawn(process.execPath, ["--require", join(folder, "spy.cjs"), stet, ...words], {
    cwd: join(folder, "project"),
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      STET_DATA_DIR: join(folder, "data"),
      OPENAI_COMPATIBLE_BASE_URL: `${model.url}/v1`,
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  assert.deepEqual(await once(child, "exit"), [0, null]);
  const loaded = readFileSync(join(folder, "project/loaded.txt"), "utf8");
  assert.match(loaded, /NativeModule _http_client$/m);
  assert.doesNotMatch(loaded, /undici/);
});

test("the package ships what was tested: a shrinkwrap of every dependency, and no address of a registry", () => {
  const listed = execFileSync("tar", ["-tzf", join(root, "dist/stet.tgz")], { encoding: "utf8" });
  assert.match(listed, /^package\/npm-shrinkwrap\.json$/m);
  const shrinkwrap = readFileSync(join(root, "dist/package/npm-shrinkwrap.json"), "utf8");
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(root, "dist/package/package.json"), "utf8"),
  );
  const { packages } = JSON.parse(shrinkwrap);
  for (const [name, version] of Object.entries({ ...dependencies, ...optionalDependencies })) {
    assert.match(packages[`node_modules/${name}`].integrity, /^sha512-/, name);
    assert.equal(version, packages[`node_modules/${name}`].version, "exact, not a range");
  }
  assert.doesNotMatch(shrinkwrap, /https?:\/\/|"file:/);
});

test("the packed command has its documentation and licences, and links in them lead somewhere", () => {
  const folder = join(root, "dist/package");
  for (const page of ["README.md", ...globSync("docs/*.md", { cwd: folder })]) {
    const text = readFileSync(join(folder, page), "utf8").replaceAll(/^```[\s\S]*?^```/gm, "");
    const links = [
      ...text.matchAll(/\]\((?!https?:|#)([^()\s#]+)/g),
      ...text.matchAll(/\bsrc(?:set)?="([^"\s]+)"/g),
    ];
    for (const [, target = ""] of links)
      assert.ok(existsSync(join(folder, dirname(page), target)), `${page}: ${target}`);
  }
  const licences = readFileSync(join(folder, "THIRD-PARTY-LICENSES.txt"), "utf8");
  for (const name of ["hono", "zod", "@codemirror/state", "solid-js"])
    assert.match(licences, new RegExp(`^${name} \\d.*\\n\\n[\\s\\S]*?Copyright`, "m"));
});

test("the packed command reads its own documentation, and finds the way to GitHub", async (t) => {
  const reads = ["stet://", "stet://configuration#trust", "issue://acme/app/5", "local://"];
  const model = await startScriptedModel([
    { toolCalls: reads.map((path) => ({ name: "read", arguments: { path } })) },
    { text: "I see." },
  ]);
  t.after(() => model.close());
  const folder = temporaryFolder(t, { "project/n.txt": "one\n" });
  const stet = join(root, "dist/package/bin/stet.js");
  const words = ["--toolset", "code", "--permission", "full", "--model", "openai-compatible/scripted"];
  const child = spawn(process.execPath, [stet, ...words, "-p", "Help"], {
    cwd: join(folder, "project"),
    env: {
      PATH: "/nowhere",
      HOME: folder,
      STET_DATA_DIR: join(folder, "data"),
      OPENAI_COMPATIBLE_BASE_URL: `${model.url}/v1`,
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  assert.deepEqual(await once(child, "exit"), [0, null]);
  const messages = model.requests[1]?.messages ?? [];
  const told = messages.flatMap((message) => (message.role === "toolResult" ? [message.text] : []));
  assert.match(told[0] ?? "", /\nstet:\/\/tools {2}Toolset code\n/);
  assert.match(told[1] ?? "", /1\|## Trust\n/);
  assert.match(told[2] ?? "", /through the program gh: there is none in the PATH/);
  assert.match(told[3] ?? "", /There is nothing at local:\/\/ yet/);
});

test("an older Node is told in one sentence what is needed", () => {
  const stet = readFileSync(join(root, "dist/package/bin/stet.js"), "utf8");
  // Its own check runs before anything that an older Node does not have.
  assert.doesNotMatch(stet, /^import /m);
  const older = `Object.defineProperty(process.versions, "node", { value: "20.19.2" }); await import(${JSON.stringify(join(root, "dist/package/bin/stet.js"))})`;
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", older], {
    encoding: "utf8",
  });
  assert.equal(status, 1);
  assert.match(stderr, /^stet needs Node 22\.18 or newer, and this is Node 20\.19\.2: [^\n]*\n$/);
});

test("the packed command serves the sample project with the page of the workspace", async (t) => {
  const stet = join(root, "dist/package/bin/stet.js");
  assert.ok(existsSync(stet), "packed by the test before this one");
  const folder = temporaryFolder(t);
  const child = spawn(process.execPath, [stet, "serve", "--sample", "--port", "0", "--json"], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, STET_DATA_DIR: join(folder, "data") },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  t.after(() => child.kill("SIGKILL"));
  const [line] = await once(createInterface(child.stdout), "line");
  const { url, token, root: served, pid } = JSON.parse(line);
  assert.equal(pid, child.pid);
  assert.match(served, /samples\/lighthouse$/);
  const reply = await fetch(`${url}/api/workspace`, { headers: { authorization: `Bearer ${token}` } });
  assert.match(await reply.text(), /"is_sample":true/);
  const page = await (await fetch(url)).text();
  assert.match(page, /<script type="module"[^>]* src="\/assets\//, "not the plain page");
  child.kill("SIGTERM");
  assert.deepEqual(await ended, [0, null]);
});
