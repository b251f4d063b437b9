import assert from "node:assert/strict";
import { mock, test } from "node:test";
import type { TodoPhase } from "@stet/protocol/api/sessions";
import { plainTheme } from "./test-theme.ts";
import { TodoView, todoRows } from "./todo-list.ts";

const theme = plainTheme();

const phases: TodoPhase[] = [
  {
    name: "Look",
    tasks: [
      { content: "read", status: "completed" },
      { content: "think", status: "abandoned" },
    ],
  },
  {
    name: "Build",
    tasks: [
      { content: "write it", status: "in_progress" },
      { content: "test it", status: "pending" },
    ],
  },
];

test("a list of tasks shows its phases, what is done and what is worked on", () => {
  assert.deepEqual(todoRows(phases, theme, 40), [
    "Look",
    "  ☑ read",
    "  ⊘ think",
    "Build",
    "  ▶ write it",
    "  ☐ test it",
  ]);
});

test("of a long list eight tasks are shown, around the one that is worked on", () => {
  const tasks = Array.from({ length: 20 }, (_, at) => ({
    content: `task ${at + 1}`,
    status: at < 10 ? ("completed" as const) : at === 10 ? ("in_progress" as const) : ("pending" as const),
  }));
  const rows = todoRows([{ name: "All", tasks }], theme, 40);
  assert.equal(rows.length, 10);
  assert.deepEqual([rows[0], rows[1], rows.at(-1)], ["… 9 tasks before", "☑ task 10", "… 3 more"]);
});

function view(clearDelay: number) {
  let now = 0;
  let renders = 0;
  const shown = new TodoView({
    theme,
    clearDelay: () => clearDelay,
    requestRender: () => {
      renders += 1;
    },
    now: () => now,
  });
  return { shown, pass: (ms: number) => (now += ms), renders: () => renders };
}

test("above the prompt, a task that is closed goes after the delay, and comes back when it is opened again", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const { shown, pass, renders } = view(60);
    shown.show(phases);
    assert.deepEqual(shown.render(40).slice(0, 3), ["Tasks: 2 of 4 done", "Look", "  ☑ read"]);
    pass(60_000);
    mock.timers.tick(60_000);
    assert.equal(renders(), 1);
    assert.deepEqual(shown.render(40), ["Tasks: 2 of 4 done", "▶ write it", "☐ test it"]);
    shown.show([{ name: "Look", tasks: [{ content: "read", status: "pending" }] }]);
    assert.deepEqual(shown.render(40), ["Tasks: 0 of 1 done", "☐ read"]);
    shown.show(undefined);
    assert.deepEqual(shown.render(40), []);
  } finally {
    mock.timers.reset();
  }
});

test("closed tasks stay where the delay is negative, go at once where it is 0, and are gone in a session from before", () => {
  const never = view(-1).shown;
  never.show(phases, false);
  assert.equal(never.render(40).length, 7);
  const once = view(0).shown;
  once.show(phases);
  assert.equal(once.render(40).length, 3);
  const resumed = view(60).shown;
  resumed.show(phases, false);
  assert.equal(resumed.render(40).length, 3);
});
