// How PostgreSQL is reached, and what it refuses as faults.
//
// Everything comes from the address and from the PG* variables; the password is in no message, and no query is put
// together from values.

import { createHash } from "node:crypto";
import { Fault } from "@stet/protocol/fault";
import type { ClientConfig, Pool, PoolClient, QueryResultRow } from "pg";

/** Whatever runs a query: a pool, or one connection within a transaction. */
export type Queries = Pick<Pool | PoolClient, "query">;

export type Value = string | number | boolean | null | Uint8Array | readonly (string | number | Uint8Array)[];

/** `postgres://user:password@host:port/database?sslmode=verify-full&sslrootcert=…`; PG* variables fill what is missing. */
export function connectionConfig(url: string): ClientConfig | Fault {
  const isAddress = /^postgres(ql)?:\/\//.test(url);
  if (!isAddress) {
    return new Fault(
      "invalid_arguments",
      "The store is not an address of a PostgreSQL database.",
      "Write it as postgres://user@host/database; the password may be in PGPASSWORD or in a password file.",
    );
  }
  return {
    connectionString: url,
    application_name: "stet",
    connectionTimeoutMillis: 10_000,
    // A query that hangs would hold a lease for ever.
    query_timeout: 60_000,
    keepAlive: true,
  };
}

const names = new Map<string, string>();

/** A query as a prepared statement: parsed once for each connection. */
export async function rows<Row extends QueryResultRow>(
  on: Queries,
  text: string,
  ...values: Value[]
): Promise<Row[]> {
  let name = names.get(text);
  if (name === undefined) {
    name = `stet_${createHash("sha256").update(text).digest("hex").slice(0, 24)}`;
    names.set(text, name);
  }
  const sent = values.map((value) => (value instanceof Uint8Array ? asBuffer(value) : value));
  return (await on.query<Row>({ name, text, values: sent })).rows;
}

/** The driver takes a plain Uint8Array for a list of numbers in some calls, a Buffer in none. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** All of it or nothing; the connection goes back whatever happens. */
export async function transaction<T>(pool: Pool, action: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query("BEGIN");
    const result = await action(client);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    // Where even this fails the connection is gone, and with it the transaction.
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  } finally {
    client.release(failure !== undefined && !isRefusal(failure));
  }
}

/**
 * Whether the server said no; everything else means that it could not be talked to. The server's codes have five characters, a
 * digit among them: EPIPE is the system's.
 */
function isRefusal(error: Error): boolean {
  const code = "code" in error ? String(error.code) : "";
  return /^(?=.*\d)[0-9A-Z]{5}$/.test(code) && !/^(08|57P|25P03)/.test(code);
}

/** Whether it is unknown what became of the query. */
export function isConnectionFailure(error: unknown): boolean {
  return error instanceof Error && !isRefusal(error);
}

/** What PostgreSQL refuses, and that it cannot be reached, as a fault. */
export function postgresFault(error: unknown): Fault {
  if (!(error instanceof Error)) throw error;
  const code = "code" in error ? String(error.code) : "";
  // Node tells each address that was tried apart.
  const reason = error.message || (error instanceof AggregateError ? String(error.errors[0]?.message) : code);
  if (code === "53100") {
    return new Fault(
      "disk_full",
      "PostgreSQL has no space left. Nothing was changed.",
      "Free some space there and try again.",
    );
  }
  if (/^(28|42501)/.test(code)) {
    return new Fault(
      "not_permitted",
      `PostgreSQL does not let us in: ${reason}.`,
      "Check the user, the password (PGPASSWORD) and what that user may do in this database.",
      { code },
    );
  }
  const said = isRefusal(error) ? "PostgreSQL refused a query" : "PostgreSQL cannot be reached";
  return new Fault(
    "io_failed",
    `${said}: ${reason}.`,
    "Check that the server runs and that the address is right, and try again.",
    { code },
  );
}
