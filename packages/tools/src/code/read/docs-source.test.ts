import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { openCodeFixture } from "@stet/testkit/code-fixture";
import { write } from "../write/write.ts";
import { read } from "./read.ts";

const docs = new URL("../../../../../docs/", import.meta.url);

test("stet:// lists every page of the documentation, and each can be read, as a whole or from a heading", async (t) => {
  const fixture = await openCodeFixture(t, [read, write]);
  const look = async (path: string) => (await fixture.call("read", { path })).text;
  const list = await look("stet://");
  const names = readdirSync(docs).filter((name) => name.endsWith(".md"));
  assert.equal(list.split("\n").length, names.length + 2);
  assert.match(list, /\nstet:\/\/configuration {2}Configuration\n/);
  for (const name of names) {
    const address = `stet://${name.replace(/\.md$/, "")}`;
    const text = readFileSync(new URL(name, docs), "utf8");
    assert.ok((await look(`${address}:1-1:raw`)).startsWith(text.split("\n")[0] ?? "?"), address);
  }
  const whole = await look("stet://Configuration.md");
  assert.match(whole, /^1\|# Configuration\n/);
  const part = await look("stet://configuration.md#trust:raw");
  assert.match(part, /^## Trust\n\nNothing in a folder configures anything before you trust it/);
  assert.doesNotMatch(part, /## Where things are kept/);
  assert.equal(
    await look("stet://configuration#no-such-heading"),
    whole.replaceAll("stet://Configuration.md", "stet://configuration#no-such-heading"),
  );
  assert.match(await look("stet://nothing"), /There is no page .*stet:\/\/agents, stet:\/\/api/);
  assert.match(await look("stet://../package"), /There is no page/);
  assert.equal(
    (await fixture.call("write", { path: "stet://configuration", content: "x" })).error,
    "not_allowed",
  );
});
