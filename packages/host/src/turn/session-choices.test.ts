// What was chosen for one job of a session holds for its next jobs, through the API and over a restart.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { startScriptedModel } from "@stet/testkit/scripted-model";
import { TestService } from "@stet/testkit/test-service";
import { TestWorkspace } from "@stet/testkit/workspace";

async function openFixture(t: TestContext) {
  const model = await startScriptedModel(() => ({ text: "Hello." }), { models: ["one", "two"] });
  t.after(() => model.close());
  const place = new TestWorkspace(t, { "a.txt": "one\n" });
  const settings = { model: "near/one", providers: { near: { baseURL: `${model.url}/v1` } } };
  let api = await TestService.configured(t, place, settings);
  return {
    session: () => api.session(),
    /** The model that was asked, and whether it had the tools of toolset code. */
    async ask(session: string, more: Record<string, unknown> = {}) {
      const { job } = await api.until(await api.run(session, "hello", more), "completed", "failed");
      assert.equal(job.status, "completed", JSON.stringify(job.error));
      const request = model.requests.at(-1);
      return [request?.model, request?.toolNames.includes("bash") ? "code" : "project"];
    },
    choices: async (session: string) => (await api.ok("GET", `/api/agent/sessions/${session}`)).choices,
    async restart() {
      await api.service.close();
      api = await TestService.configured(t, place, settings);
    },
  };
}

test("a job without a model and a toolset goes on with those of the session, also after a restart", async (t) => {
  const fixture = await openFixture(t);
  const session = await fixture.session();
  assert.deepEqual(await fixture.choices(session), {}, "nothing was chosen yet");
  assert.deepEqual(await fixture.ask(session), ["one", "project"], "the configuration decides");
  assert.deepEqual(await fixture.choices(session), {});
  assert.deepEqual(await fixture.ask(session, { model: "near/two", toolset: "code" }), ["two", "code"]);
  const chosen = { model: "near/two", toolset: "code" };
  assert.deepEqual(await fixture.choices(session), chosen);
  assert.deepEqual(await fixture.ask(session), ["two", "code"]);
  await fixture.restart();
  assert.deepEqual(await fixture.choices(session), chosen);
  assert.deepEqual(await fixture.ask(session), ["two", "code"]);
});

test("a choice is one session's, and a later choice takes its place", async (t) => {
  const fixture = await openFixture(t);
  const [session, other] = [await fixture.session(), await fixture.session()];
  await fixture.ask(session, { model: "near/two", toolset: "code" });
  assert.deepEqual(await fixture.ask(other), ["one", "project"]);
  assert.deepEqual(await fixture.ask(session, { model: "near/one" }), ["one", "code"]);
  assert.deepEqual(await fixture.choices(session), { model: "near/one", toolset: "code" });
  assert.deepEqual(await fixture.ask(session, { toolset: "project" }), ["one", "project"]);
  assert.deepEqual(await fixture.choices(session), { model: "near/one", toolset: "project" });
  assert.deepEqual(await fixture.choices(other), {});
});
