import assert from "node:assert/strict";
import { test } from "node:test";
import type { OpenTurn, ReviewHunk } from "@stet/protocol/api/review";
import { panelRows } from "./panel-rows.ts";
import { turnAgents } from "./turn-agents.ts";

const hunk = (id: string, turns: string[]): ReviewHunk => ({
  hunk_id: id,
  old_start: 1,
  new_start: 1,
  removed: ["one"],
  added: ["two"],
  origins: ["agent"],
  turns,
  rationales: [],
  reasons: [],
});

const turn = (name: string, agent?: string, session = "s1"): OpenTurn => ({
  turn: name,
  job_id: null,
  session_id: session,
  summary: name,
  is_whole: false,
  is_on_disk: true,
  hunks: 1,
  ...(agent === undefined ? {} : { agent }),
});

const file = (document: number, hunks: ReviewHunk[]) => {
  return { document, title: `${document}.md`, file_path: `${document}.md`, hunks };
};

test("changes are told apart by agent, and one of two agents counts for both", () => {
  const files = [
    file(1, [hunk("h1", ["own"]), hunk("h2", ["ten", "two"])]),
    file(2, [hunk("h3", ["two", "twice"])]),
  ];
  const turns = [turn("ten", "10-Fix"), turn("two", "2-Look"), turn("own"), turn("twice", "2-Look")];
  assert.deepEqual(
    turnAgents(files, turns).map(({ name, hunks, turns: names }) => `${name} ${hunks} ${[...names].sort()}`),
    ["The agent itself 1 own", "2-Look 2 twice,two", "10-Fix 1 ten"],
  );
});

test("agents of two sessions with one name are two, and without agents there is nothing to choose", () => {
  const files = [file(1, [hunk("h1", ["a"]), hunk("h2", ["b"])])];
  const turns = [turn("a", "0-Look"), turn("b", "0-Look", "s2")];
  assert.equal(turnAgents(files, turns).length, 2);
  assert.deepEqual(turnAgents(files, [turn("a"), turn("b", undefined, "s2")]), []);
});

test("only the turns of the chosen agent are listed, with the change that two have made", () => {
  const files = [file(1, [hunk("h1", ["a"]), hunk("h2", ["a", "b"])])];
  const turns = [turn("a", "0-Look"), turn("b", "1-Fix")];
  const rows = panelRows(files, turns, [], new Set(), new Set(["b"]));
  assert.deepEqual(
    rows.map(({ key }) => key),
    ["b", "b:1", "b:h2:why", "b:h2"],
  );
});
