import assert from "node:assert/strict";
import { test } from "node:test";
import type { Model, ModelEvent, ModelFailure } from "@stet/protocol/model-stream";
import { modelOf } from "@stet/testkit/model-of";
import { failureEvent } from "./adapter/ended-message.ts";
import { createRouter, type RouteChoice, type RouterOptions } from "./routing.ts";

const request = { system: "", messages: [], tools: [] };

function named(name: string, failure?: ModelFailure): Model {
  return { ...modelOf(() => (failure === undefined ? { text: name } : { failure })), provider: "test", name };
}

/** Says nothing until it is stopped. */
function silent(): Model {
  return {
    ...named("silent"),
    async *stream(_request, signal): AsyncGenerator<ModelEvent, void, undefined> {
      yield { type: "start", provider: "test", model: "silent" };
      await new Promise((resolve) => signal?.addEventListener("abort", resolve));
      yield failureEvent({ provider: "test", model: "silent" }, { kind: "aborted", message: "Stopped." });
    },
  };
}

function router(options: RouterOptions) {
  const choices: RouteChoice[] = [];
  const created = createRouter({ ...options, onChoice: (choice) => choices.push(choice) });
  assert.ok(!("kind" in created));
  return { created, choices };
}

async function ask(model: Model): Promise<string> {
  let answer = "";
  let starts = 0;
  for await (const event of model.stream(request)) {
    if (event.type === "start") starts++;
    if (event.type === "text_end") answer = event.text;
    if (event.type === "error") answer = event.failure.kind;
  }
  assert.equal(starts, 1);
  return answer;
}

const hybrid = { mode: "hybrid_auto", hybridRemoteOnTimeoutMs: 30 } as const;
const remote = named("remote");

test("each mode asks the model that it names, and says why", async () => {
  for (const mode of ["local", "remote"] as const) {
    const { created, choices } = router({ settings: { mode }, local: named("local"), remote });
    assert.equal(await ask(created.model), mode);
    assert.deepEqual(choices, [
      { mode, target: mode, model: `test/${mode}`, trigger: "start", reason: `The mode is ${mode}.` },
    ]);
  }
});

test("a strictly local job never leaves the machine", async () => {
  const overflow = { kind: "context_overflow", message: "Too long." } as const;
  const { created } = router({ settings: { mode: "local" }, local: named("local", overflow), remote });
  assert.equal(created.report("tool_budget_exhausted"), false);
  assert.equal(await ask(created.model), "context_overflow");
});

test("hybrid: a context that is too small, silence, and a server that is not there go on remotely", async () => {
  const overflow = named("local", { kind: "context_overflow", message: "Too long." });
  const absent = named("local", { kind: "network", message: "Nothing is listening." });
  const cases = [
    ["context_overflow", overflow, {}],
    ["timeout", silent(), {}],
    ["local_failed", absent, { hybridMaxLocalAttempts: 1 }],
  ] as const;
  for (const [trigger, local, extra] of cases) {
    const { created, choices } = router({ settings: { ...hybrid, ...extra }, local, remote });
    assert.equal(await ask(created.model), "remote");
    assert.deepEqual(
      choices.map((choice) => choice.trigger),
      ["start", trigger],
    );
    assert.equal(created.model.name, "remote");
    created.startJob();
    assert.equal(created.target, "local");
  }
});

test("hybrid: repeated schema failures switch after as many attempts as configured, and not if switched off", () => {
  const { created } = router({
    settings: { ...hybrid, hybridMaxLocalAttempts: 3 },
    local: named("local"),
    remote,
  });
  assert.deepEqual(
    [1, 2, 3].map(() => created.report("schema_failed")),
    [false, false, true],
  );
  const off = router({
    settings: { ...hybrid, hybridRemoteOnSchemaFail: false },
    local: named("local"),
    remote,
  });
  assert.deepEqual(
    [1, 2, 3].map(() => off.created.report("schema_failed")),
    [false, false, false],
  );
});

test("a mode without its model is refused with a sentence", () => {
  const refused = createRouter({ settings: { mode: "local" }, remote });
  assert.ok("kind" in refused);
  assert.match(refused.message, /no local model is configured/);
});
