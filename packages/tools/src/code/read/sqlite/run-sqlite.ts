// A database's answer, worked out in a process of its own.
//
// A reader opens the file for reading only, and every statement is judged by SQLite's authoriser while it is compiled: it
// may read tables, call functions and ask PRAGMAs that tell something. That holds for what views and virtual tables
// bring along, too.

import { backup, constants, DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { Fault, type FaultCode, isFault } from "@stet/protocol/fault";
import { createPrivateFile } from "@stet/storage/private-files";
import { writeRow } from "../../write/sqlite/write-row.ts";
import {
  type SqliteAnswer,
  type SqliteJob,
  type SqliteSelector,
  type SqliteText,
  sqliteLimits,
} from "./sqlite-job.ts";
import { answerSelector } from "./sqlite-read.ts";

/** One value, statement or row. */
const maxValueBytes = 50 * 1024 * 1024;

export async function runSqlite(job: SqliteJob): Promise<SqliteAnswer> {
  const result = await run(job).catch((error: unknown) => sqliteFault(error, job.path));
  return isFault(result) ? { refused: result } : result;
}

async function run({ file, path, request }: SqliteJob): Promise<SqliteText | Fault> {
  const isReader = request.kind === "read";
  const address = pathToFileURL(file);
  if (request.kind === "read" && request.isAtRest) address.search = "?immutable=1";
  const database = new DatabaseSync(address, {
    readOnly: isReader,
    allowExtension: false,
    limits: { length: maxValueBytes, attach: 0 },
  });
  try {
    // Between checking the path and opening it someone may have put a link there.
    if (database.location() !== file) {
      return new Fault("external_change", `${path} was replaced while it was opened.`, "Try again.", {
        path,
      });
    }
    database.exec("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0");
    database.exec(`PRAGMA busy_timeout = ${sqliteLimits.busy}`);
    if (request.kind === "read") {
      database.exec("PRAGMA query_only = ON");
      if (hasAuthoriser) database.setAuthorizer(mayRead);
      const refusal = hasAuthoriser ? undefined : needsAuthoriser(request.selector);
      return refusal ?? answerSelector(database, path, request.selector);
    }
    if (request.keepAt !== undefined) {
      createPrivateFile(request.keepAt);
      await backup(database, request.keepAt);
    }
    if (hasAuthoriser) database.setAuthorizer(mayWrite);
    return writeRow(database, request.write);
  } finally {
    database.close();
  }
}

/**
 * Before Node 24.10 there is none. A statement that begins like a reading one, on a connection that only reads, can do
 * nothing else then either.
 */
const hasAuthoriser = "setAuthorizer" in DatabaseSync.prototype;

function needsAuthoriser(selector: SqliteSelector): Fault | undefined {
  if (selector.kind !== "raw" || /^\s*(?:SELECT|WITH|VALUES|EXPLAIN)\b/i.test(selector.sql)) return undefined;
  return new Fault(
    "not_allowed",
    "Before Node 24.10, q begins with SELECT, WITH, VALUES or EXPLAIN.",
    "Use SELECT * FROM pragma_table_info('table') in the place of a PRAGMA.",
  );
}

/** PRAGMAs that tell something and take at most a name. */
const tellingWithName = new Set(
  `table_info table_xinfo table_list index_list index_info index_xinfo foreign_key_list foreign_key_check integrity_check
  quick_check`.split(/\s+/),
);
/** PRAGMAs that tell a setting, and would change it if they were given a value. */
const tellingAlone = new Set(
  `application_id auto_vacuum collation_list compile_options data_version encoding foreign_keys freelist_count
  function_list journal_mode module_list page_count page_size pragma_list schema_version user_version`.split(
    /\s+/,
  ),
);

export function mayRead(action: number, first: string | null, second: string | null): number {
  switch (action) {
    case constants.SQLITE_SELECT:
    case constants.SQLITE_READ:
    case constants.SQLITE_RECURSIVE:
      return constants.SQLITE_OK;
    case constants.SQLITE_FUNCTION:
      return isForeignFunction(second) ? constants.SQLITE_DENY : constants.SQLITE_OK;
    case constants.SQLITE_PRAGMA: {
      const name = first?.toLowerCase() ?? "";
      const isTelling = tellingWithName.has(name) || (second === null && tellingAlone.has(name));
      return isTelling ? constants.SQLITE_OK : constants.SQLITE_DENY;
    }
    default:
      return constants.SQLITE_DENY;
  }
}

/** Rows are changed, and what triggers do to other rows; nothing else about the database is. */
function mayWrite(action: number, first: string | null, second: string | null): number {
  switch (action) {
    case constants.SQLITE_INSERT:
    case constants.SQLITE_UPDATE:
    case constants.SQLITE_DELETE:
    case constants.SQLITE_TRANSACTION:
    case constants.SQLITE_SAVEPOINT:
      return constants.SQLITE_OK;
    default:
      return mayRead(action, first, second);
  }
}

function isForeignFunction(name: string | null): boolean {
  return ["load_extension", "fts3_tokenizer", "readfile", "writefile", "edit"].includes(
    name?.toLowerCase() ?? "",
  );
}

const codes: Readonly<Record<number, { error: FaultCode; because: string; suggestion: string }>> = {
  5: {
    error: "io_failed",
    because: "it is locked by another program",
    suggestion: "Try again when that program is done with it.",
  },
  6: {
    error: "io_failed",
    because: "a table is locked by another program",
    suggestion: "Try again when that program is done with it.",
  },
  8: { error: "not_allowed", because: "it can only be read", suggestion: "Change rows with write." },
  11: {
    error: "not_readable",
    because: "the database is damaged",
    suggestion: "Restore it from a copy, or try sqlite3's .recover.",
  },
  13: { error: "disk_full", because: "the disk is full", suggestion: "Free some space and try again." },
  14: {
    error: "not_permitted",
    because: "the file or its write-ahead log cannot be opened",
    suggestion: "Check the permissions of the file and of its folder.",
  },
  18: {
    error: "too_large",
    because: "a value is too large",
    suggestion: "Select less: substr(column, 1, 1000), or fewer rows.",
  },
  23: {
    error: "not_allowed",
    because: "the statement does something else than reading",
    suggestion:
      "Use SELECT, or a PRAGMA that only tells something; change rows with write: db.sqlite:table inserts, db.sqlite:table:key updates or deletes.",
  },
  26: {
    error: "not_readable",
    because: "it is not a SQLite database, or an encrypted one",
    suggestion: "Check what kind of file it is.",
  },
};

/** What SQLite refuses, as a fault. Anything else is a bug and keeps flying. */
function sqliteFault(error: unknown, path: string): Fault {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") throw error;
  // The lower byte is the kind; the rest tells it more precisely.
  const known = codes[error.errcode & 0xff];
  if (known !== undefined) {
    const message = `${path} could not be used: ${known.because} (${error.message}).`;
    return new Fault(known.error, message, known.suggestion, { path });
  }
  const message = `SQLite refused it: ${error.message}.`;
  const suggestion = /no such column/.test(error.message)
    ? "Text goes in single quotes, names in double quotes. Read db.sqlite:table to see the columns."
    : "Correct it; read db.sqlite:table to see how the table is made.";
  return new Fault("invalid_arguments", message, suggestion, { path });
}
