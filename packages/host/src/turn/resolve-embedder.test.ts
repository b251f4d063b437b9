import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { LocalEmbedder } from "@stet/meaning/embedder/local-embedder";
import { isFault } from "@stet/protocol/fault";
import { resolveEmbedder } from "./resolve-embedder.ts";

test("without a name, or as embedded, it is the model that is part of Stet", async () => {
  for (const model of ["", " embedded "])
    assert.ok((await resolveEmbedder({ model })) instanceof LocalEmbedder);
});

test("a provider's model is asked for where there is a slash, and off is none", async () => {
  const remote = await resolveEmbedder({ model: "ollama/nomic-embed-text", environment: {} });
  assert.equal(isFault(remote) ? remote.message : remote.id, "127.0.0.1:11434/v1/nomic-embed-text");
  const off = await resolveEmbedder({ model: "off" });
  assert.ok(isFault(off));
  assert.match(`${off.error}: ${off.message}`, /embeddings_unavailable: Search by meaning is switched off/);
});

test("resolving loads neither a model nor a thread, and the process can end", () => {
  const script = `
    const { resolveEmbedder } = await import(${JSON.stringify(import.meta.resolve("./resolve-embedder.ts"))});
    const embedder = await resolveEmbedder({ model: "embedded" });
    const { createRequire } = await import("node:module");
    const loaded = Object.keys(createRequire(import.meta.url).cache).filter((path) => path.includes("energetic"));
    console.log(embedder.isLoaded, loaded.length);`;
  const flags = ["--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", script];
  const stdout = execFileSync(process.execPath, flags, {
    cwd: import.meta.dirname,
    encoding: "utf8",
    timeout: 30_000,
  });
  assert.equal(stdout, "false 0\n");
});
