import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Message } from "@stet/protocol/message";
import { openCodeFixture } from "@stet/testkit/code-fixture";
import { todo } from "./todo.ts";
import { applyTodo, type TodoOperation, type TodoPhase } from "./todo-list.ts";

const list = [
  { phase: "Look", items: ["read the parser", "find the bug"] },
  { phase: "Mend", items: ["write a test", "mend it"] },
];

function after(...operations: TodoOperation[]): readonly TodoPhase[] {
  const { phases, errors } = applyTodo([], [{ op: "init", list }, ...operations]);
  assert.deepEqual(errors, []);
  return phases;
}

function statuses(phases: readonly TodoPhase[]): string {
  return phases.flatMap(({ tasks }) => tasks.map(({ status }) => status[0])).join("");
}

test("the first task is in progress, and the next one when it is done", () => {
  assert.equal(statuses(after()), "ippp");
  assert.equal(statuses(after({ op: "done", task: "read the parser" })), "cipp");
});

test("to start a task puts the one in progress back", () => {
  assert.equal(statuses(after({ op: "start", task: "mend it" })), "pppi");
});

test("done, drop and rm take a task, a phase or everything", () => {
  assert.equal(statuses(after({ op: "done", phase: "Look" })), "ccip");
  assert.equal(statuses(after({ op: "drop" })), "aaaa");
  assert.equal(statuses(after({ op: "rm", phase: "Look" })), "ip");
  assert.deepEqual(
    after({ op: "rm", phase: "Look" }).map(({ name }) => name),
    ["Look", "Mend"],
  );
});

test("what was completed can be taken up again", () => {
  const phases = after({ op: "done", task: "mend it" }, { op: "start", task: "mend it" });
  assert.equal(statuses(phases), "pppi");
});

test("append makes a phase that is missing", () => {
  const phases = after({ op: "append", phase: "Tell", items: ["write the note"] });
  assert.equal(phases.at(-1)?.name, "Tell");
});

const wrong: readonly [TodoOperation, RegExp][] = [
  [{ op: "init" }, /Missing list for init operation/],
  [
    {
      op: "init",
      list: [
        { phase: "a", items: ["x"] },
        { phase: "a", items: ["y"] },
      ],
    },
    /Duplicate phase "a"/,
  ],
  [{ op: "init", list: [{ phase: "a", items: ["x", "x"] }] }, /Duplicate task "x"/],
  [{ op: "start" }, /Missing task content/],
  [{ op: "start", task: "nothing" }, /Task "nothing" not found/],
  [{ op: "done", phase: "none" }, /Phase "none" not found/],
  [{ op: "drop", phase: "" }, /Missing phase name/],
  [{ op: "append", items: ["x"] }, /Missing phase name for append operation/],
  [{ op: "append", phase: "Look" }, /Missing items for append operation/],
  [{ op: "append", phase: "Mend", items: ["new", "mend it"] }, /Task "mend it" already exists/],
];

for (const [operation, message] of wrong) {
  test(`${JSON.stringify(operation)} is refused, and nothing of the batch remains`, () => {
    const before = after();
    const batch = applyTodo(before, [{ op: "done", task: "mend it" }, operation, { op: "drop" }]);
    assert.match(batch.errors.join(), message);
    assert.equal(batch.phases, before);
  });
}

/** A fixture whose conversation keeps what the tool answered, as a session does. */
async function open(t: TestContext) {
  const messages: Message[] = [];
  const fixture = await openCodeFixture(t, [todo], { messages: () => messages });
  return {
    messages,
    async call(...ops: TodoOperation[]) {
      const answer = await fixture.call("todo", { ops });
      messages.push({
        role: "toolResult",
        toolCallId: "c",
        toolName: "todo",
        content: [{ type: "text", text: answer.text }],
        details: answer.details,
        isError: answer.error !== undefined,
        timestamp: 0,
      });
      return answer;
    },
  };
}

test("the list is what the newest answer in the conversation says, also after a restart", async (t) => {
  const first = await open(t);
  await first.call({ op: "init", list });
  await first.call({ op: "done", task: "read the parser" });
  const second = await open(t);
  second.messages.push(...first.messages);
  const { text } = await second.call({ op: "view" });
  assert.match(text, /^Look\n {2}\[\/\] find the bug/m);
  assert.match(text, /Remaining: 3\. Phase "Look": 0 of 1 done\./);
});

test("a refused batch tells what is wrong and shows the list as it is", async (t) => {
  const fixture = await open(t);
  await fixture.call({ op: "init", list });
  const refused = await fixture.call({ op: "done", task: "read the parser" }, { op: "start", task: "fly" });
  assert.equal(refused.error, "invalid_arguments");
  assert.match(refused.text, /Errors: Task \\"fly\\" not found/);
  const { text } = await fixture.call({ op: "view" });
  assert.match(text, /\[\/\] read the parser/);
});

test("an empty list says so", async (t) => {
  const fixture = await open(t);
  assert.equal((await fixture.call({ op: "view" })).text, "Todo list is empty.");
  await fixture.call({ op: "init", list });
  assert.equal((await fixture.call({ op: "rm" })).text, "Todo list cleared.");
  assert.match((await fixture.call({ op: "start", task: "x" })).text, /the list is empty/);
});

test("what a batch completed is told to whoever draws it", async (t) => {
  const fixture = await open(t);
  await fixture.call({ op: "init", list });
  const { details } = await fixture.call({ op: "done", phase: "Look" });
  assert.deepEqual((details as { completedTasks: unknown }).completedTasks, [
    { phase: "Look", content: "read the parser" },
    { phase: "Look", content: "find the bug" },
  ]);
});
