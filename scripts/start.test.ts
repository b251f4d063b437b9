import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type TestContext, test } from "node:test";
import { temporaryFolder } from "../packages/testkit/src/temporary.ts";

const script = join(import.meta.dirname, "start.ts");

/** `npm start` from a folder, with a page that is built already. */
async function begin(t: TestContext, args: readonly string[]) {
  const folder = temporaryFolder(t, { "page/index.html": "<p>The page.</p>", "mine/notes.md": "One.\n" });
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child: ChildProcess = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", script, "--port", "0", ...args],
    {
      cwd: join(import.meta.dirname, ".."),
      env: {
        PATH,
        NODE_COMPILE_CACHE,
        HOME: folder,
        STET_DATA_DIR: join(folder, "data"),
        STET_PAGE: join(folder, "page"),
        INIT_CWD: folder,
      },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  t.after(() => child.kill("SIGKILL"));
  assert.ok(child.stdout !== null && child.stderr !== null);
  let note = "";
  child.stderr.on("data", (data) => {
    note += data;
  });
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    if (line.includes("#token=")) break;
  }
  return { child, folder, lines, link: new URL((lines.at(-1) ?? "").trim()), note: () => note };
}

test("npm start serves the sample project with the page, and says what it is and how to end it", async (t) => {
  const { child, folder, lines, link, note } = await begin(t, []);
  const sample = realpathSync(join(folder, "data/samples/lighthouse"));
  assert.equal(lines[0], `Stet serves the sample project, a short novel to try things on, in ${sample}`);
  while (!note().includes("yourself")) await once(child.stderr ?? child, "data");
  assert.match(note(), /^Stet: an agent edits, you stay in control\.\n/);
  assert.match(note(), /Ctrl-C ends the server/);
  assert.equal(await (await fetch(link)).text(), "<p>The page.</p>");
  child.kill("SIGTERM");
  assert.deepEqual(await once(child, "exit"), [0, null]);
});

test("npm start -- --root DIR serves a folder of one's own, as seen from where one is", async (t) => {
  const { child, folder, lines } = await begin(t, ["--root", "mine"]);
  assert.equal(lines[0], `Stet serves ${realpathSync(join(folder, "mine"))}`);
  child.kill("SIGTERM");
  assert.deepEqual(await once(child, "exit"), [0, null]);
});
