import assert from "node:assert/strict";
import { test } from "node:test";
import type { Embedder } from "@stet/protocol/embedding";
import { Fault } from "@stet/protocol/fault";
import { type Message, noUsage } from "@stet/protocol/message";
import { type PaperAnswer, PaperFixture } from "@stet/testkit/paper-fixture";
import { PaperSearches } from "./paper-searches.ts";

const story = "Mai went out.\n\nNobody saw Mai, and the lamp was out.\n\nTobias slept.\n";

test("a search shows the lines that hold whole sentences, and how many there are", async (t) => {
  const fixture = await PaperFixture.open(t, story);
  const { answer, events } = await fixture.call("search_paper", { query: "mai" });
  assert.deepEqual(answer, {
    success: true,
    matches: 2,
    totalMatches: 2,
    rev: 1,
    results: [
      { match: "Mai went out.", lines: [{ line: 1, content: "Mai went out." }] },
      {
        match: "Nobody saw Mai, and the lamp was out.",
        lines: [{ line: 3, content: "Nobody saw Mai, and the lamp was out." }],
      },
    ],
  });
  assert.deepEqual(events, [
    {
      type: "search.result",
      data: {
        type: "paper",
        query: "mai",
        lines: [
          { lineNumber: 1, text: "Mai went out.", snippet: "Mai went out." },
          {
            lineNumber: 3,
            text: "Nobody saw Mai, and the lamp was out.",
            snippet: "Nobody saw Mai, and the lamp was out.",
          },
        ],
        totalMatches: 2,
        keyword: "Mai",
      },
    },
  ]);
});

test("five matches are shown, more are named by their lines up to the limit, and long ones are cut", async (t) => {
  const lines = Array.from({ length: 40 }, (_, index) => `${index} needle ${"hay ".repeat(400)}.\n`);
  const fixture = await PaperFixture.open(t, lines.join("\n"));
  const usual = await fixture.done("search_paper", { query: "needle" });
  assert.deepEqual([usual.matches, usual.totalMatches, usual.moreLines], [5, 40, undefined]);
  assert.equal((usual.results as unknown[]).length, 5);
  const many = await fixture.done("search_paper", { query: "needle", limit: 8 });
  assert.deepEqual([many.matches, many.moreLines], [8, [11, 13, 15]]);
  assert.equal((many.results as unknown[]).length, 5);
  assert.ok(JSON.stringify(many).length < 8000);
});

test("searches are kept, listed, brought back and cleared", async (t) => {
  const fixture = await PaperFixture.open(t, story);
  const none = await fixture.refused("keep_search", { key: "people" });
  assert.deepEqual(
    [none.error, none.message],
    [true, "No active search result to keep. Call search_paper() first."],
  );
  await fixture.done("search_paper", { query: "Mai" });
  const kept = await fixture.call("keep_search", { key: "people" });
  assert.deepEqual(kept.answer, { success: true, key: "people", query: "Mai", totalSaved: 1 });
  assert.deepEqual(kept.events, [
    { type: "search.kept", data: { key: "people", query: "Mai", lineCount: 2 } },
  ]);
  await fixture.done("search_paper", { query: "Tobias" });
  await fixture.done("keep_search", { key: "" });
  const listed = await fixture.done("get_kept_searches");
  const searches = listed.searches as PaperAnswer[];
  assert.deepEqual(
    [listed.total, searches.map(({ key, query, resultCount }) => [key, query, resultCount])],
    [
      2,
      [
        ["people", "Mai", 2],
        ["search", "Tobias", 1],
      ],
    ],
  );
  assert.ok(searches.every(({ timestamp }) => typeof timestamp === "number"));
  const back = await fixture.call("retrieve_search", { key: "people" });
  assert.deepEqual([back.answer.query, back.answer.resultCount], ["Mai", 2]);
  assert.deepEqual(back.events, [
    { type: "search.retrieved", data: { key: "people", query: "Mai", lineCount: 2 } },
  ]);
  const missing = await fixture.refused("retrieve_search", { key: "places" });
  assert.deepEqual(
    [missing.message, missing.suggestion],
    ["Search key 'places' not found", "Kept are: people, search."],
  );
  const cleared = await fixture.call("clear_kept_search", { key: "people" });
  assert.deepEqual(cleared.answer, { success: true, key: "people", deleted: true, remaining: 1 });
  assert.deepEqual(cleared.events, [{ type: "search.cleared", data: { key: "people" } }]);
  const twice = await fixture.call("clear_kept_search", { key: "people" });
  assert.deepEqual([twice.answer.deleted, twice.events], [false, cleared.events]);
  assert.deepEqual(await fixture.done("clear_all_kept_searches"), { success: true, cleared: 1 });
  await fixture.refused("keep_search", { key: "again" });
});

test("a search that finds nothing leaves nothing to keep", async (t) => {
  const fixture = await PaperFixture.open(t, story);
  await fixture.done("search_paper", { query: "Mai" });
  const empty = await fixture.done("search_paper", { query: "xyz" });
  assert.deepEqual([empty.success, empty.matches, empty.totalMatches], [true, 0, 0]);
  await fixture.refused("keep_search", { key: "k" });
});

