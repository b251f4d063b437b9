// What is asked of a database, and what it answers. Both cross to a process of their own (read/apart.ts), so they are data.

import type { Fault } from "@stet/protocol/fault";

export type SqliteSelector =
  | { readonly kind: "list" }
  | { readonly kind: "schema"; readonly table: string }
  | { readonly kind: "row"; readonly table: string; readonly key: string }
  | {
      readonly kind: "query";
      readonly table: string;
      readonly limit: number;
      readonly offset: number;
      readonly order: { readonly column: string; readonly isDescending: boolean } | undefined;
      readonly where: string | undefined;
    }
  | { readonly kind: "raw"; readonly sql: string };

export type SqliteValue = string | number | bigint | null;

export type SqliteRow = Readonly<Record<string, SqliteValue>>;

export type SqliteWrite =
  | { readonly kind: "insert"; readonly table: string; readonly values: SqliteRow }
  | { readonly kind: "update"; readonly table: string; readonly key: string; readonly values: SqliteRow }
  | { readonly kind: "delete"; readonly table: string; readonly key: string };

export interface SqliteJob {
  /** Absolute; every link resolved. */
  readonly file: string;
  /** From the root, for messages. */
  readonly path: string;
  readonly request:
    | {
        readonly kind: "read";
        /** Nobody has it open: it may be read without locks, which would leave files behind. */
        readonly isAtRest: boolean;
        readonly selector: SqliteSelector;
      }
    | {
        readonly kind: "write";
        readonly write: SqliteWrite;
        /** Where a copy goes before it is changed; undefined where there is one already, or it would be too large. */
        readonly keepAt: string | undefined;
      };
}

export interface SqliteText {
  readonly text: string;
  /** Rows shown, or changed. */
  readonly rows: number;
}

/** A fault arrives as its fields, without its class. */
export type SqliteAnswer = SqliteText | { readonly refused: Fault };

export const sqliteLimits = {
  queryRows: 20,
  rowCap: 500,
  sampleRows: 5,
  listedTables: 500,
  tableWidth: 120,
  columnWidth: 40,
  /** Milliseconds to wait for another program's lock. */
  busy: 3000,
  /** Milliseconds that reading may take. */
  time: 5000,
} as const;
