import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModelRequest } from "@stet/protocol/model-stream";
import { toolAnswer } from "@stet/testkit/tool-answer";
import type { Assignment } from "./delegation.ts";
import { isJtdProblem, jtdSchema } from "./jtd.ts";
import { reportFinding } from "./report-finding.ts";
import { yieldReminder, yieldTool } from "./yield.ts";

function assigned(source?: unknown): Assignment {
  const schema = source === undefined ? undefined : jtdSchema(source);
  assert.ok(schema === undefined || !isJtdProblem(schema));
  const form = schema === undefined ? undefined : { schema, source };
  return { schema: form, findings: [], yielded: undefined, reminders: 0 };
}

test("a result ends the turn, and a second one changes nothing", async () => {
  const assignment = assigned();
  const tool = yieldTool(assignment);
  const first = await toolAnswer(tool, { result: "in src/routes.ts" });
  assert.deepEqual([first.text, first.endsTurn, first.isError], ["Received.", true, false]);
  const second = await toolAnswer(tool, { result: "no, elsewhere" });
  assert.equal(second.error, "not_allowed");
  assert.match(second.text, /You have given back your result already\./);
  assert.deepEqual(assignment.yielded, { result: "in src/routes.ts" });
});

test("an error is given back instead of a result", async () => {
  const assignment = assigned({ properties: { files: { elements: { type: "string" } } } });
  const answer = await toolAnswer(yieldTool(assignment), { error: "There is no such file." });
  assert.deepEqual([answer.endsTurn, assignment.yielded], [true, { error: "There is no such file." }]);
});

for (const input of [{}, { result: "x", error: "y" }, { result: null, error: null }]) {
  test(`${JSON.stringify(input)} is neither a result nor an error, and can be written again`, async () => {
    const assignment = assigned();
    const answer = await toolAnswer(yieldTool(assignment), input);
    assert.equal(answer.error, "invalid_arguments");
    assert.match(answer.text, /Give either a result or an error\./);
    assert.deepEqual([answer.endsTurn, assignment.yielded], [false, undefined]);
  });
}

test("a result in another form than was asked for is refused with what does not fit", async () => {
  const assignment = assigned({
    properties: { verdict: { enum: ["good", "bad"] } },
    optionalProperties: { line: { type: "uint32" } },
  });
  const tool = yieldTool(assignment);
  for (const result of [
    "good",
    { verdict: "fine" },
    { verdict: "good", line: -1 },
    { verdict: "good", more: 1 },
  ]) {
    const answer = await toolAnswer(tool, { result });
    assert.equal(answer.error, "invalid_arguments", JSON.stringify(result));
    assert.match(answer.text, /result/);
  }
  assert.equal(assignment.yielded, undefined);
  await toolAnswer(tool, { result: { verdict: "bad", line: 7 } });
  assert.deepEqual(assignment.yielded, { result: { verdict: "bad", line: 7 } });
});

test("where null is a result, it is one", async () => {
  const assignment = assigned({ type: "string", nullable: true });
  const answer = await toolAnswer(yieldTool(assignment), { result: null });
  assert.deepEqual([answer.text, assignment.yielded], ["Received.", { result: null }]);
});

const request: ModelRequest = { system: "", messages: [], tools: [] };

test("an agent that yields nothing is reminded three times; after the last it can call nothing else", async () => {
  const assignment = assigned();
  const hook = yieldReminder(assignment);
  assert.equal(hook.mayRepeat, true);
  const texts = [];
  for (let round = 0; round < 3; round += 1) {
    assert.equal(await hook.beforeRequest?.(request), undefined);
    texts.push(hook.atEnd?.());
  }
  assert.deepEqual(
    texts.map((text) => /^\[Reminder (\d) of 3: .*Call yield/.exec(text ?? "")?.[1]),
    ["1", "2", "3"],
  );
  assert.deepEqual(
    texts.map((text) => text?.includes("This is the last reminder.")),
    [false, false, true],
  );
  assert.deepEqual(await hook.beforeRequest?.(request), { ...request, toolChoice: { tool: "yield" } });
  assert.equal(hook.atEnd?.(), undefined, "then it has ended without");
});

test("an agent that has yielded is neither reminded nor forced", async () => {
  const assignment = assigned();
  const hook = yieldReminder(assignment);
  for (let round = 0; round < 3; round += 1) hook.atEnd?.();
  await toolAnswer(yieldTool(assignment), { result: "at last" });
  assert.deepEqual([hook.atEnd?.(), await hook.beforeRequest?.(request)], [undefined, undefined]);
});

test("findings are noted in their order, whole or not at all", async () => {
  const assignment = assigned();
  const tool = reportFinding(assignment);
  const finding = {
    title: "The lock is never released",
    body: "Where open() throws, nobody calls release().",
    priority: "P1",
    confidence: 0.8,
    file_path: "src/lock.ts",
    line_start: 10,
    line_end: 14,
  };
  assert.equal((await toolAnswer(tool, finding)).text, "Finding 1 is noted.");
  const second = await toolAnswer(tool, { ...finding, priority: "P3" });
  assert.deepEqual([second.text, second.details.priority], ["Finding 2 is noted.", "P3"]);
  const wrong = [{ priority: "P4" }, { confidence: 2 }, { line_start: 0 }, { title: "" }, { line_end: 9 }];
  for (const part of wrong) {
    const answer = await toolAnswer(tool, { ...finding, ...part });
    assert.equal(answer.error, "invalid_arguments", JSON.stringify(part));
  }
  assert.deepEqual(assignment.findings, [finding, { ...finding, priority: "P3" }]);
});
