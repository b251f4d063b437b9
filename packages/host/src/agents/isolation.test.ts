// Agents with a folder of their own: their commands may write there, and what came of it lands in the one review.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import {
  type AgentsFixture,
  type AgentsFixtureOptions,
  delegates,
  edits,
  gate,
  newestResult,
  openAgentsFixture,
  reads,
  runs,
  type Script,
  yields,
} from "@stet/testkit/agents-fixture";
import { noSandbox } from "@stet/testkit/commands-fixture";
import { TestService } from "@stet/testkit/test-service";
import { differences, snapshotTree } from "@stet/testkit/tree-snapshot";

const files = { "src/a.txt": "one\ntwo\nthree\n", "b.txt": "b\n" };

/** What writes in the folder may run without a question, in the sandbox. */
const inSandbox = { "permission.mode": "auto-edit" };

function git(folder: string, ...words: string[]): string {
  const who = ["-c", "user.name=T", "-c", "user.email=t@example.com"];
  return execFileSync("git", [...who, ...words], { cwd: folder, encoding: "utf8" });
}

async function inRepository(t: TestContext, options: AgentsFixtureOptions): Promise<AgentsFixture> {
  const fixture = await openAgentsFixture(t, {
    files,
    ...options,
    settings: { ...inSandbox, ...options.settings },
  });
  const { root } = fixture.place;
  git(root, "init", "-q");
  git(root, "add", "-A");
  git(root, "commit", "-qm", "first");
  writeFileSync(fixture.place.path("b.txt"), "b, uncommitted\n");
  writeFileSync(fixture.place.path("new.txt"), "untracked\n");
  return fixture;
}

const isolated = delegates("task", [{ id: "One", assignment: "work" }], { isolated: true });

const told = ({ model }: AgentsFixture) => model.requests.map(newestResult).join("\n");

/** What is left of agents' folders. */
function foldersIn({ place }: AgentsFixture): string[] {
  const agents = join(place.dataFolder, "agents");
  return existsSync(agents) ? readdirSync(agents) : [];
}

test("in a repository it is a worktree outside of it, with everything as it is, and what was done there is in the review", {
  skip: noSandbox(),
}, async (t) => {
  const seen: string[] = [];
  const step = (command: string) => (request: Parameters<typeof newestResult>[0]) => {
    seen.push(newestResult(request));
    return runs(command);
  };
  const fixture = await inRepository(t, {
    script: {
      "@task go": isolated,
      work: [
        runs("pwd && cat b.txt new.txt && git status --short"),
        step("sed -i s/two/TWO/ src/a.txt && echo made > made.txt && rm new.txt"),
        step("cat src/a.txt"),
        edits("src/a.txt", "three", "THREE"),
        yields("done"),
      ],
    },
  });
  const before = snapshotTree(fixture.place.root);
  const { api } = fixture;
  await api.until(await fixture.ask("@task go"), "completed", "awaiting_review");
  assert.match(seen[0] ?? "", /\/agents\/\d+-.*b, uncommitted\nuntracked\n.*M b\.txt\n\?\? new\.txt/s);
  assert.ok(!(seen[0] ?? "").includes(fixture.place.root), "it is outside of the root");
  const [agent] = await fixture.agents();
  assert.deepEqual([agent?.status, agent?.isolation, agent?.conflicts], ["completed", "worktree", 0]);
  assert.equal(fixture.read("src/a.txt"), "one\nTWO\nTHREE\n");
  assert.equal(fixture.read("made.txt"), "made\n");
  assert.equal(existsSync(fixture.place.path("new.txt")), false);
  const { turns } = await api.ok("GET", "/api/review");
  assert.deepEqual(
    turns.map((turn: { agent: string; turn: string }) => [turn.agent, turn.turn]),
    [["0-One", agent?.turn]],
  );
  const { job } = await api.until(agent?.job_id ?? "", "awaiting_review");
  assert.equal(job.status, "awaiting_review");
  // Nothing of the folder is left, neither on disk nor in git.
  assert.deepEqual(foldersIn(fixture), []);
  assert.equal(git(fixture.place.root, "worktree", "list").trim().split("\n").length, 1);
  await api.ok("POST", "/api/review/decide", { verdict: "reject", everything: true });
  assert.deepEqual(differences(before, snapshotTree(fixture.place.root)), []);
});

/** Tries to write each of its words, and says what it could not. */
const probe = `for path in "$@"; do { echo written > "$path"; } 2>/dev/null || echo "closed $path"; done\n`;

test("commands in a worktree cannot write what leads git to another repository, or makes it run something", {
  skip: noSandbox(),
}, async (t) => {
  type Texts = Record<string, string>;
  let textsNow = (): Texts => ({});
  let kept: Texts = {};
  let after: Texts = {};
  let result = "";
  const inAdmin = ["commondir", "gitdir", "config.worktree"];
  const inCommon = ["config", "hooks/post-checkout", "info/attributes"];
  const fixture = await inRepository(t, {
    files: { ...files, "probe.sh": probe },
    script: {
      "@task go": isolated,
      work: [
        runs("pwd"),
        (request) => {
          const [folder = ""] = /^\/.*$/m.exec(newestResult(request)) ?? [];
          const admin = git(folder, "rev-parse", "--absolute-git-dir").trim();
          const common = join(fixture.place.root, ".git");
          const paths = [
            join(folder, ".git"),
            ...inAdmin.map((name) => join(admin, name)),
            ...inCommon.map((name) => join(common, name)),
          ];
          textsNow = () => Object.fromEntries(paths.map((path) => [path, textAt(path)]));
          kept = textsNow();
          // Behind a script: a command that names them is one that the person is asked about.
          return runs(`sh probe.sh ${[...paths, "open.txt"].map((path) => `'${path}'`).join(" ")}`);
        },
        (request) => {
          result = newestResult(request);
          after = textsNow();
          return yields("done");
        },
      ],
    },
  });
  await fixture.api.until(await fixture.ask("@task go"), "completed", "awaiting_review");
  assert.equal(Object.keys(kept).length, 1 + inAdmin.length + inCommon.length);
  assert.deepEqual(after, kept);
  for (const path of Object.keys(kept)) assert.ok(result.includes(`closed ${path}`), `${path}: ${result}`);
  assert.equal(fixture.read("open.txt"), "written\n", "the probe can write where it may");
});

