// The tables, in a schema of their own, and what leads from each version of them to the next.
//
// Any number of processes may start at once: one of them migrates while the others wait for its lock.

import { Fault } from "@stet/protocol/fault";
import type { Pool } from "pg";
import { transaction } from "./connection.ts";

const migrations = [
  `
  CREATE TABLE stet.sessions (
    workspace text NOT NULL,
    id text NOT NULL,
    updated_at bigint NOT NULL,
    data text NOT NULL,
    PRIMARY KEY (workspace, id)
  );
  CREATE INDEX sessions_by_time ON stet.sessions (workspace, updated_at DESC);

  CREATE TABLE stet.jobs (
    workspace text NOT NULL,
    id text NOT NULL,
    session text NOT NULL,
    status text NOT NULL,
    turn text,
    created_at bigint NOT NULL,
    finished_at bigint,
    data text NOT NULL,
    -- Number of attempts so far: a fencing token, under which the process that works on the job writes.
    attempt integer NOT NULL DEFAULT 0,
    -- How many processes were lost that worked on it.
    losses integer NOT NULL DEFAULT 0,
    -- Who works on it, or waits for the person with it.
    process text,
    -- What it needs for itself alone while someone works on it.
    lanes text[] NOT NULL DEFAULT '{}',
    is_cancelled boolean NOT NULL DEFAULT false,
    PRIMARY KEY (workspace, id)
  );
  CREATE INDEX jobs_by_session ON stet.jobs (workspace, session, created_at);
  CREATE INDEX jobs_by_status ON stet.jobs (workspace, status);
  CREATE INDEX jobs_by_turn ON stet.jobs (workspace, turn) WHERE turn IS NOT NULL;

  CREATE TABLE stet.logs (
    workspace text NOT NULL,
    log text NOT NULL,
    last bigint NOT NULL,
    -- Up to where the oldest events were dropped.
    dropped bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (workspace, log)
  );
  CREATE TABLE stet.events (
    workspace text NOT NULL,
    log text NOT NULL,
    cursor bigint NOT NULL,
    data text NOT NULL,
    PRIMARY KEY (workspace, log, cursor)
  );

  CREATE TABLE stet.processes (
    id text PRIMARY KEY,
    host text NOT NULL,
    pid integer NOT NULL,
    purpose text NOT NULL,
    -- Its names in the queue, to free what it held there.
    workers text[] NOT NULL DEFAULT '{}',
    seen_at timestamptz NOT NULL
  );

  CREATE TABLE stet.workspaces (
    id text PRIMARY KEY,
    -- Grows with every lease; only the newest may write.
    fence bigint NOT NULL DEFAULT 0,
    holder text,
    expires_at timestamptz,
    seq bigint NOT NULL DEFAULT 0,
    -- Where a new working copy starts, and up to which change that goes.
    image text,
    image_seq bigint,
    ledger_version integer
  );
  CREATE TABLE stet.ledger_changes (
    workspace text NOT NULL,
    seq bigint NOT NULL,
    fence bigint NOT NULL,
    changeset bytea NOT NULL,
    PRIMARY KEY (workspace, seq)
  );
  ALTER TABLE stet.ledger_changes ALTER COLUMN changeset SET STORAGE EXTERNAL;
  CREATE TABLE stet.ledger_images (
    workspace text NOT NULL,
    image text NOT NULL,
    part integer NOT NULL,
    data bytea NOT NULL,
    PRIMARY KEY (workspace, image, part)
  );
  `,
];

/** Any number that no one else uses as a lock. */
const lock = 7_348_112_901;

/** Brings the tables to this version. */
export async function migrate(pool: Pool): Promise<undefined | Fault> {
  return transaction(pool, async (client) => {
    await client.query("SELECT pg_advisory_xact_lock($1)", [lock]);
    await client.query("CREATE SCHEMA IF NOT EXISTS stet");
    await client.query("CREATE TABLE IF NOT EXISTS stet.migrations (version integer PRIMARY KEY)");
    const found = await client.query("SELECT coalesce(max(version), 0) AS version FROM stet.migrations");
    const version = Number(found.rows[0]?.version ?? 0);
    if (version > migrations.length) {
      return new Fault(
        "ledger_damaged",
        `The tables in PostgreSQL have version ${version}; this Stet understands version ${migrations.length}.`,
        "Use the version of Stet that made them, or a newer one.",
        { version, understood: migrations.length },
      );
    }
    for (const [index, sql] of migrations.entries()) {
      if (index < version) continue;
      await client.query(sql);
      await client.query("INSERT INTO stet.migrations (version) VALUES ($1)", [index + 1]);
    }
    return undefined;
  });
}
