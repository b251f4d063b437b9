import assert from "node:assert/strict";
import { test } from "node:test";
import { callOutcome as schema } from "@stet/protocol/api/sessions";
import { callOutcome } from "./call-outcome.ts";

test("a call tells people the list of tasks, the diff or the command's end, and a failed one why", () => {
  const phases = [{ name: "All", tasks: [{ content: "write", status: "in_progress" }] }];
  assert.deepEqual(callOutcome({ details: { phases }, content: "", isError: false }), { todo: phases });
  // A list that was not changed is told with the refusal, but it is not what the call came to.
  const refused = callOutcome({ details: { message: "No such task.", phases }, content: "", isError: true });
  assert.deepEqual(refused, { reason: "No such task." });
  const heading = callOutcome({ details: {}, content: "## 0-Look failed\nIt gave up.", isError: true });
  assert.deepEqual(heading, { reason: "0-Look failed" });
  const files = { perFileResults: [{ diff: "+a\n" }, { diff: "+b\n" }, {}] };
  assert.deepEqual(callOutcome({ details: files, content: "", isError: false }), { diff: "+a\n+b\n" });
  const lines = Array.from({ length: 12 }, (_, at) => String(at)).join("\n");
  const { command } = callOutcome({ details: { exitCode: 1 }, content: lines, isError: true });
  assert.deepEqual([command?.exit_code, command?.hidden_lines, command?.output.slice(0, 3)], [1, 2, "2\n3"]);
});

test("whatever details hold, what is told fits the schema", () => {
  for (const details of [
    undefined,
    null,
    "text",
    { phases: "none" },
    { phases: [null, { tasks: [null, { content: 1, status: "odd" }] }] },
    {
      phases: [{ name: "many", tasks: Array.from({ length: 5000 }, () => ({ content: "x".repeat(9999) })) }],
    },
    { exitCode: "odd", perFileResults: [null, 3] },
  ])
    assert.ok(schema.safeParse(callOutcome({ details, content: "", isError: false })).success);
});
