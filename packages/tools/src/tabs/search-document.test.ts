import assert from "node:assert/strict";
import { test } from "node:test";
import { Meaning } from "@stet/meaning/meaning";
import type { Embedder } from "@stet/protocol/embedding";
import { Fault } from "@stet/protocol/fault";
import { type TabsAnswer, TabsFixture } from "@stet/testkit/tabs-fixture";
import { temporaryFolder } from "@stet/testkit/temporary";
import { must } from "@stet/testkit/workspace";

interface ToldMatch {
  readonly line: number;
  readonly score: number;
  readonly preview: string;
  readonly context?: { start_line: number; end_line: number; line_count: number; content: string };
}

function matchesOf({ matches }: TabsAnswer): readonly ToldMatch[] {
  return matches as readonly ToldMatch[];
}

const numbered = Array.from({ length: 40 }, (_, line) => `line ${line}`).join("\n");

test("an answer has exactly the documented fields, with 5 lines before and 10 behind", async (t) => {
  const fixture = await TabsFixture.open(t, { "a.txt": numbered });
  const answer = await fixture.call("search_document", { query: "line 20", match_type: "exact" });
  const context = numbered.split("\n").slice(15, 31).join("\n");
  assert.deepEqual(answer, {
    tab_id: fixture.tabs[0],
    version: "1",
    embedding_status: "unavailable",
    matches: [
      {
        line: 20,
        score: 1,
        preview: "line 20",
        context: { start_line: 15, end_line: 30, line_count: 16, content: context },
      },
    ],
    total_matches: 1,
  });
});

test("contexts end where the document does, and can be left out", async (t) => {
  const fixture = await TabsFixture.open(t, { "a.txt": numbered });
  const search = async (query: string, more = {}) =>
    matchesOf(await fixture.call("search_document", { query, match_type: "exact", ...more }))[0];
  assert.equal((await search("line 0"))?.context?.start_line, 0);
  assert.equal((await search("line 39"))?.context?.end_line, 39);
  assert.deepEqual(await search("line 39", { include_context: false }), {
    line: 39,
    score: 1,
    preview: "line 39",
  });
});

test("at most max_results are shown, and all are counted, in the order of the document", async (t) => {
  const fixture = await TabsFixture.open(t, { "a.txt": numbered });
  const five = await fixture.call("search_document", { query: "line", match_type: "exact" });
  assert.deepEqual([matchesOf(five).length, five.total_matches], [5, 40]);
  const three = await fixture.call("search_document", {
    query: "e 1\\d$",
    match_type: "regex",
    max_results: 3,
  });
  assert.deepEqual(
    matchesOf(three).map(({ line }) => line),
    [10, 11, 12],
  );
  assert.equal(three.total_matches, 10);
});

test("exact means as written; only where that is nowhere, case is ignored, and said so", async (t) => {
  const fixture = await TabsFixture.open(t, { "a.txt": "whale\nWhale\nWHALE\n" });
  const exact = await fixture.call("search_document", { query: "Whale", match_type: "exact" });
  assert.deepEqual([exact.total_matches, exact.note], [1, undefined]);
  const other = await fixture.call("search_document", { query: "wHaLe", match_type: "exact" });
  assert.equal(other.total_matches, 3);
  assert.match(String(other.note), /case is ignored/);
});

test("a text over several lines is found, and its lines are in the context", async (t) => {
  const fixture = await TabsFixture.open(t, { "a.txt": numbered });
  const answer = await fixture.call("search_document", {
    query: "line 7\nline 8\nline 9",
    match_type: "exact",
  });
  assert.equal(matchesOf(answer)[0]?.line, 7);
  const regex = await fixture.call("search_document", { query: "7\\nline 8", match_type: "regex" });
  assert.equal(matchesOf(regex)[0]?.line, 7);
});

test("a document of several parts is searched in all of them", async (t) => {
  const line = `${"filler ".repeat(20)}\n`;
  const text = `needle\n${line.repeat(9000)}needle needle\n${line.repeat(9000)}Needle`;
  const fixture = await TabsFixture.open(t, { "long.txt": text });
  for (const match_type of ["exact", "regex"]) {
    const answer = await fixture.call("search_document", { query: "needle", match_type });
    assert.deepEqual(
      matchesOf(answer).map(({ line }) => line),
      [0, 9001, 9001],
    );
    assert.equal(answer.total_matches, 3);
  }
});

