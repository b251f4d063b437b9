// A working copy of the ledger: an SQLite file that follows the changes in PostgreSQL.
//
// It is written through a connection of its own, so that the ledger notices as it notices any other process. A copy
// that does not fit the changes, or is too far behind, gets the content of the newest image instead.

import { readFileSync, rmSync, statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { Fault } from "@stet/protocol/fault";
import { uniqueSuffix } from "@stet/protocol/ids";
import { writePrivateFile } from "@stet/storage/private-files";
import { openSqliteFile } from "@stet/storage/sqlite-file";
import type { Pool } from "pg";
import { rows, transaction } from "./connection.ts";

export interface LedgerState {
  /** Up to where the ledger goes. */
  readonly seq: number;
  /** Up to where the newest image goes; undefined where a working copy has none to start from. */
  readonly imageSeq: number | undefined;
  readonly version: number;
}

/** Parts of an image, so that no value gets too large to be sent. */
const partSize = 4 * 1024 * 1024;
/** A ledger beyond this size is not published as an image any more; its changes are stored instead. */
const maxImage = 512 * 1024 * 1024;
const changesAtOnce = 200;

export async function ledgerState(pool: Pool, workspace: string): Promise<LedgerState> {
  const [row] = await rows<{ seq: string; image_seq: string | null; ledger_version: number | null }>(
    pool,
    "SELECT seq, image_seq, ledger_version FROM stet.workspaces WHERE id = $1",
    workspace,
  );
  return {
    seq: Number(row?.seq ?? 0),
    imageSeq: row?.image_seq == null ? undefined : Number(row.image_seq),
    version: row?.ledger_version ?? 0,
  };
}

export class LedgerCopy {
  readonly path: string;
  readonly #pool: Pool;
  readonly #workspace: string;
  #connection: DatabaseSync | undefined;
  /** Up to where this copy goes. */
  seq = 0;

  constructor(pool: Pool, workspace: string, path: string) {
    this.#pool = pool;
    this.#workspace = workspace;
    this.path = path;
  }

  /** Creates the file where there is an image, before it is opened for the first time. */
  async fetch(): Promise<boolean> {
    const seq = await this.#writeImage(this.path);
    this.seq = seq ?? 0;
    return seq !== undefined;
  }

  /** The newest image as a file; returns up to where it goes. All of it is read as of one moment. */
  async #writeImage(path: string): Promise<number | undefined> {
    // What belonged to another file of this name would be taken for a part of it.
    for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
    return transaction(this.#pool, async (client) => {
      await client.query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
      const [found] = await rows<{ image: string; image_seq: string }>(
        client,
        "SELECT image, image_seq FROM stet.workspaces WHERE id = $1 AND image IS NOT NULL",
        this.#workspace,
      );
      if (found === undefined) return undefined;
      for (let part = 0; ; part += 1) {
        const [row] = await rows<{ data: Buffer }>(
          client,
          "SELECT data FROM stet.ledger_images WHERE workspace = $1 AND image = $2 AND part = $3",
          this.#workspace,
          found.image,
          part,
        );
        if (row === undefined) return Number(found.image_seq);
        writePrivateFile(path, row.data, "a");
      }
    });
  }

  #open(): DatabaseSync {
    this.#connection ??= openSqliteFile(this.path, { timeout: 5000 });
    return this.#connection;
  }

  /** Applies what is missing. Returns whether the content was replaced by an image. */
  async catchUp(): Promise<{ isReplaced: boolean }> {
    for (let isReplaced = false; ; ) {
      const { seq } = await ledgerState(this.#pool, this.#workspace);
      if (seq <= this.seq) return { isReplaced };
      const changes = await rows<{ seq: string; changeset: Buffer }>(
        this.#pool,
        `SELECT seq, changeset FROM stet.ledger_changes WHERE workspace = $1 AND seq > $2 ORDER BY seq LIMIT $3`,
        this.#workspace,
        this.seq,
        changesAtOnce,
      );
      // What is missing may have gone into an image, and what is here may not be what it should be.
      const isWhole =
        changes.length > 0 && changes.every((change, at) => Number(change.seq) === this.seq + 1 + at);
      if (isWhole && this.#apply(changes.map(({ changeset }) => changeset))) this.seq += changes.length;
      else {
        await this.replace();
        isReplaced = true;
      }
    }
  }

  #apply(changesets: readonly Uint8Array[]): boolean {
    const connection = this.#open();
    connection.exec("BEGIN IMMEDIATE");
    try {
      const fits = changesets.every((changeset) => connection.applyChangeset(changeset));
      connection.exec(fits ? "COMMIT" : "ROLLBACK");
      return fits;
    } catch (error) {
      if (connection.isTransaction) connection.exec("ROLLBACK");
      throw error;
    }
  }

  /** Throws the content away for that of the newest image. */
  async replace(): Promise<void> {
    const image = `${this.path}.image`;
    const seq = await this.#writeImage(image);
    if (seq === undefined) throw new Error("the ledger in PostgreSQL has no image");
    this.#copyFrom(image);
    rmSync(image, { force: true });
    this.seq = seq;
  }

  #copyFrom(image: string): void {
    const connection = this.#open();
    connection.prepare("ATTACH ? AS image").run(image);
    try {
      connection.exec("BEGIN IMMEDIATE");
      // With the counters that keep an id from being given twice.
      const tables = connection
        .prepare(
          "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name IN (SELECT name FROM image.sqlite_schema)",
        )
        .all()
        .map(({ name }) => `"${String(name).replaceAll('"', '""')}"`);
      for (const table of tables) {
        connection.exec(`DELETE FROM main.${table}; INSERT INTO main.${table} SELECT * FROM image.${table}`);
      }
      connection.exec("COMMIT");
    } finally {
      if (connection.isTransaction) connection.exec("ROLLBACK");
      connection.exec("DETACH image");
    }
  }

  /**
   * Makes an image of this copy the one that others start from, and drops the changes that it holds. The copy has to be
   * at the end of the ledger, and the fence the newest.
   */
  async publish(fence: number, version: number, copyTo: (path: string) => void): Promise<boolean> {
    const path = `${this.path}.published`;
    rmSync(path, { force: true });
    const { seq } = this;
    copyTo(path);
    try {
      if (statSync(path).size > maxImage) return false;
      const image = uniqueSuffix();
      await this.#sendImage(image, readFileSync(path));
      return await this.#settleImage(image, { seq, fence, version });
    } finally {
      rmSync(path, { force: true });
    }
  }

  async #sendImage(image: string, bytes: Buffer): Promise<void> {
    for (let part = 0; part * partSize < bytes.length; part += 1) {
      await rows(
        this.#pool,
        "INSERT INTO stet.ledger_images (workspace, image, part, data) VALUES ($1, $2, $3, $4)",
        this.#workspace,
        image,
        part,
        bytes.subarray(part * partSize, (part + 1) * partSize),
      );
    }
  }

  #settleImage(
    image: string,
    { seq, fence, version }: { seq: number; fence: number; version: number },
  ): Promise<boolean> {
    const workspace = this.#workspace;
    return transaction(this.#pool, async (client) => {
      const settled = await rows(
        client,
        `UPDATE stet.workspaces SET image = $3, image_seq = $4, ledger_version = $5
         WHERE id = $1 AND fence = $2 AND seq >= $4 AND (image_seq IS NULL OR image_seq <= $4) RETURNING 1`,
        workspace,
        fence,
        image,
        seq,
        version,
      );
      const isOurs = settled.length > 0;
      const others = isOurs ? "<>" : "=";
      const sql = `DELETE FROM stet.ledger_images WHERE workspace = $1 AND image ${others} $2`;
      await rows(client, sql, workspace, image);
      if (isOurs)
        await rows(
          client,
          "DELETE FROM stet.ledger_changes WHERE workspace = $1 AND seq <= $2",
          workspace,
          seq,
        );
      return isOurs;
    });
  }

  close(): void {
    this.#connection?.close();
    this.#connection = undefined;
  }
}

/** A ledger that only a newer Stet understands. */
export function newerLedger(version: number, understood: number): Fault {
  return new Fault(
    "ledger_damaged",
    `The ledger in PostgreSQL has version ${version}; this Stet understands version ${understood}.`,
    "Use the same version of Stet everywhere.",
    { version, understood },
  );
}
