import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { constants, deflateRawSync } from "node:zlib";
import { temporaryFolder } from "@stet/testkit/temporary";
import { workApart } from "./apart.ts";

const endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c";

function job(file: string, sql: string) {
  new DatabaseSync(file).exec("CREATE TABLE IF NOT EXISTS t (a)");
  const request = { kind: "read", isAtRest: false, selector: { kind: "raw", sql } } as const;
  return { file, path: "x.db", request };
}

test("work that does not end is ended, and those who wait behind it get their turn", async (t) => {
  const file = `${temporaryFolder(t)}/x.db`;
  const { signal } = new AbortController();
  const slow = [1, 2, 3, 4].map(() => workApart("sqlite", job(file, endless), { signal, milliseconds: 700 }));
  const quick = workApart("sqlite", job(file, "SELECT 7 AS n"), { signal, milliseconds: 20_000 });
  const left = workApart("sqlite", job(file, endless), {
    signal: AbortSignal.timeout(50),
    milliseconds: 20_000,
  });
  assert.deepEqual(await left, { kind: "stopped", by: "signal" });
  for (const end of await Promise.all(slow)) assert.deepEqual(end, { kind: "stopped", by: "time" });
  const end = await quick;
  assert.ok(end.kind === "done" && "text" in end.value && /7/.test(end.value.text));
});

test("work that was stopped before it began does not begin", async (t) => {
  const file = `${temporaryFolder(t)}/x.db`;
  const end = await workApart("sqlite", job(file, endless), {
    signal: AbortSignal.abort(),
    milliseconds: 10_000,
  });
  assert.deepEqual(end, { kind: "stopped", by: "signal" });
});

test("a document that unpacks to gigabytes is ended before it fills the memory", async () => {
  // Blocks of zeros, each of which unpacks to a megabyte, in the text of a page.
  const block = deflateRawSync(Buffer.alloc(1024 * 1024), { finishFlush: constants.Z_FULL_FLUSH });
  const blocks = Array.from({ length: 8000 }, () => block);
  const stream = Buffer.concat([Buffer.from([0x78, 0x9c]), ...blocks, deflateRawSync(Buffer.alloc(0))]);
  const head = `%PDF-1.4
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >> endobj
4 0 obj << /Length ${stream.length} /Filter /FlateDecode >> stream\n`;
  const tail = "\nendstream endobj\ntrailer << /Root 1 0 R >>\n%%EOF";
  const bytes = Buffer.concat([Buffer.from(head), stream, Buffer.from(tail)]);
  const { signal } = new AbortController();
  const end = await workApart("document", { extension: ".pdf", bytes }, { signal, milliseconds: 40_000 });
  assert.deepEqual(end, { kind: "failed", reason: "it needs more memory than it may have" });
});

test("the process ends itself when the one who started it is gone", async (t) => {
  if (!existsSync("/proc/self/task")) return t.skip("needs /proc");
  const file = `${temporaryFolder(t)}/x.db`;
  const script = `
    import { workApart } from ${JSON.stringify(new URL("./apart.ts", import.meta.url).href)};
    const job = ${JSON.stringify(job(file, endless))};
    workApart("sqlite", job, { signal: new AbortController().signal, milliseconds: 1500 });
    setTimeout(() => console.log("started"), 300);
  `;
  const parent = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  await new Promise((resolve) => parent.stdout.once("data", resolve));
  const children = readFileSync(`/proc/${parent.pid}/task/${parent.pid}/children`, "utf8").trim().split(" ");
  assert.equal(children.length, 1);
  parent.kill("SIGKILL");
  for (let tries = 0; tries < 100 && isRunning(Number(children[0])); tries += 1) await wait(100);
  assert.equal(isRunning(Number(children[0])), false);
});

function isRunning(process: number): boolean {
  try {
    // A process that ended and was not yet asked for its code is done, too.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${process}/status`, "utf8"));
  } catch {
    return false;
  }
}
