import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { isFault } from "@stet/protocol/fault";
import { Random } from "@stet/testkit/random";
import { must } from "@stet/testkit/sample-session";
import { temporaryFolder } from "@stet/testkit/temporary";
import { ArtifactFolder, type ArtifactPage, type ArtifactPosition } from "./artifacts.ts";

test("outputs are numbered from 0 and never overwritten", (t) => {
  const artifacts = new ArtifactFolder(join(temporaryFolder(t), "artifacts"));
  assert.deepEqual(artifacts.numbers(), []);
  assert.equal(must(artifacts.write("one")).number, 0);
  assert.equal(must(artifacts.write("two")).number, 1);
  assert.deepEqual(artifacts.numbers(), [0, 1]);
  assert.equal(must(artifacts.read(0)).text, "one");
});

test("a number or a line that is not there says what there is", (t) => {
  const artifacts = new ArtifactFolder(join(temporaryFolder(t), "artifacts"));
  must(artifacts.write("one\ntwo\n"));
  const unknown = artifacts.read(7);
  assert.ok(isFault(unknown));
  assert.match(unknown.suggestion, /Kept are: 0/);
  const beyond = artifacts.read(0, { line: 3, column: 1 });
  assert.ok(isFault(beyond));
  assert.match(beyond.suggestion, /2 lines/);
});

test("the pages together are the text", (t) => {
  const artifacts = new ArtifactFolder(temporaryFolder(t));
  const random = new Random(3);
  for (let round = 0; round < 200; round += 1) {
    let text = "";
    for (let line = random.below(12); line > 0; line -= 1)
      text += "😀é x".repeat(random.below(8)) + random.pick(["\n", "\n\n", ""]);
    const { number } = must(artifacts.write(text));
    const limits = { maxLines: random.between(1, 4), maxCharacters: random.between(1, 30) };
    let together = "";
    let from: ArtifactPosition | undefined = { line: 1, column: 1 };
    while (from !== undefined) {
      const page: ArtifactPage = must(artifacts.read(number, from, limits));
      assert.ok(page.text.isWellFormed());
      together += page.text;
      from = page.next;
    }
    assert.equal(together, text);
  }
});
