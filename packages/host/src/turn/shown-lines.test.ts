// Edits of toolset project, by line numbers: what the model was shown counts, by whatever call, context row or turn.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import type { ToolResultMessage } from "@stet/protocol/message";
import { modelOf, type PlayedReply } from "@stet/testkit/model-of";
import { TestService } from "@stet/testkit/test-service";
import { must, personEdits, TestWorkspace, textOf } from "@stet/testkit/workspace";

const thirty = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
const file_path = "a.txt";

type Arguments = Record<string, unknown>;
const edit = (operation: string, start_line: number, new_text?: string, more: Arguments = {}) => ({
  name: "edit_file",
  arguments: { file_path, operation, start_line, new_text, ...more },
});
const read = { name: "read_file", arguments: { file_path } };
const find = (query: string) => ({ name: "search_project", arguments: { query } });
const says = (...calls: { name: string; arguments: Arguments }[]): PlayedReply => ({ calls });
const done: PlayedReply = { text: "Done." };

interface AnswerFields {
  readonly [field: string]: unknown;
  readonly details?: Arguments;
}

/** A folder with thirty lines, and a model that plays the replies of all turns one after another. */
class Played {
  readonly replies: (PlayedReply | (() => PlayedReply))[] = [];
  readonly answers: AnswerFields[] = [];
  readonly place: TestWorkspace;
  api: TestService;
  session = "";
  readonly #t: TestContext;

  private constructor(t: TestContext, place: TestWorkspace, api: TestService) {
    this.#t = t;
    this.place = place;
    this.api = api;
  }

  static async open(t: TestContext): Promise<Played> {
    const place = new TestWorkspace(t, { [file_path]: `${thirty.join("\n")}\n` });
    const played: Played = new Played(t, place, await Played.#serve(t, place, () => played));
    played.session = await played.api.session();
    return played;
  }

  static #serve(t: TestContext, place: TestWorkspace, played: () => Played): Promise<TestService> {
    const model = modelOf(({ messages }) => {
      const self = played();
      const results = messages.filter((one): one is ToolResultMessage => one.role === "toolResult");
      self.answers.splice(0, self.answers.length, ...results.map(answerIn));
      const reply = self.replies.shift() ?? done;
      return typeof reply === "function" ? reply() : reply;
    });
    return TestService.open(t, place, model);
  }

  async restart(): Promise<void> {
    await this.api.service.close();
    this.api = await Played.#serve(this.#t, this.place, () => this);
  }

  async turn(replies: readonly (PlayedReply | (() => PlayedReply))[], more: Arguments = {}): Promise<void> {
    this.replies.splice(0, this.replies.length, ...replies, done);
    const job = await this.api.run(this.session, "Go.", more);
    await this.api.until(job, "awaiting_review", "completed");
  }

  get lines(): string[] {
    const { workspace } = this.api.service;
    return textOf(workspace, must(workspace.documents.open(file_path)).id).split("\n");
  }

  person(after: number, content: string): void {
    const { workspace } = this.api.service;
    const { id } = must(workspace.documents.open(file_path));
    personEdits(workspace, id, { op: "insert", after, content });
  }
}

function answerIn({ content: [part] }: ToolResultMessage): AnswerFields {
  return part?.type === "text" ? JSON.parse(part.text) : {};
}

const changed = (number: number, text: string, ...before: string[]) => [
  ...before,
  ...thirty.with(number - 1, text),
  "",
];

test("several edits of one message refer to the file before it, also after a search", async (t) => {
  const played = await Played.open(t);
  await played.turn([says(find("line 1")), says(edit("insert", 1, "A\nB"), edit("replace", 10, "TEN"))]);
  assert.deepEqual(played.lines, changed(10, "TEN", "A", "B"));
});

test("a line that a search showed is followed when the person types above it", async (t) => {
  const played = await Played.open(t);
  const typed = () => {
    played.person(0, "typed");
    return says(edit("replace", 10, "TEN"));
  };
  await played.turn([says(find("line 10")), typed]);
  assert.deepEqual(played.lines, changed(10, "TEN", "typed"));
});

test("a later turn of the session edits the line that an earlier one was shown, also after a restart", async (t) => {
  const played = await Played.open(t);
  await played.turn([says(read)]);
  played.person(0, "typed");
  await played.turn([says(edit("replace", 10, "TEN"))]);
  assert.deepEqual(played.lines, changed(10, "TEN", "typed"));
  await played.restart();
  played.person(0, "typed again");
  // It was told that what it wrote is line 11 now.
  await played.turn([says(edit("replace", 11, "ten"), edit("replace", 1, "typed, too"))]);
  assert.deepEqual(
    played.answers.slice(-2).map(({ ok, error, moved_to_line }) => [ok ?? error, moved_to_line]),
    [
      [true, 12],
      ["partly_read", undefined],
    ],
  );
  assert.deepEqual(played.lines, changed(10, "ten", "typed again", "typed"));
});

