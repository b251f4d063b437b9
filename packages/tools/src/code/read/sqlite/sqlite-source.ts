// Databases as something that can be read and whose rows can be written, through a path.

import { Fault, isFault } from "@stet/protocol/fault";
import { writeSqlite } from "../../write/sqlite/write-sqlite.ts";
import { workApart } from "../apart.ts";
import type { Source } from "../source.ts";
import { companionFault, findSqlite, isAtRest } from "./sqlite-file.ts";
import { sqliteLimits } from "./sqlite-job.ts";
import { missingDatabase, sqliteOutcome } from "./sqlite-outcome.ts";
import { parseSqliteSelector } from "./sqlite-path.ts";

export const sqliteSource: Source = {
  async read(path, context, { signal }) {
    const found = findSqlite(context, path);
    if (found === undefined || isFault(found)) return found;
    if (found.kind !== "database") {
      // Without a selector it is a path like any other.
      if (found.rest === "") return undefined;
      return found.kind === "missing" ? missingDatabase(found.path) : notADatabase(found.path);
    }
    const { file, rest } = found;
    const selector = parseSqliteSelector(rest);
    if (isFault(selector)) return selector;
    const companion = companionFault(file);
    if (companion !== undefined) return companion;
    const request = { kind: "read", isAtRest: isAtRest(file), selector } as const;
    const job = { file: file.location.absolute, path: file.location.path, request };
    const milliseconds = sqliteLimits.time;
    const end = await workApart("sqlite", job, { signal, milliseconds });
    const details = { selector: selector.kind };
    return sqliteOutcome(end, { path: file.location.path, milliseconds, isWrite: false, details });
  },

  write: writeSqlite,
};

function notADatabase(path: string): Fault {
  return new Fault(
    "not_readable",
    `${path} is not a SQLite database: its first bytes are not a database's.`,
    `Read ${path} without a selector to see what it is.`,
    { path },
  );
}
