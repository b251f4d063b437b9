// The version of a SQLite store, in its `user_version`, and the migrations that lead from one version to the next.
//
// A store of another version from which no steps lead to ours is left untouched, with a fault that says so. Before each
// step the whole store is copied to `NAME.version-N` beside it; a step is one transaction, done by one of the processes that
// open the store at once. A process that has a store open compares its version again before it writes (`otherVersion`): a
// newer Stet may have brought it further meanwhile.

import { renameSync, rmSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { Fault } from "@stet/protocol/fault";
import { uniqueSuffix } from "@stet/protocol/ids";
import type { StoreName } from "./mark.ts";
import { copySqliteFile } from "./sqlite-file.ts";

export interface VersionedStore extends StoreName {
  readonly version: number;
  /** SQL that leads from a version to the next, by the former; none where no earlier version is understood. */
  readonly steps?: Readonly<Record<number, string>>;
}

/** 0 where the file has no tables yet. */
export function versionOf(database: DatabaseSync): number {
  return Number(database.prepare("PRAGMA user_version").get()?.user_version ?? 0);
}

/** Why a store cannot be used: it is of another version than ours. */
export function otherVersion(database: DatabaseSync, store: VersionedStore): Fault | undefined {
  const { path, what, error, version } = store;
  const found = versionOf(database);
  if (found === version) return undefined;
  const suggestion =
    found > version
      ? "Use the version of Stet that wrote it, or a newer one."
      : "Use the version of Stet that wrote it, or move it aside to begin anew.";
  const message = `${what} ${path} has version ${found}, and this Stet understands version ${version}. It is left as it is.`;
  return new Fault(error, message, suggestion, { path, version: found, understood: version });
}

/** Takes a store with tables to our version; a fault where that cannot be done, and the store is as it was. */
export function reachVersion(database: DatabaseSync, store: VersionedStore): Fault | undefined {
  const steps = store.steps ?? {};
  for (let version = versionOf(database); version < store.version; version += 1)
    if (steps[version] === undefined) return otherVersion(database, store);
  for (let version = versionOf(database); version < store.version; version += 1)
    takeStep(database, store.path, version, steps[version] ?? "");
  return otherVersion(database, store);
}

function takeStep(database: DatabaseSync, path: string, version: number, step: string): void {
  const draft = `${path}.draft-${uniqueSuffix()}`;
  try {
    copySqliteFile(database, draft);
    database.exec("BEGIN IMMEDIATE");
    // Another process may have been first; then the copy is of its result.
    if (versionOf(database) === version) {
      renameSync(draft, `${path}.version-${version}`);
      database.exec(`${step}; PRAGMA user_version = ${version + 1}`);
    }
    database.exec("COMMIT");
  } finally {
    if (database.isTransaction) database.exec("ROLLBACK");
    rmSync(draft, { force: true });
  }
}