test("a long line is shown around the match, in preview and context", async (t) => {
  const fixture = await TabsFixture.open(t, {
    "a.txt": `${"left ".repeat(1000)}NEEDLE${" right".repeat(1000)}\n`,
  });
  const [match] = matchesOf(await fixture.call("search_document", { query: "NEEDLE", match_type: "exact" }));
  assert.match(match?.preview ?? "", /^\.\.\..*left NEEDLE right.*\.\.\.$/);
  assert.ok((match?.preview.length ?? 0) < 200);
  assert.match(match?.context?.content ?? "", /^\.\.\..*left NEEDLE right.*\.\.\.$/);
  assert.ok((match?.context?.content.length ?? 0) < 1000);
});

test("more matches than fit one answer are left out with a note, never cut anywhere", async (t) => {
  const fixture = await TabsFixture.open(t, { "a.txt": "a line with the needle in it\n".repeat(5000) });
  const request = { query: "needle", match_type: "exact", max_results: 100_000 };
  const answer = await fixture.call("search_document", request);
  assert.equal(answer.total_matches, 5000);
  assert.ok(matchesOf(answer).length > 50);
  assert.match(String(answer.note), /^Only \d+ matches fit one answer.*The last \d+ are without context/);
});

test("lines that a search showed whole count as read", async (t) => {
  const fixture = await TabsFixture.open(t, { "a.txt": "one\ntwo\nthree\n" });
  await fixture.call("search_document", { query: "two", match_type: "exact" });
  const written = await fixture.call("write_document", { version: "1", content: "all new\n" });
  assert.equal(written.status, "success");
});

/** Knows three things to be about. */
const topics = [/whale|sea|ship/gi, /war|battle|sword/gi, /bread|kitchen|cook/gi];
const embedder: Embedder = {
  id: "topics",
  async embed(texts) {
    return texts.map((text) => {
      const counts = topics.map((topic) => 0.01 + [...text.matchAll(topic)].length);
      const length = Math.hypot(...counts);
      return Float32Array.from(counts, (count) => count / length);
    });
  },
  async close() {},
};

function openMeaning(t: Parameters<typeof temporaryFolder>[0], port: Embedder | Fault): Meaning {
  const meaning = must(Meaning.open(temporaryFolder(t, {}), port));
  t.after(() => meaning.close());
  return meaning;
}

const filler = "Nothing happened on that day, and nobody said a word about it to anyone. ".repeat(8);
const story = [
  "# Tale",
  "",
  `The ship went to sea, and a whale followed the ship. ${filler}`,
  "",
  `In the kitchen the cook baked bread. ${filler}`,
  "",
  `Swords were drawn, and the battle raged. ${filler}`,
].join("\n");

test("by meaning, passages are found that have none of the words, best first", async (t) => {
  const fixture = await TabsFixture.open(t, { "story.md": story }, { meaning: openMeaning(t, embedder) });
  const answer = await fixture.call("search_document", { query: "sword war", max_results: 2 });
  assert.equal(answer.embedding_status, "ready");
  const [first] = matchesOf(answer);
  assert.equal(first?.line, 6);
  assert.match(first?.preview ?? "", /^Swords were drawn/);
  assert.ok((first?.score ?? 0) > 0 && (first?.score ?? 2) <= 1);
  assert.ok((first?.context?.start_line ?? 9) <= 6 && (first?.context?.end_line ?? 0) >= 6);
  assert.equal(answer.total_matches, matchesOf(answer).length);
});

test("an embedding model that fails is told as unavailable, with what to use instead", async (t) => {
  const broken = new Fault("embeddings_unavailable", "The model is not there.", "Configure one.");
  const fixture = await TabsFixture.open(t, { "story.md": story }, { meaning: openMeaning(t, broken) });
  const answer = await fixture.call("search_document", { query: "sword war" });
  assert.equal(answer.error, "embeddings_unavailable");
  assert.match(String(answer.suggestion), /exact.*regex/);
  const exact = await fixture.call("search_document", { query: "Tale", match_type: "exact" });
  assert.equal(exact.embedding_status, "unavailable");
});

test("an expression that matches only over line ends is found, and the note says so", async (t) => {
  const fixture = await TabsFixture.open(t, { "a.txt": "first\nBEGIN\n  x\nEND\n" });
  const answer = await fixture.call("search_document", { query: "BEGIN[^z]*END", match_type: "regex" });
  assert.deepEqual([answer.total_matches, matchesOf(answer)[0]?.line], [1, 1]);
  assert.match(String(answer.note), /over line ends/);
});

test("an exact search that misses only by accents or quotation marks says where it would be found", async (t) => {
  const fixture = await TabsFixture.open(t, { "a.txt": "first\nIt’s the whale — “Moby”.\n" });
  const answer = await fixture.call("search_document", {
    query: 'It\'s the whale - "Moby"',
    match_type: "exact",
  });
  assert.equal(answer.total_matches, 0);
  assert.match(String(answer.note), /other quotation marks, spaces, dashes or accents in line 1/);
});
