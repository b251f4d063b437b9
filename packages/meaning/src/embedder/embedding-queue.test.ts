import assert from "node:assert/strict";
import { test } from "node:test";
import { EmbeddingQueue, EmbeddingRequest } from "./embedding-queue.ts";

function request(count: number, text = "x".repeat(500)): EmbeddingRequest {
  return new EmbeddingRequest(
    Array.from({ length: count }, () => text),
    () => undefined,
  );
}

function drain(queue: EmbeddingQueue): EmbeddingRequest[] {
  const order: EmbeddingRequest[] = [];
  for (let turn = queue.next(); turn !== undefined; turn = queue.next()) order.push(turn.request);
  return order;
}

test("one text does not wait behind a hundred", () => {
  const queue = new EmbeddingQueue();
  const book = request(100);
  queue.add(book);
  assert.equal(queue.next()?.texts.length, 2, "a turn is small");
  const query = request(1);
  queue.add(query);
  assert.equal(queue.next()?.request, query);
  assert.equal(drain(queue).length, 49, "and the hundred are finished");
  assert.equal(book.taken, 100);
});

test("the newest small request comes first, and the oldest is not forgotten", () => {
  const queue = new EmbeddingQueue();
  const book = request(10);
  const small = Array.from({ length: 6 }, () => request(1));
  queue.add(book);
  for (const one of small) queue.add(one);
  const [a, b, c, d, e, f] = small;
  assert.deepEqual(drain(queue).slice(0, 8), [f, e, d, book, c, b, a, book]);
});

test("long requests take turns", () => {
  const queue = new EmbeddingQueue();
  const [first, second] = [request(8), request(6)];
  queue.add(first);
  queue.add(second);
  assert.deepEqual(drain(queue), [first, second, first, second, first, second, first]);
});

test("a turn has at least one text and at most sixteen", () => {
  const queue = new EmbeddingQueue();
  queue.add(request(1, "x".repeat(5000)));
  assert.equal(queue.next()?.texts.length, 1);
  queue.add(request(40, "short"));
  assert.deepEqual(
    [queue.next(), queue.next(), queue.next(), queue.next()].map((turn) => turn?.texts.length),
    [16, 16, 8, undefined],
  );
});

test("what was removed gets no turn", () => {
  const queue = new EmbeddingQueue();
  const [gone, book, kept] = [request(2), request(9), request(1)];
  for (const one of [kept, book, gone]) queue.add(one);
  queue.remove(gone);
  queue.remove(book);
  assert.deepEqual(drain(queue), [kept]);
  assert.ok(queue.isEmpty);
});