test("a file that another program changed since it was shown is not edited by the old numbers", async (t) => {
  const played = await Played.open(t);
  await played.turn([says(read)]);
  await played.restart();
  writeFileSync(played.place.path(file_path), `new\n${thirty.join("\n")}\n`);
  await played.turn([says(edit("replace", 10, "TEN")), says(edit("replace", 11, "TEN"))]);
  const [refusal, landed] = played.answers.slice(-2);
  assert.equal(refusal?.error, "partly_read");
  assert.match(String(refusal?.details?.around), /^10\|line 9\n11\|line 10$/m);
  assert.equal(landed?.ok, true);
  assert.deepEqual(played.lines, changed(10, "TEN", "new"));
});

test("the lines of a context row are known by their numbers", async (t) => {
  const played = await Played.open(t);
  const context_rows = [{ id: "r", kind: "selection", file_path, start_line: 9, end_line: 11 }];
  const edits = [edit("insert", 1, "A\nB"), edit("replace", 10, "TEN"), edit("delete", 20)];
  await played.turn([says(...edits)], { context_rows });
  assert.deepEqual(played.lines, changed(10, "TEN", "A", "B"));
  assert.deepEqual(
    played.answers.map(({ ok, error }) => ok ?? error),
    [true, true, "partly_read"],
  );
});

test("lines that nobody showed are refused with what they are, and the same edit lands with their hash", async (t) => {
  const played = await Played.open(t);
  const blind = edit("delete", 10);
  await played.turn([
    says(blind),
    () => says(edit("delete", 10, undefined, { expected_hash: played.answers[0]?.details?.current_hash })),
  ]);
  const [refusal, landed] = played.answers;
  assert.deepEqual([refusal?.error, refusal?.details?.current], ["partly_read", "line 10"]);
  assert.equal(landed?.ok, true);
  assert.deepEqual(played.lines, [...thirty.toSpliced(9, 1), ""]);
});

test("a read beside the edit in one message does not make up for having looked before", async (t) => {
  const played = await Played.open(t);
  await played.turn([says(read, edit("replace", 10, "TEN")), says(edit("replace", 10, "TEN"))]);
  assert.deepEqual(
    played.answers.map(({ ok, error }) => ok ?? error),
    [undefined, "partly_read", true],
  );
  assert.deepEqual(played.lines, changed(10, "TEN"));
});

test("most of a file goes only with its hash, and the refusal says so", async (t) => {
  const played = await Played.open(t);
  const hundred = Array.from({ length: 100 }, (_, index) => `line ${index + 1}`);
  writeFileSync(played.place.path(file_path), `${hundred.join("\n")}\n`);
  await played.turn([
    says(read),
    says(edit("delete", 30, undefined, { end_line: 100 })),
    () => {
      const { details } = played.answers.at(-1) ?? {};
      const confirmed = { end_line: 100, expected_hash: details?.current_hash };
      return says(edit("delete", 30, undefined, confirmed));
    },
  ]);
  const [, refusal, landed] = played.answers;
  assert.equal(refusal?.error, "large_deletion");
  assert.match(String(refusal?.suggestion), /expected_hash set to details\.current_hash/);
  assert.equal(landed?.ok, true);
  assert.deepEqual(played.lines, [...hundred.slice(0, 29), ""]);
});

test("a file longer than one answer is read in parts, each of them whole JSON, also inside a long line", async (t) => {
  const played = await Played.open(t);
  const long = "x".repeat(90_000);
  const many = Array.from({ length: 700 }, (_, index) => `"quoted" ${index} ${"y".repeat(80)}`);
  writeFileSync(played.place.path(file_path), `${[...many, long].join("\n")}\n`);
  const got: string[] = [];
  const next = () => {
    const last = played.answers.at(-1) ?? {};
    got.push(String(last.content));
    if (last.has_more !== true) return done;
    played.replies.unshift(next);
    const { next_start_line: start_line, next_start_column: start_column } = last;
    return says({ name: "read_file", arguments: { file_path, start_line, start_column } });
  };
  await played.turn([says(read), next]);
  assert.ok(got.length > 3);
  assert.equal(got.join("").replaceAll("\n", ""), [...many, long].join(""));
  const hash = played.answers.at(-1)?.hash;
  await played.turn([
    says(edit("replace", 701, "short")),
    says(edit("replace", 701, "short", { expected_hash: hash })),
  ]);
  assert.deepEqual(
    played.answers.slice(-2).map(({ ok, error }) => ok ?? error),
    ["partly_read", true],
  );
  assert.equal(played.lines.at(-2), "short");
});

test("a file that was read is searched like any other: in short places, and not at all where it is hidden", async (t) => {
  const played = await Played.open(t);
  const needles = Array.from({ length: 300 }, () => "needle").join("\n");
  writeFileSync(played.place.path(file_path), `${needles}\n`);
  writeFileSync(played.place.path(".hidden"), "needle\n");
  await played.turn([
    says(read, { name: "read_file", arguments: { file_path: ".hidden" } }),
    says(find("needle")),
    says(edit("replace", 1, "needle, changed"), find("needle")),
    says(find("needle")),
  ]);
  for (const { results } of played.answers.filter((answer) => "results" in answer)) {
    assert.ok(Array.isArray(results));
    for (const place of results) {
      assert.equal(place.file_path, file_path);
      assert.ok(place.end_line - place.start_line < 20, JSON.stringify(place).slice(0, 200));
    }
  }
  assert.equal(readFileSync(played.place.path(".hidden"), "utf8"), "needle\n");
});