/** While commands run, an empty file stands where none was: the sandbox closes the path with it. */
function textAt(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

test("without git it is a copy, and its result says so", async (t) => {
  const fixture = await openAgentsFixture(t, {
    files,
    settings: inSandbox,
    script: { "@task go": isolated, work: [runs("echo made > made.txt"), yields("done")] },
  });
  await fixture.api.until(await fixture.ask("@task go"), "completed", "awaiting_review");
  const [agent] = await fixture.agents();
  assert.deepEqual([agent?.status, agent?.isolation], ["completed", "copy"]);
  assert.match(told(fixture), /It worked in a copy: There is no git repository\./);
  assert.equal(fixture.read("made.txt"), "made\n");
  assert.deepEqual(foldersIn(fixture), []);
});

test("what does not fit when it is brought back is a conflict with both sides", async (t) => {
  const held = gate();
  const fixture = await inRepository(t, {
    script: {
      "@task go": isolated,
      work: [runs("sed -i 's/two/TWO/; s/three/THREE/' src/a.txt"), held.before(yields("done"))],
    },
  });
  const job = await fixture.ask("@task go");
  await fixture.until("0-One", ({ tool_calls: calls }) => calls === 1);
  writeFileSync(fixture.place.path("src/a.txt"), "one\nby hand\nthree\n");
  held.open();
  await fixture.api.until(job, "completed", "awaiting_review");
  const { length } = await fixture.agents();
  assert.equal(length, 1);
  assert.match(told(fixture), /is now:\n {2}\| by hand\n( {2}\| three\n)? {2}was to be:\n {2}\| TWO/);
  assert.match(fixture.read("src/a.txt"), /^one\nby hand\n/);
});

test("of one that was stopped nothing lands, and what it had changed is a patch", async (t) => {
  const fixture = await inRepository(t, {
    script: {
      "@task go": isolated,
      work: [runs("sed -i s/two/TWO/ src/a.txt"), gate().before(yields("done"))],
    },
  });
  const { api } = fixture;
  const before = snapshotTree(fixture.place.root);
  const job = await fixture.ask("@task go");
  const { job_id: id } = await fixture.until("0-One", ({ tool_calls: calls }) => calls === 1);
  await waitForCall(fixture, id ?? "");
  await api.ok("POST", `/api/agent/jobs/${id}/cancel`, {});
  await api.until(job, "completed");
  assert.deepEqual(differences(before, snapshotTree(fixture.place.root)), []);
  const patch = api.service.open.get(fixture.session)?.tree.outputs.read("0-One.patch");
  assert.match(String(patch), /-two\n\+TWO/);
  const [agent] = await fixture.agents();
  assert.deepEqual([agent?.status, agent?.documents, agent?.turn], ["aborted", [], null]);
  assert.deepEqual(foldersIn(fixture), []);
});

/** Until the command has run. */
async function waitForCall({ api }: AgentsFixture, job: string): Promise<void> {
  for (;;) {
    const { events } = await api.ok("GET", `/api/agent/jobs/${job}/events?cursor=0`);
    if (events.some(({ type }: { type: string }) => type === "tool.call.completed")) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

test("a read-only agent gets no folder, and task.isolation.mode gives everybody one whose commands may write", async (t) => {
  const script: Script = {
    "@task go": delegates("task", [{ id: "One", assignment: "work" }]),
    work: [runs("echo made > made.txt"), yields("done")],
    "@looker go": delegates("looker", [{ id: "Look", assignment: "look" }], { isolated: true }),
    look: [reads("b.txt"), yields("seen")],
  };
  const fixture = await openAgentsFixture(t, {
    files,
    settings: { ...inSandbox, "task.isolation.mode": "copy" },
    script,
    agents: {
      "looker.md": "---\ndescription: looks\ntools: read\n---\nLook.\n",
    },
  });
  await fixture.api.until(await fixture.ask("@task go"), "completed", "awaiting_review");
  await fixture.api.until(await fixture.ask("@looker go"), "completed", "awaiting_review");
  assert.deepEqual(
    (await fixture.agents()).map(({ isolation, status }) => [isolation, status]),
    [
      ["copy", "completed"],
      ["ledger", "completed"],
    ],
  );
  assert.equal(fixture.read("made.txt"), "made\n");
});

test("what a process that is gone has left is removed at the next start", async (t) => {
  const fixture = await inRepository(t, { script: {} });
  const { place } = fixture;
  await fixture.api.service.close();
  // A number that no process has, and our own, which another one had before us.
  const left = ["4194305-dead", `${process.pid}-earlier`].map((name) =>
    join(place.dataFolder, "agents", name),
  );
  for (const folder of left) {
    mkdirSync(folder, { recursive: true });
    git(place.root, "worktree", "add", "--detach", "--quiet", join(folder, "root"), "HEAD");
  }
  assert.equal(git(place.root, "worktree", "list").trim().split("\n").length, 3);
  await TestService.open(t, place, fixture.model, {}, { environment: { PATH: process.env.PATH } });
  assert.deepEqual(left.map(existsSync), [false, false]);
  assert.equal(git(place.root, "worktree", "list").trim().split("\n").length, 1);
});
