// Servers and workers as they are run: each worker is a process, which is killed, paused or stopped in the middle.

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { after, type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { jobLog } from "@stet/host/events/logs";
import { Host } from "@stet/host/host";
import { defaultLimits } from "@stet/host/limits";
import type { JobRecord } from "@stet/host/store/store";
import type { LogEvent } from "@stet/protocol/events/log-event";
import { modelOf } from "@stet/testkit/model-of";
import { startPostgres } from "@stet/testkit/postgres";
import type { WorkerChildOptions } from "@stet/testkit/worker-child";
import { baseOf, must, TestWorkspace, textOf } from "@stet/testkit/workspace";

import { rows } from "./connection.ts";
import { openPostgres } from "./open-postgres.ts";
import { postgresHosting } from "./postgres-hosting.ts";
import type { PostgresStore } from "./postgres-store.ts";

/** After which a process that was killed is taken for dead, in milliseconds. */
const short = 1500;
/** Where nobody is killed, nobody is taken for dead, however busy the machine is. */
const patient = 60_000;
/** What a test waits for comes within this time, or it fails and says what came instead. */
const longest = 120_000;
const script = fileURLToPath(import.meta.resolve("@stet/testkit/worker-child"));

class Child {
  readonly process: ChildProcess;
  readonly #said: string[] = [];
  readonly #waiting = new Set<() => void>();
  #hasEnded = false;

  constructor(t: TestContext, options: WorkerChildOptions) {
    const flags = ["--disable-warning=ExperimentalWarning", script, JSON.stringify(options)];
    this.process = spawn(process.execPath, flags, { stdio: ["ignore", "pipe", "inherit"] });
    const lines = createInterface({ input: this.process.stdout ?? process.stdin });
    lines.on("line", (line) => {
      this.#said.push(line);
      for (const look of this.#waiting) look();
    });
    // Its last lines may come after it has ended.
    lines.on("close", () => {
      this.#hasEnded = true;
      for (const look of this.#waiting) look();
    });
    t.after(() => this.process.kill("SIGKILL"));
  }

  /** When it has said so. */
  heard(line: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = () => {
        if (this.#said.includes(line)) resolve();
        else if (this.#hasEnded) reject(new Error(`it ended without “${line}”: ${this.#said.join(", ")}`));
        else return;
        this.#waiting.delete(look);
      };
      this.#waiting.add(look);
      look();
    });
  }
}

const server = await startPostgres();
if (typeof server === "string") test("PostgreSQL", { skip: server }, () => {});
else {
  after(() => server.stop());
  const url = await server.database();

  class Site {
    readonly files: TestWorkspace;
    readonly service: Host;
    readonly store: PostgresStore;
    readonly #t: TestContext;
    readonly #lifetime: number;

    private constructor(
      t: TestContext,
      { files, service, store, lifetime }: Pick<Site, "files" | "service" | "store"> & { lifetime: number },
    ) {
      this.#t = t;
      this.#lifetime = lifetime;
      this.files = files;
      this.service = service;
      this.store = store;
    }

    static async open(t: TestContext, lifetime = patient, given?: TestWorkspace): Promise<Site> {
      const files = given ?? new TestWorkspace(t, { "a.txt": "start" });
      const store = must(await openPostgres(url, files.root, { lifetime }));
      const service = must(
        await Host.open(files.root, {
          environment: { XDG_CONFIG_HOME: files.folder, STET_DATA_DIR: files.dataFolder },
          dataFolder: files.dataFolder,
          limits: defaultLimits,
          hosting: postgresHosting(store),
          model: async () => ({ model: modelOf([]) }),
        }),
      );
      t.after(() => service.close());
      return new Site(t, { files, service, store, lifetime });
    }

    async worker(options: Partial<WorkerChildOptions> = {}): Promise<Child> {
      const { root, dataFolder } = this.files;
      const usual = { lifetime: this.#lifetime, delayMs: 20, retries: 5, concurrency: 2 };
      const child = new Child(this.#t, { url, root, dataFolder, ...usual, ...options });
      await child.heard("ready");
      return child;
    }

    async start(instruction: string): Promise<JobRecord> {
      const session = must(await this.service.sessions.create());
      const request = { instruction, toolset: "project", model: "", maxToolCalls: null, tab: null } as const;
      return must(await this.service.startJob(session, request));
    }

    /** The events of a job, until one of this type, as a reader of this process hears them. */
    async until(job: string, type: string): Promise<LogEvent[]> {
      const held = await this.service.logs.hold(jobLog(job));
      const received: LogEvent[] = [];
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const fail = (why: string) => {
        const last = received.slice(-5).map((event) => JSON.stringify(event).slice(0, 300));
        reject(new Error(`${type} did not come: ${why}\n${last.join("\n")}`));
      };
      const timer = setTimeout(() => fail("it took too long"), longest);
      const stop = await held.log.follow(0, (events) => {
        received.push(...events);
        if (received.some((event) => event.type === type)) resolve();
        else if (received.some((event) => event.type === "job.failed")) fail("the job failed");
      });
      try {
        await promise;
      } finally {
        clearTimeout(timer);
        stop();
        held.release();
      }
      return received;
    }

    async text(name = "a.txt"): Promise<string> {
      must([await this.store.sharing?.refresh()]);
      const { documents } = this.service.workspace;
      const row = documents.rowAt(name);
      return row === undefined ? "" : textOf(this.service.workspace, row.id);
    }

    async ends(job: string): Promise<string[]> {
      const events = await this.store.events(jobLog(job), 0, 10_000);
      return events
        .map(({ type }) => type)
        .filter((type) => /^(job\.(completed|failed)|diff\.generated)$/.test(type));
    }
  }

  test("a job that one process was asked for is done by another, and a reader hears its words as they come", async (t) => {
    const site = await Site.open(t);
    await site.worker({ delayMs: 200 });
    const job = await site.start("append hello to a.txt");
    const events = await site.until(job.id, "diff.generated");
    const cursors = events.map(({ cursor }) => cursor);
    assert.deepEqual(
      cursors,
      [...cursors].sort((one, other) => one - other),
    );
    assert.equal(new Set(cursors).size, cursors.length);
    const types = events.map(({ type }) => type);
    for (const type of [
      "job.started",
      "tool.call.completed",
      "message.delta",
      "message.completed",
    ] as const) {
      assert.ok(types.includes(type), `${type} in ${types.join(" ")}`);
    }
    assert.equal((await site.store.job(job.id))?.status, "awaiting_review");
    assert.equal(await site.text(), "hello\nstart");
    assert.deepEqual(await site.ends(job.id), ["diff.generated"]);
  });

  test("a worker that is killed in the middle loses its job to another, and its work happens once", async (t) => {
    const site = await Site.open(t, short);
    const doomed = await site.worker({ delayMs: 60_000 });
    const job = await site.start("append once to a.txt");
    await doomed.heard(`begun ${job.id}`);
    await site.worker();
    doomed.process.kill("SIGKILL");
    await site.until(job.id, "diff.generated");
    assert.equal(await site.text(), "once\nstart");
    assert.deepEqual(await site.ends(job.id), ["diff.generated"]);
  });

  test("a job whose workers are killed more often than it may begin anew has failed, and says so", async (t) => {
    const site = await Site.open(t, short);
    const job = await site.start("append never to a.txt");
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const doomed = await site.worker({ delayMs: 60_000, retries: 1 });
      await doomed.heard(`begun ${job.id}`);
      doomed.process.kill("SIGKILL");
    }
    await site.worker({ retries: 1 });
    await site.until(job.id, "job.failed");
    const ended = await site.store.job(job.id);
    assert.equal(ended?.status, "failed");
    assert.equal(ended?.error?.error, "aborted");
    assert.equal(await site.text(), "");
    assert.deepEqual(await site.ends(job.id), ["job.failed"]);
  });

  test("a worker that wakes up after others took over can write nothing", async (t) => {
    const site = await Site.open(t, short);
    const paused = await site.worker({ delayMs: 15_000 });
    const job = await site.start("append woken to a.txt");
    await paused.heard(`begun ${job.id}`);
    // Until then it holds nothing that others could take over.
    await site.until(job.id, "job.started");
    paused.process.kill("SIGSTOP");
    await site.worker();
    await site.until(job.id, "diff.generated");
    const fence = async () =>
      (
        await rows<{ fence: string }>(
          site.store.pool,
          "SELECT fence FROM stet.workspaces WHERE id = $1",
          site.store.workspace,
        )
      )[0]?.fence;
    const before = await fence();
    const events = await site.store.events(jobLog(job.id), 0, 10_000);
    paused.process.kill("SIGCONT");
    await paused.heard(`lost ${job.id}`);
    assert.equal(await site.text(), "woken\nstart");
    assert.deepEqual(await site.store.events(jobLog(job.id), 0, 10_000), events);
    const [{ count } = { count: "0" }] = await rows<{ count: string }>(
      site.store.pool,
      `SELECT count(*) FROM stet.ledger_changes WHERE workspace = $1 AND fence < $2 AND seq > (
         SELECT coalesce(min(seq), 0) FROM stet.ledger_changes WHERE workspace = $1 AND fence >= $2)`,
      site.store.workspace,
      before ?? "0",
    );
    assert.equal(count, "0", "nothing under an old fence after a newer one");
    // It has come to its senses, and works on as ever.
    const next = await site.start("append again to a.txt");
    await site.until(next.id, "diff.generated");
    assert.equal(await site.text(), "again\nwoken\nstart");
  });

  test("a question is answered through another process, also when the one that asked has gone", async (t) => {
    const site = await Site.open(t, short);
    const asker = await site.worker();
    const [first, second] = [await site.start("ask really?"), await site.start("ask sure?")];
    for (const job of [first, second]) await site.until(job.id, "clarification.requested");
    const answer = async ({ id }: JobRecord, text: string) => {
      const question = (await site.store.job(id))?.question?.id ?? "";
      must(await site.service.runner.answer(id, question, text));
      await site.until(id, "diff.generated");
    };
    await answer(first, "yes");
    assert.equal((await site.text("answers")).trim(), "yes");
    asker.process.kill("SIGKILL");
    await site.worker();
    await answer(second, "no");
    assert.equal((await site.text("answers")).trim(), "no\nyes");
  });

  test("a job is cancelled wherever it is", async (t) => {
    const site = await Site.open(t);
    const queued = await site.start("append nothing to a.txt");
    assert.equal(must(await site.service.runner.cancel(queued.id)).status, "failed");
    const worker = await site.worker({ delayMs: 60_000 });
    const running = await site.start("append nothing to a.txt");
    await worker.heard(`begun ${running.id}`);
    await site.until(running.id, "job.started");
    assert.equal(must(await site.service.runner.cancel(running.id)).status, "failed");
    for (const { id } of [queued, running]) assert.deepEqual(await site.ends(id), ["job.failed"]);
  });

  /** The job of the agent that a job has sent, once it is at work. */
  async function sentBy(site: Site, job: string): Promise<JobRecord> {
    for (;;) {
      const running = await site.store.jobs({ status: "running", limit: 100 });
      const sent = running.find(({ id, agent }) => agent !== undefined && id !== job);
      if (sent !== undefined) return sent;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  test("an agent that was sent is stopped through another process, and whoever sent it goes on", async (t) => {
    const site = await Site.open(t);
    await site.worker();
    const job = await site.start("send @task");
    const sent = await sentBy(site, job.id);
    assert.equal(must(await site.service.runner.cancel(sent.id)).status, "failed");
    assert.deepEqual(await site.ends(sent.id), ["job.failed"]);
    await site.until(job.id, "job.completed");
  });

  test("an agent whose worker is killed has failed: nobody takes up what only its sender can use", async (t) => {
    const site = await Site.open(t, short);
    const doomed = await site.worker({ retries: 0 });
    const job = await site.start("send @task and think");
    const sent = await sentBy(site, job.id);
    doomed.process.kill("SIGKILL");
    await site.worker({ retries: 0 });
    for (const { id } of [job, sent]) {
      await site.until(id, "job.failed");
      assert.deepEqual(await site.ends(id), ["job.failed"]);
    }
    const ended = await site.store.job(sent.id);
    assert.deepEqual([ended?.status, ended?.error?.error], ["failed", "aborted"]);
  });

  test("a worker that is asked to end gives its job back, without counting it as lost", async (t) => {
    const site = await Site.open(t);
    const leaving = await site.worker({ delayMs: 60_000, retries: 0 });
    const job = await site.start("append moved to a.txt");
    await leaving.heard(`begun ${job.id}`);
    await site.until(job.id, "job.started");
    leaving.process.kill("SIGTERM");
    await leaving.heard("stopped");
    await site.worker({ retries: 0 });
    await site.until(job.id, "diff.generated");
    assert.equal(await site.text(), "moved\nstart");
  });

  test("a chat is heard through another process: its words, what it did to the paper, and its answer", async (t) => {
    const site = await Site.open(t);
    await site.worker();
    const { workspace, sessions, chats } = site.service;
    const tab = must(await site.store.sharing?.exclusively(() => workspace.tabs.open("a.txt")));
    const session = must(await sessions.create());
    const request = { toolset: "paper", model: "", maxToolCalls: null, tab: tab.tab_id } as const;
    const job = must(
      await site.service.startJob(session, { ...request, instruction: "append ink to paper" }),
    );
    const { promise, resolve } = Promise.withResolvers<void>();
    const chat = must(chats.chat(job.id));
    const received: (typeof chat.events)[number][] = [];
    chat.listeners.add((events) => {
      received.push(...events);
      if (events.some(({ type }) => type === "chat.final")) resolve();
    });
    received.push(...chat.events);
    await promise;
    const types = received.map(({ type }) => type);
    for (const type of ["paper.applied", "paper.state"] as const)
      assert.ok(types.includes(type), types.join(" "));
    const words = received.map(({ type, data }) => (type === "agent.thought" ? data.thought : "")).join("");
    assert.match(words, /Writing\.\s*Wrote ink\./);
    assert.deepEqual(received.at(-1), { type: "chat.final", data: { text: "Wrote ink." } });
    assert.equal((await site.store.job(job.id))?.status, "awaiting_review");
  });

  test("two servers and two workers: every decision counts once, and everyone sees the same", async (t) => {
    const one = await Site.open(t);
    const two = await Site.open(t, patient, one.files);
    await one.worker();
    await one.worker();
    const words = Array.from({ length: 8 }, (_, number) => `word${number}`);
    const jobs = await Promise.all(
      words.map((word, number) =>
        number === 0 ? one.start(`append ${word} to b.txt`) : two.start(`append ${word} to a.txt`),
      ),
    );
    await Promise.all(
      jobs.map(({ id }, number) => (number % 2 === 0 ? two : one).until(id, "diff.generated")),
    );
    assert.equal(await one.text(), await two.text());
    assert.deepEqual((await one.text()).split("\n").sort(), ["start", ...words.slice(1)].sort());
    const [first, ...others] = jobs.map(({ id }) => id);
    const decide = async (site: Site, verdict: "accept" | "reject") => {
      const caller = { signal: new AbortController().signal, lastEventId: undefined };
      const operations = site.service.operations;
      const { files } = must(await operations.listReview({ params: {}, query: {}, body: {} }, caller));
      const name = verdict === "accept" ? "a.txt" : "b.txt";
      const hunks = files.filter(({ file_path }) => file_path === name).flatMap(({ hunks }) => hunks);
      const body = { verdict, hunk_ids: hunks.map(({ hunk_id }) => hunk_id) };
      must(await operations.decide({ params: {}, query: {}, body }, caller));
    };
    await Promise.all([decide(one, "accept"), decide(two, "reject")]);
    for (const id of others) await two.until(id, "job.completed");
    await one.until(first ?? "", "job.completed");
    for (const { id } of jobs) assert.deepEqual(await one.ends(id), ["diff.generated", "job.completed"]);
    assert.equal((await one.text("b.txt")).trim(), "");
    assert.equal(await one.text(), await two.text());
    const base = ({ service: { workspace } }: Site) =>
      baseOf(workspace, must(workspace.documents.rowAt("a.txt")).id);
    assert.deepEqual(base(one).split("\n").sort(), ["start", ...words.slice(1)].sort());
  });
}
