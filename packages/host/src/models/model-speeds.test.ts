// How fast models were here: what is kept of many answers, and that keeping it costs little.

import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { temporaryFolder } from "@stet/testkit/temporary";
import { noteAnswer, readSpeeds } from "./model-speeds.ts";

function place(t: TestContext) {
  const folder = temporaryFolder(t);
  return { environment: { STET_DATA_DIR: folder }, path: join(folder, "model-speeds.json") };
}

const answer = { model: "a/b", firstTokenMs: 100, restMs: 1000, tokens: 50 };

test("the first answer is kept at once, and those that follow within a moment together", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { environment, path } = place(t);
  noteAnswer(environment, answer);
  assert.deepEqual(readSpeeds(environment).of("a/b"), {
    first_token_ms: 100,
    tokens_per_second: 50,
    answers: 1,
  });
  const first = readFileSync(path, "utf8");
  for (let index = 0; index < 5; index += 1) noteAnswer(environment, answer);
  noteAnswer(environment, { ...answer, model: "c/d", firstTokenMs: 7 });
  assert.equal(readFileSync(path, "utf8"), first, "nothing is written for each of them");
  t.mock.timers.tick(1000);
  assert.equal(readSpeeds(environment).of("a/b")?.answers, 6);
  assert.equal(readSpeeds(environment).of("c/d")?.first_token_ms, 7);
  noteAnswer(environment, answer);
  assert.equal(readSpeeds(environment).of("a/b")?.answers, 7, "later the next one is kept at once again");
  assert.equal(statSync(path).mode & 0o777, 0o600);
});

test("an answer that came in one piece tells when it began, and no rate", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { environment } = place(t);
  noteAnswer(environment, { ...answer, restMs: 0.1 });
  assert.deepEqual(readSpeeds(environment).of("a/b"), {
    first_token_ms: 100,
    tokens_per_second: 0,
    answers: 1,
  });
  noteAnswer(environment, answer);
  t.mock.timers.tick(1000);
  assert.equal(readSpeeds(environment).of("a/b")?.tokens_per_second, 50);
});

test("newer answers weigh more, the models used last stay, and a damaged file is begun anew", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { environment, path } = place(t);
  const note = (model: string, firstTokenMs: number) => {
    noteAnswer(environment, { ...answer, model, firstTokenMs });
    t.mock.timers.tick(1000);
  };
  for (let index = 0; index < 20; index += 1) note("a/b", 100);
  for (let index = 0; index < 20; index += 1) note("a/b", 1000);
  assert.ok((readSpeeds(environment).of("a/b")?.first_token_ms ?? 0) > 950);
  for (let index = 0; index < 200; index += 1) note(`m/${index}`, 1);
  assert.equal(readSpeeds(environment).of("a/b"), undefined);
  assert.equal(readSpeeds(environment).of("m/199")?.answers, 1);
  writeFileSync(path, '{"a/b": {"first_token_ms": -1}, "c/d": 3, ');
  assert.equal(readSpeeds(environment).of("m/199"), undefined);
  note("a/b", 1);
  assert.equal(readSpeeds(environment).of("a/b")?.answers, 1);
  assert.ok(existsSync(path));
});