test("kept searches survive the turn, and lines that changed since are marked", async (t) => {
  const searches = new PaperSearches();
  const first = await PaperFixture.open(t, story, { searches });
  await first.done("search_paper", { query: "Mai" });
  await first.done("keep_search", { key: "people" });
  first.turn.discard();
  first.person({ op: "replace", from: 3, to: 3, content: "Nobody saw anyone." });
  const second = new PaperFixture(first.workspace, first.document, { searches });
  const { lines, note } = await second.done("retrieve_search", { key: "people" });
  assert.deepEqual(lines, [
    { line: 1, content: "Mai went out." },
    { line: 3, content: "Nobody saw Mai, and the lamp was out.", isStale: true },
  ]);
  assert.match(String(note), /search again/);
});

function said(role: "user" | "assistant", text: string): Message {
  if (role === "user") return { role, content: text, timestamp: 0 };
  const content = [{ type: "text", text }] as const;
  const facts = { provider: "p", model: "m", usage: noUsage, stopReason: "stop", timestamp: 0 } as const;
  return { role, content, ...facts };
}

const talk = [
  said("user", "Please call the harbour master Tobias."),
  said("assistant", "He is called Tobias now."),
  said("user", "Đổi tên thuyền trưởng thành Elias."),
  said("assistant", "The weather in chapter two is stormy."),
];

test("the conversation is searched by its words, rarest first", async (t) => {
  const fixture = await PaperFixture.open(t, "", { messages: () => talk });
  const { answer, events } = await fixture.call("search_chat", { query: "harbour Tobias" });
  const cards = answer.results as PaperAnswer[];
  assert.deepEqual([answer.success, answer.cards], [true, 2]);
  assert.deepEqual(cards[0], {
    id: "message_1",
    role: "user",
    text: "Please call the harbour master Tobias.",
    score: 1,
  });
  assert.deepEqual(events, [
    {
      type: "search.result",
      data: { type: "chat", query: "harbour Tobias", cards, totalMatches: 2, keyword: "harbour Tobias" },
    },
  ]);
  const vietnamese = await fixture.done("search_chat", { query: "thuyền trưởng", limit: 1 });
  assert.match(JSON.stringify(vietnamese.results), /message_3/);
  assert.equal((await fixture.done("search_chat", { query: "elephant" })).cards, 0);
});

/** Knows two things: weather, and everything else. */
function embedderOf(isBroken: boolean): Embedder {
  return {
    id: "test",
    embed: async (texts) =>
      isBroken
        ? new Fault("embeddings_unavailable", "No.", "Wait.")
        : texts.map((text) => Float32Array.from(/storm|weather|rain/.test(text) ? [1, 0] : [0, 1])),
    close: async () => {},
  };
}

test("an embedder finds what was meant in other words; without one, words have to do", async (t) => {
  const messages = () => talk;
  const fixture = await PaperFixture.open(t, "", { messages, embedder: embedderOf(false) });
  const found = await fixture.done("search_chat", { query: "rain" });
  assert.deepEqual(
    (found.results as PaperAnswer[]).map(({ id }) => id),
    ["message_4"],
  );
  const broken = await PaperFixture.open(t, "", { messages, embedder: embedderOf(true) });
  assert.equal((await broken.done("search_chat", { query: "rain" })).cards, 0);
  assert.equal((await broken.done("search_chat", { query: "stormy" })).cards, 1);
});

test("the tools and rules are searched, too", async (t) => {
  const fixture = await PaperFixture.open(t, "");
  const { answer, events } = await fixture.call("search_tools", { query: "indentation of a line", limit: 3 });
  const cards = answer.results as PaperAnswer[];
  assert.equal(cards.length, 3);
  assert.ok(cards.some(({ id }) => id === "write_replace_line"));
  assert.ok(cards.every(({ role }) => role === "tool" || role === "rule"));
  const [event] = events;
  assert.ok(event?.type === "search.result" && event.data.type === "tools");
});

test("in a list the line that holds the keyword is shown, not the beginning of the list", async (t) => {
  const fixture = await PaperFixture.open(
    t,
    Array.from({ length: 300 }, (_, index) => `item number ${index + 1}`).join("\n"),
  );
  const { answer, events } = await fixture.call("search_paper", { query: "item number 250" });
  const lines = [{ line: 250, content: "item number 250" }];
  assert.deepEqual(answer.results, [{ match: "item number 250", lines }]);
  assert.deepEqual([answer.matches, answer.moreLines], [1, undefined]);
  assert.equal(JSON.stringify(events).match(/lineNumber/g)?.length, 1);
  await fixture.done("write_replace_line", { lineNumber: 250, text: "item number CCL" });
});

test("a search counts its results in the same way when it is listed and when it is brought back", async (t) => {
  const fixture = await PaperFixture.open(t, "One whale rose\nand another\nwhale sank.\n");
  await fixture.done("search_paper", { query: "whale" });
  await fixture.done("keep_search", { key: "whales" });
  const { searches } = await fixture.done("get_kept_searches");
  const retrieved = await fixture.done("retrieve_search", { key: "whales" });
  assert.equal((searches as { resultCount: number }[])[0]?.resultCount, retrieved.resultCount);
  assert.equal(retrieved.resultCount, 1);
});
