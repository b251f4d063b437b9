import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, type TestContext, test } from "node:test";
import { newEvent } from "@stet/protocol/events/new-event";
import { isFault } from "@stet/protocol/fault";
import { startPostgres } from "@stet/testkit/postgres";
import { temporaryFolder } from "@stet/testkit/temporary";
import { agentEdits, must, personEdits, refused, TestWorkspace, textOf } from "@stet/testkit/workspace";
import type { Workspace } from "@stet/workspace/workspace";
import { Pool } from "pg";
import { openPostgres, type PostgresOptions } from "./open-postgres.ts";
import type { PostgresStore } from "./postgres-store.ts";
import type { Sharing } from "./sharing.ts";

interface Party {
  readonly store: PostgresStore;
  readonly sharing: Sharing;
  readonly workspace: Workspace;
}

const server = await startPostgres();
if (typeof server === "string") test("PostgreSQL", { skip: server }, () => {});
else {
  const address = await server.database();
  const pool = new Pool({ connectionString: address });
  after(async () => {
    await pool.end();
    await server.stop();
  });

  async function join_(t: TestContext, files: TestWorkspace, options: PostgresOptions = {}): Promise<Party> {
    // However busy the machine is, nobody is to be taken for dead, and no heartbeat comes in between.
    const store = must(await openPostgres(address, files.root, { lifetime: 60_000, ...options }));
    t.after(() => store.close());
    const sharing = must(store.sharing);
    const workspace = must(await sharing.openWorkspace(files.root, { dataFolder: files.dataFolder }));
    return { store, sharing, workspace };
  }

  const text = ({ workspace }: Party) => {
    const state = must(workspace.documents.open("a.txt"));
    return textOf(workspace, state.id);
  };

  function append({ sharing, workspace }: Party, word: string) {
    return sharing.exclusively(() => {
      const { id } = must(workspace.documents.open("a.txt"));
      const { revision } = must(workspace.documents.state(id)).history;
      const edits = [{ op: "append", content: word } as const];
      const edited = workspace.documents.edit(id, {
        revision,
        policy: { kind: "strict" },
        edits,
        origin: "user",
      });
      return isFault(edited) ? edited : id;
    });
  }

  test("what one process writes is there for the next one, and everyone may write in turn", async (t) => {
    const files = new TestWorkspace(t, { "a.txt": "start" });
    const parties = [await join_(t, files), await join_(t, files), await join_(t, files)];
    const written = await Promise.all(
      parties.flatMap((party, index) =>
        Array.from({ length: 10 }, async (_, number) => {
          const word = `${index}.${number}`;
          must(await append(party, word));
          return word;
        }),
      ),
    );
    for (const party of parties) {
      must([await party.sharing.refresh()]);
      const lines = text(party).split("\n");
      assert.deepEqual([...lines].sort(), ["start", ...written].sort());
      assert.equal(text(party), text(parties[0] ?? party));
    }
  });

  test("a process that joins later starts from what is there, and leaves nothing behind", async (t) => {
    const files = new TestWorkspace(t, { "a.txt": "start" });
    const one = await join_(t, files);
    for (let number = 0; number < 20; number += 1) must(await append(one, `line ${number}`));
    const other = await join_(t, files);
    assert.equal(text(other), text(one));
    await other.sharing.close();
    const [state = ""] = readdirSync(join(files.dataFolder, "projects"));
    assert.equal(readdirSync(join(files.dataFolder, "projects", state, "copies")).length, 1);
  });

  /** Does something to the ledger's image, as a process of another version would have left it. */
  async function changeImage(
    t: TestContext,
    { store: { workspace } }: Party,
    action: (image: DatabaseSync) => Promise<number>,
  ) {
    const [found] = (await pool.query("SELECT image FROM stet.workspaces WHERE id = $1", [workspace])).rows;
    const parts = "FROM stet.ledger_images WHERE workspace = $1 AND image = $2";
    const { rows } = await pool.query(`SELECT data ${parts} ORDER BY part`, [workspace, found.image]);
    const path = join(temporaryFolder(t), "image.sqlite");
    writeFileSync(path, Buffer.concat(rows.map(({ data }) => data)));
    const image = new DatabaseSync(path);
    const version = await action(image);
    image.exec(`PRAGMA user_version = ${version}; PRAGMA journal_mode = DELETE`);
    image.close();
    await pool.query(`DELETE ${parts}`, [workspace, found.image]);
    const insert = "INSERT INTO stet.ledger_images (workspace, image, part, data) VALUES ($1, $2, 0, $3)";
    await pool.query(insert, [workspace, found.image, readFileSync(path)]);
    // It had taken the lease for that, and is gone.
    const left = "fence = fence + 1, holder = NULL, expires_at = NULL, ledger_version = $2";
    await pool.query(`UPDATE stet.workspaces SET ${left} WHERE id = $1`, [workspace, version]);
  }

  test("a ledger of version 5 becomes one of version 6, with what was written since its image", async (t) => {
    const files = new TestWorkspace(t, { "a.txt": "start" });
    const one = await join_(t, files);
    await one.sharing.close();
    const { workspace } = one.store;
    await changeImage(t, one, async (image) => {
      image.exec("ALTER TABLE turns DROP COLUMN agent");
      const session = image.createSession();
      image.exec("SAVEPOINT later");
      image.exec(
        "INSERT INTO turns (id, kind, session, summary, status, started_at) VALUES ('turn_old', 'agent', 's', 'Old', 'committed', 1)",
      );
      const changes = session.changeset();
      session.close();
      // It is in the changes only.
      image.exec("ROLLBACK TO later; RELEASE later");
      const insert =
        "INSERT INTO stet.ledger_changes (workspace, seq, fence, changeset) VALUES ($1, $2, 1, $3)";
      const { rows } = await pool.query(
        "UPDATE stet.workspaces SET seq = seq + 1 WHERE id = $1 RETURNING seq",
        [workspace],
      );
      await pool.query(insert, [workspace, rows[0].seq, changes]);
      return 5;
    });
    const [later, last] = [await join_(t, files), await join_(t, files)];
    for (const party of [later, last])
      assert.deepEqual(
        { ...party.workspace.review.turn("turn_old") },
        { session: "s", summary: "Old", isWhole: false, isInDoubt: false, agent: undefined },
      );
    must(await append(last, "more"));
    must([await later.sharing.refresh()]);
    assert.equal(text(later), "start\nmore");
    const { rows } = await pool.query("SELECT ledger_version FROM stet.workspaces WHERE id = $1", [
      workspace,
    ]);
    assert.deepEqual(rows, [{ ledger_version: 6 }]);
  });

  test("a ledger that a newer Stet has brought further is left as it is, by who has it open and who comes", async (t) => {
    const files = new TestWorkspace(t, { "a.txt": "start" });
    const one = await join_(t, files);
    must(await append(one, "mine"));
    const images = async () => (await pool.query("SELECT * FROM stet.ledger_images")).rows;
    await changeImage(t, one, async () => 999);
    const before = await images();
    assert.match(refused(await append(one, "late")).message, /another Stet has taken over/);
    assert.match(refused(await append(one, "later")).message, /version 999; this Stet understands version 6/);
    const store = must(await openPostgres(address, files.root, { lifetime: 60_000 }));
    t.after(() => store.close());
    const opened = await must(store.sharing).openWorkspace(files.root, { dataFolder: files.dataFolder });
    assert.match(refused(opened).message, /has version 999, and this Stet understands version 6/);
    assert.deepEqual(await images(), before);
  });

  test("nothing can be written without coming in, and reading never needs to", async (t) => {
    const files = new TestWorkspace(t, { "a.txt": "start" });
    const one = await join_(t, files);
    const other = await join_(t, files);
    const id = must(await append(one, "more"));
    const stay = must(await one.sharing.borrow(new AbortController().signal));
    must([await other.sharing.refresh()]);
    assert.equal(textOf(other.workspace, id), "start\nmore");
    const { revision } = must(other.workspace.documents.state(id)).history;
    const fault = refused(
      other.workspace.documents.edit(id, {
        revision,
        policy: { kind: "strict" },
        edits: [{ op: "set", content: "" }],
        origin: "user",
      }),
    );
    assert.equal(fault.error, "workspace_busy");
    assert.equal(textOf(other.workspace, id), "start\nmore");
    await stay.end();
  });

  test("whoever works for long lets others in while it waits, and goes on from what they left", async (t) => {
    const files = new TestWorkspace(t, { "a.txt": "start" });
    const worker = await join_(t, files);
    const person = await join_(t, files);
    const stay = must(await worker.sharing.borrow(new AbortController().signal));
    const waiting = append(person, "by the person");
    stay.release();
    const id = must(await waiting);
    assert.equal(await stay.reacquire(), undefined);
    assert.equal(textOf(worker.workspace, id), "start\nby the person");
    agentEdits(worker.workspace, [[id, { op: "insert", after: 0, content: "agent" }]]);
    assert.equal(await stay.end(), undefined);
    must([await person.sharing.refresh()]);
    assert.equal(text(person), "agent\nstart\nby the person");
    assert.equal(person.workspace.review.file(id)?.hunks.length, 1);
  });

  test("what is written under a lease that was taken over is refused, and is gone from the copy as well", async (t) => {
    const files = new TestWorkspace(t, { "a.txt": "start" });
    const late = await join_(t, files);
    const quick = await join_(t, files);
    const id = must(await append(late, "common"));
    const losses: string[] = [];
    late.sharing.onLost(({ error }) => losses.push(error));
    const stay = must(await late.sharing.borrow(new AbortController().signal));
    // As if it had been out of touch: PostgreSQL's clock decides.
    await pool.query(
      "UPDATE stet.workspaces SET expires_at = now() - interval '1 s' WHERE holder IS NOT NULL",
    );
    must(await append(quick, "quick"));
    personEdits(late.workspace, id, { op: "append", content: "late" });
    assert.equal(textOf(late.workspace, id), "start\ncommon\nlate", "it cannot know yet");
    assert.equal(refused(await stay.end()).error, "workspace_busy");
    assert.deepEqual(losses, ["workspace_busy"]);
    must(await append(late, "afterwards"));
    must([await quick.sharing.refresh()]);
    assert.equal(text(late), "start\ncommon\nquick\nafterwards");
    assert.equal(text(quick), text(late));
  });

  test("a lock that could not be released is free as soon as its process is back", async (t) => {
    const files = new TestWorkspace(t, { "a.txt": "start" });
    const worker = await join_(t, files);
    const person = await join_(t, files);
    const stay = must(await worker.sharing.borrow(new AbortController().signal));
    const turn = must(worker.workspace.beginLockedTurn({ summary: "long" }));
    stay.release();
    assert.equal(refused(await append(person, "early")).error, "editing_locked");
    const locks = ({ workspace }: Party) => workspace.workingCopy().lockHolders().length;
    turn.discard();
    assert.equal(locks(worker), 1, "it could not be written down");
    assert.equal(await stay.reacquire(), undefined);
    assert.equal(await stay.end(), undefined);
    must([await person.sharing.refresh()]);
    assert.equal(locks(person), 0);
    must(await append(person, "now"));
  });

  test("a working copy that does not fit gets the content of an image, and the changes since", async (t) => {
    const files = new TestWorkspace(t, { "a.txt": "start" });
    const one = await join_(t, files);
    const other = await join_(t, files);
    must(await append(one, "first"));
    must([await other.sharing.refresh()]);
    // The image goes further than the changes that the other has seen, and they are dropped.
    const { rows } = await pool.query(
      "SELECT count(*)::int AS count FROM stet.ledger_images WHERE workspace = $1",
      [one.store.workspace],
    );
    assert.equal(rows[0]?.count, 1);
    for (let number = 0; number <= 60; number += 1) {
      must(
        await one.sharing.exclusively(() => {
          const { id } = must(one.workspace.documents.open("a.txt"));
          for (let edit = 0; edit < 10; edit += 1)
            personEdits(one.workspace, id, { op: "set", content: `${number}.${edit}` });
          return true;
        }),
      );
    }
    await other.sharing.exclusively(() => true);
    const left = await pool.query(
      "SELECT count(*)::int AS count FROM stet.ledger_changes WHERE workspace = $1",
      [one.store.workspace],
    );
    assert.ok(left.rows[0]?.count < 500, "an image has taken them in");
    const third = await join_(t, files);
    assert.equal(text(third), "60.9");
    assert.equal(text(other), "60.9");
  });

  test("when connections break, what was said to be done is done, and everything goes on", async (t) => {
    const files = new TestWorkspace(t, { "a.txt": "start" });
    const one = await join_(t, files, { poll: 100, lifetime: 1500 });
    const other = await join_(t, files, { poll: 100, lifetime: 1500 });
    const done: string[] = [];
    const received: string[] = [];
    const log = await other.sharing.openLog("workspace", { maxEvents: 1000 });
    const stop = await log.follow(0, (events) => received.push(...events.map(({ type }) => type)));
    t.after(stop);
    for (let number = 0; number < 24; number += 1) {
      if (number % 6 === 3)
        await pool.query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()",
        );
      const word = `word${number}`;
      if (!isFault(await append(number % 2 === 0 ? one : other, word))) done.push(word);
    }
    assert.ok(done.length > 12, done.join(" "));
    must(await one.sharing.exclusively(() => true));
    must(await other.sharing.exclusively(() => true));
    assert.equal(text(one), text(other));
    const lines = text(one).split("\n");
    for (const word of done) assert.equal(lines.filter((line) => line === word).length, 1, word);
    // The reader's connection was among those that broke.
    await (await one.sharing.openLog("workspace", { maxEvents: 1000 })).append("files.changed", {});
    while (!received.includes("files.changed")) await new Promise((resolve) => setTimeout(resolve, 20));
  });

  test("a fact is not lost where the words after it arrive first", async (t) => {
    const files = new TestWorkspace(t, {});
    const writer = await join_(t, files);
    const reader = await join_(t, files);
    const [from, to] = await Promise.all(
      [writer, reader].map(({ sharing }) => sharing.openLog("job:1", { maxEvents: 1000 })),
    );
    const received: string[] = [];
    const { promise: isHeard, resolve: hear } = Promise.withResolvers<void>();
    const stop = await to?.follow(0, (events) => {
      received.push(...events.map(({ type }) => type));
      if (received.includes("message.completed")) hear();
    });
    t.after(() => stop?.());
    // The query that reads the fact is slower than the notification that brings the words.
    const { promise: hasWords, resolve: release } = Promise.withResolvers<void>();
    const read = reader.store.events.bind(reader.store);
    t.mock.method(reader.store, "events", async (...given: Parameters<typeof read>) => {
      await hasWords;
      return read(...given);
    });
    t.after(
      reader.store.notifications.subscribe((notification) => {
        if (notification?.kind === "deltas") setImmediate(release);
      }),
    );
    const word = newEvent("message.delta", { text: "word" });
    await from?.append("files.changed", {});
    await from?.delta(word);
    await hasWords;
    await from?.append("message.completed", { text: "word" });
    await isHeard;
    const facts = received.filter((type) => type !== "message.delta");
    assert.deepEqual(facts, ["files.changed", "message.completed"]);
  });

  test("a decision and its save are seen by all, and the file is written once", async (t) => {
    const files = new TestWorkspace(t, { "a.txt": "one\ntwo" });
    const worker = await join_(t, files);
    const person = await join_(t, files);
    const id = must(
      await worker.sharing.exclusively(() => {
        const state = must(worker.workspace.documents.open("a.txt"));
        agentEdits(worker.workspace, [[state.id, { op: "replace", from: 1, to: 1, content: "ONE" }]]);
        return state.id;
      }),
    );
    const saved = must(
      await person.sharing.exclusively(async () => {
        const decided = person.workspace.review.accept({ document: id });
        return isFault(decided) ? decided : person.workspace.saving.save([id]);
      }),
    );
    assert.equal(saved.length, 1);
    must([await worker.sharing.refresh()]);
    assert.equal(must(worker.workspace.documents.state(id)).savedHash, saved[0]?.hash);
    assert.equal(worker.workspace.review.file(id)?.hunks.length ?? 0, 0);
  });
}
