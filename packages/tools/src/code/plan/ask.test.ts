import assert from "node:assert/strict";
import { test } from "node:test";
import { openCodeFixture } from "@stet/testkit/code-fixture";
import { ask } from "./ask.ts";

const which = {
  id: "db",
  question: "Which database?",
  options: [{ label: "SQLite" }, { label: "Postgres" }],
};

test("the chosen option comes back without its mark of recommendation", async (t) => {
  const shown: string[][] = [];
  const answer = (_: string, options: readonly string[]) => {
    shown.push([...options]);
    return options[1] ?? "";
  };
  const fixture = await openCodeFixture(t, [ask], { answer });
  const { text, details } = await fixture.call("ask", { questions: [{ ...which, recommended: 1 }] });
  assert.deepEqual(shown, [["SQLite", "Postgres (Recommended)"]]);
  assert.equal(text, "User selected: Postgres");
  assert.deepEqual(details, {
    question: "Which database?",
    options: ["SQLite", "Postgres"],
    multi: false,
    selectedOptions: ["Postgres"],
  });
});

test("words that are no option are the person's own", async (t) => {
  const fixture = await openCodeFixture(t, [ask], { answer: () => "neither, use a file" });
  const { text } = await fixture.call("ask", { questions: [which] });
  assert.equal(text, "User provided custom input: neither, use a file");
});

test("several can be chosen by number or text", async (t) => {
  const fixture = await openCodeFixture(t, [ask], { answer: () => "2, SQLite" });
  const { text } = await fixture.call("ask", { questions: [{ ...which, multi: true }] });
  assert.equal(text, "User selected: Postgres, SQLite");
});

test("answers to several questions are told by their ids", async (t) => {
  const fixture = await openCodeFixture(t, [ask]);
  const { text } = await fixture.call("ask", { questions: [which, { ...which, id: "cache" }] });
  assert.equal(text, "User answers:\ndb: User selected: SQLite\ncache: User selected: SQLite");
});

test("a skipped question says how to go on, with the answers so far", async (t) => {
  const fixture = await openCodeFixture(t, [ask], {
    answer: (question) => (question === "Why?" ? "no_user_answer" : "SQLite"),
  });
  const second = { id: "why", question: "Why?", options: [] };
  const refused = await fixture.call("ask", { questions: [which, second] });
  assert.equal(refused.error, "skipped");
  assert.match(refused.text, /did not answer.*SQLite/s);
});

test("no question at all is refused", async (t) => {
  const fixture = await openCodeFixture(t, [ask]);
  assert.equal((await fixture.call("ask", { questions: [] })).error, "invalid_arguments");
});
