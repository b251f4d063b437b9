// A file that is a database, found and checked before anything opens it as one.
//
// SQLite opens its companions by name: the write-ahead log, its index and the rollback journal. A folder from elsewhere can
// bring forged ones along, links out of the root or a journal that names another file to remove. Such a database is left
// alone. Whether it can be read without leaving files behind is told by its header.

import { closeSync, lstatSync, openSync, readSync } from "node:fs";
import { Fault, isFault } from "@stet/protocol/fault";
import { attempt } from "@stet/protocol/system-fault";
import type { Location } from "@stet/workspace/files/containment";
import { openRegular } from "@stet/workspace/files/files";
import type { CodeContext } from "../../code-context.ts";
import { rootPath } from "../../root-path.ts";
import { containerOf } from "../sources.ts";

export interface SqliteFile {
  readonly location: Location;
  readonly size: number;
  /** Undefined for a file that is no database. */
  readonly journal: "rollback" | "write-ahead" | undefined;
}

export type FoundSqlite =
  | { readonly kind: "database"; readonly file: SqliteFile; readonly rest: string }
  /** A file of that name which is something else. */
  | { readonly kind: "other"; readonly path: string; readonly rest: string }
  | { readonly kind: "missing"; readonly path: string; readonly rest: string };

/** What a path names, where it is a path into a database. The file is the one that was asked permission for. */
export function findSqlite(
  { workspace }: Pick<CodeContext, "workspace">,
  path: string,
): FoundSqlite | Fault | undefined {
  const { file, inside: rest } = containerOf(path) ?? { file: "", inside: "" };
  if (!/\.(?:sqlite3?|db3?)$/i.test(file)) return undefined;
  const location = workspace.documents.locate(rootPath(workspace, file));
  // A folder may be called like a database.
  if (isFault(location)) return location.error === "not_a_file" && rest === "" ? undefined : location;
  if (!location.exists) return { kind: "missing", path: location.path, rest };
  const found = examine(workspace, location);
  if (isFault(found)) return found;
  if (found.journal === undefined) return { kind: "other", path: location.path, rest };
  return { kind: "database", file: found, rest };
}

function examine(workspace: CodeContext["workspace"], location: Location): SqliteFile | Fault {
  const opened = openRegular(workspace.root, location);
  if (isFault(opened)) return opened;
  try {
    const header = Buffer.alloc(20);
    const count = readSync(opened.descriptor, header, 0, 20, 0);
    const isDatabase = count === 20 && header.toString("latin1", 0, 16) === "SQLite format 3\0";
    const journal = header[18] === 2 ? "write-ahead" : "rollback";
    return { location, size: Number(opened.stats.size), journal: isDatabase ? journal : undefined };
  } finally {
    closeSync(opened.descriptor);
  }
}

/** Nobody has a database with a write-ahead log open while there is no log. */
export function isAtRest({ journal, location }: SqliteFile): boolean {
  if (journal !== "write-ahead") return false;
  return lstatSync(`${location.absolute}-wal`, { throwIfNoEntry: false }) === undefined;
}

const journalMark = Buffer.from("d9d505f920a163d7", "hex");

/** Why the files that SQLite would open beside the database must not be; undefined where they may. */
export function companionFault({ location: { absolute, path } }: SqliteFile): Fault | undefined {
  for (const ending of ["-wal", "-shm", "-journal"]) {
    const stats = lstatSync(absolute + ending, { throwIfNoEntry: false });
    if (stats === undefined || (stats.isFile() && stats.nlink === 1)) continue;
    return new Fault(
      "not_allowed",
      `${path}${ending} is a link or not a regular file, so opening ${path} could change something else.`,
      `Tell the person; ${path} can be opened once ${path}${ending} is gone.`,
      { path },
    );
  }
  return undefined;
}

/** Playing a journal back removes the file that its last bytes name; a journal of one database names none. */
export function journalFault({ location: { absolute, path } }: SqliteFile): Fault | undefined {
  const name = `${absolute}-journal`;
  const stats = lstatSync(name, { throwIfNoEntry: false });
  if (stats === undefined || stats.size < journalMark.length * 2) return undefined;
  const end = attempt("read", `${path}-journal`, () => {
    const descriptor = openSync(name, "r");
    try {
      const bytes = Buffer.alloc(journalMark.length);
      readSync(descriptor, bytes, 0, bytes.length, stats.size - bytes.length);
      return bytes;
    } finally {
      closeSync(descriptor);
    }
  });
  if (isFault(end)) return end;
  if (!end.equals(journalMark)) return undefined;
  return new Fault(
    "not_allowed",
    `${path} has a journal that belongs to several databases at once, and cannot be written before that is settled.`,
    "Open it with the program that it belongs to, or tell the person.",
    { path },
  );
}
