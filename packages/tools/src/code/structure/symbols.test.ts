import assert from "node:assert/strict";
import { test } from "node:test";
import { samples } from "@stet/testkit/symbol-samples";
import { must } from "@stet/testkit/workspace";
import { decodeDocument } from "@stet/text/document";
import { symbolsOf } from "./symbols.ts";

const bytes = (content: string) => new TextEncoder().encode(content);

for (const { path, source, symbols } of samples) {
  test(`the symbols of ${path} are found with all of their lines, whatever its line ends`, async () => {
    for (const content of [source, `\ufeff${source.replaceAll("\n", "\r\n")}`, source.trimEnd()]) {
      const { text } = must(decodeDocument(bytes(content)));
      const found = (await symbolsOf(path, text)).map(
        ({ from, to, kind, path }) => `${from}-${to} ${kind} ${path}`,
      );
      assert.deepEqual(found, symbols);
    }
  });
}

test("symbols in a file of mixed line ends are where they are in any other", async () => {
  for (const { path, source, symbols } of samples) {
    if (path.endsWith(".yaml")) continue;
    const mixed = source.replace("\n", "\r\n");
    const { text } = must(decodeDocument(bytes(mixed)));
    assert.deepEqual(
      (await symbolsOf(path, text)).map(({ from, to, kind, path }) => `${from}-${to} ${kind} ${path}`),
      symbols,
      path,
    );
  }
});

test("broken, empty and absurd sources have symbols or none, but never an error", async () => {
  const odd = [
    "",
    "\n",
    "}{)(",
    "function",
    "class A {",
    "(".repeat(20_000),
    "\u0001é😀",
    "a".repeat(100_000),
  ];
  for (const { path } of samples) {
    for (const source of odd) {
      const { text } = must(decodeDocument(bytes(source)));
      for (const { from, to } of await symbolsOf(path, text)) assert.ok(from >= 1 && to >= from, path);
    }
  }
});

test("a file in a language that is not known has none", async () => {
  assert.deepEqual(await symbolsOf("a.txt", must(decodeDocument(bytes("# A\n"))).text), []);
});
