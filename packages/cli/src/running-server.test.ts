// Commands beside a server of the same folder: they are carried out there, over the socket in the data folder.

import assert from "node:assert/strict";
import { mkdirSync, realpathSync, statSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { dirname } from "node:path";
import { type TestContext, test } from "node:test";
import { startScriptedModel } from "@stet/testkit/scripted-model";
import { serve } from "@stet/testkit/served";
import { StetProject } from "@stet/testkit/stet-project";
import { socketPath } from "@stet/workspace/files/server-socket";

function socketOf({ folder, environment }: StetProject): string {
  const path = socketPath(realpathSync(folder), environment.STET_DATA_DIR ?? "");
  assert.ok(path !== undefined);
  return path;
}

const edit = {
  file_path: "n.txt",
  operation: "insert",
  start_line: 1,
  new_text: "zero",
  rationale: "It begins at zero.",
};

test("a command beside a server is carried out by it, and by itself where the server was killed", async (t) => {
  const model = await startScriptedModel([
    { toolCalls: [{ name: "edit_file", arguments: edit }] },
    { text: "Done." },
  ]);
  const project = new StetProject(t, { "n.txt": "one\n" });
  const { HOME: home = "", STET_DATA_DIR: dataFolder = "" } = project.environment;
  const options = { root: project.folder, dataFolder, modelUrl: model.url, environment: { HOME: home } };
  const first = await serve(options);
  t.after(async () => {
    await first.kill();
    await model.close();
  });
  if (process.platform !== "win32") {
    const modes = [socketOf(project), dirname(socketOf(project))].map((path) => statSync(path).mode & 0o777);
    assert.deepEqual(modes, [0o600, 0o700]);
  }
  const session = await first.client.call("createSession", { body: {} });
  assert.ok("session_id" in session);
  const body = { session_id: session.session_id, instruction: "Begin at zero.", toolset: "project" } as const;
  const job = await first.client.call("run", { body });
  assert.ok("job_id" in job);
  const params = { job_id: job.job_id };
  for (;;) {
    const view = await first.client.call("getJob", { params });
    if ("status" in view && view.status === "awaiting_review") break;
    await new Promise((done) => setTimeout(done, 20));
  }
  // Only the server knows the job, and with it why a hunk was proposed.
  const rationales = async (as: "call" | "process") => {
    const { out, note, code } = await project.stet(["review", "--json"], { as });
    assert.equal(code, 0, note);
    return JSON.parse(out)[0].hunks[0].rationales;
  };
  assert.deepEqual(await rationales("process"), ["It begins at zero."]);
  await first.kill();
  assert.deepEqual(await rationales("call"), []);
  const second = await serve({ ...options, as: "call" });
  t.after(() => second.stop());
  assert.deepEqual(await rationales("call"), ["It begins at zero."]);
  const accepted = await project.stet(["review", "accept", "--all"]);
  assert.deepEqual([accepted.code, accepted.out], [0, "Accepted 1 hunk; saved n.txt.\n"], accepted.note);
  assert.equal(project.read("n.txt"), "zero\none\n");
  const view = await second.client.call("getJob", { params });
  assert.equal("status" in view && view.status, "completed");
  await second.stop();
  const listed = await project.stet(["checkpoints"]);
  assert.match(listed.out, /n\.txt {2}h_1_1/, listed.note);
});

/** Something that answers where the folder's server would. */
async function answers(t: TestContext, project: StetProject, answer: RequestListener): Promise<void> {
  const path = socketOf(project);
  if (process.platform !== "win32") mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(path, resolve));
  t.after(() => server.close());
}

const health = { status: "ok", uptime_seconds: 1, event_loop_delay_ms: 0, memory_mb: 1 };

test("a server of another version is refused in a sentence, and nothing is done", async (t) => {
  const project = new StetProject(t, { "n.txt": "one\n" });
  await answers(t, project, (_, reply) => reply.end(JSON.stringify({ ...health, version: "9.8.7" })));
  const ended = await project.stet(["tabs", "open", "n.txt"]);
  assert.equal(ended.code, 4);
  assert.match(ended.note, /is served by Stet 9\.8\.7, and this is Stet \d.*Nothing was done\./);
});

test("a server that ends before it has answered, or in the middle of its answer, is told, and the exit code says so", async (t) => {
  const { version } = await import("@stet/host/version");
  for (const end of ["at once", "in the middle"]) {
    const project = new StetProject(t, { "n.txt": "one\n" });
    await answers(t, project, ({ url, socket }, reply) => {
      if (url === "/api/health") reply.end(JSON.stringify({ ...health, version: version() }));
      else if (end === "at once") socket.destroy();
      else {
        reply.writeHead(200, { "content-length": "100" });
        reply.write("{", () => socket.destroy());
      }
    });
    const ended = await project.stet(["review"]);
    assert.equal(ended.code, 1, end);
    assert.match(ended.note, /The server for .* ended before it had answered\./);
  }
});
