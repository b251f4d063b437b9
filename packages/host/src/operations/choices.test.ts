import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { modelOf } from "@stet/testkit/model-of";
import { pngPicture } from "@stet/testkit/picture";
import { TestService } from "@stet/testkit/test-service";
import { TestWorkspace } from "@stet/testkit/workspace";

async function serve(t: TestContext) {
  const model = modelOf(() => ({ text: "Yes." }));
  const workspace = new TestWorkspace(t, { "a.md": "one\n" });
  const api = await TestService.open(t, workspace, model);
  const session = await api.session();
  const choices = async (service = api) =>
    (await service.ok("GET", `/api/agent/sessions/${session}`)).choices;
  return { api, model, workspace, session, at: `/api/agent/sessions/${session}`, choices };
}

test("what is chosen before the first word holds for the first turn, and in every window", async (t) => {
  const { api, model, session, at, choices } = await serve(t);
  await api.ok("PUT", `${at}/choices`, { thinking: "high", permission: "plan", toolset: "code" });
  await api.ok("PUT", `${at}/choices`, { thinking: "low" });
  assert.deepEqual(await choices(), { thinking: "low", permission: "plan", toolset: "code" });
  const job = await api.run(session, "Hello.");
  assert.equal((await api.until(job, "completed")).job.toolset, "code");
  assert.equal(model.requests[0]?.thinking, "low");
  assert.deepEqual(await choices(), { thinking: "low", permission: "plan", toolset: "code" });
  await api.ok("PUT", `${at}/choices`, { permission: "auto-edit" });
  assert.equal((await choices()).permission, "auto-edit");
  const { events } = await api.ok("GET", "/api/workspace/events");
  const told = events.filter(({ type }: { type: string }) => type === "session.changed");
  assert.ok(told.length >= 3, "each window reads it again");
});

test("a choice made before the first word outlives the server", async (t) => {
  const { api, model, workspace, at, choices } = await serve(t);
  await api.ok("PUT", `${at}/choices`, { permission: "plan" });
  await api.service.close();
  assert.deepEqual(await choices(await TestService.open(t, workspace, model)), { permission: "plan" });
});

test("a request names its thinking and its permission, and its session goes on with them", async (t) => {
  const { api, model, session, choices } = await serve(t);
  await api.until(
    await api.run(session, "Hello.", { thinking: "high", permission: "plan", toolset: "code" }),
    "completed",
  );
  assert.equal(model.requests[0]?.thinking, "high");
  assert.deepEqual(await choices(), { thinking: "high", permission: "plan", toolset: "code" });
});

test("a model that there is not is refused, and nothing is chosen", async (t) => {
  const { api, at, choices } = await serve(t);
  const error = await api.refusal("PUT", `${at}/choices`, { model: "nobody/none", thinking: "high" });
  assert.equal(error, "invalid_arguments");
  assert.deepEqual(await choices(), {});
});

test("the model sees the pictures of a request; what is no picture is refused before there is a job", async (t) => {
  const { api, model, session } = await serve(t);
  const data = pngPicture(30, 20).toString("base64");
  await api.until(
    await api.run(session, "What is this?", { images: [{ data, mime_type: "image/png" }] }),
    "completed",
  );
  const [message] = model.requests[0]?.messages.filter(({ role }) => role === "user") ?? [];
  const parts = typeof message?.content === "string" ? [] : (message?.content ?? []);
  assert.deepEqual(
    parts.filter(({ type }) => type === "image"),
    [{ type: "image", data, mimeType: "image/png" }],
  );
  const images = [{ data: Buffer.from("no picture").toString("base64"), mime_type: "image/png" }];
  const body = { session_id: session, instruction: "And this?", images };
  assert.equal(await api.refusal("POST", "/api/agent/run", body), "invalid_arguments");
  assert.equal((await api.ok("GET", "/api/agent/jobs")).jobs.length, 1);
});
