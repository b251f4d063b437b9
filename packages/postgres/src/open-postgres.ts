// Opens the store of a workspace in PostgreSQL, by its address.

import { createHash } from "node:crypto";
import { basename } from "node:path";
import { type Fault, isFault } from "@stet/protocol/fault";
import { openRoot } from "@stet/workspace/files/containment";
import { connectionConfig, postgresFault } from "./connection.ts";
import { Notifications } from "./notifications.ts";
import { PostgresStore } from "./postgres-store.ts";
import { migrate } from "./schema.ts";
import { Sharing } from "./sharing.ts";

export interface PostgresOptions {
  /** What this process does here, for those who wait for it. */
  readonly purpose?: string;
  /** How long a process may be out of touch before others take over, in milliseconds. */
  readonly lifetime?: number;
  /** How long a request waits for another process, in milliseconds. */
  readonly patience?: number;
  /** Interval of polling for missed notifications, in milliseconds. */
  readonly poll?: number;
  readonly connections?: number;
  /** Folder of the working copies of the ledger, on a disk of this machine. */
  readonly copies?: string | undefined;
}

export async function openPostgres(
  url: string,
  workspaceRoot: string,
  options: PostgresOptions = {},
): Promise<PostgresStore | Fault> {
  const {
    purpose = "serving",
    lifetime = 10_000,
    patience = 30_000,
    poll = 2000,
    connections = 10,
  } = options;
  const config = connectionConfig(url);
  if (isFault(config)) return config;
  const root = openRoot(workspaceRoot);
  if (isFault(root)) return root;
  const workspace = workspaceName(root.path);
  const { Pool } = await import("pg");
  let pool: InstanceType<typeof Pool>;
  try {
    pool = new Pool({
      ...config,
      max: connections,
      // A process that stands still in the middle of a transaction must not hold up all others with its locks.
      idle_in_transaction_session_timeout: lifetime,
    });
  } catch (error) {
    return postgresFault(error);
  }
  // An idle connection that breaks is replaced by the next query.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  const notifications = new Notifications(config, workspace, poll);
  const store = new PostgresStore(pool, workspace, notifications);
  try {
    const fault = await migrate(pool);
    if (isFault(fault)) {
      await store.close();
      return fault;
    }
    await notifications.open();
    const sharing = new Sharing(store, { purpose, lifetime, patience, copies: options.copies });
    store.sharing = sharing;
    await sharing.open();
    return store;
  } catch (error) {
    await store.close().catch(() => undefined);
    return postgresFault(error);
  }
}

/** The same path is the same workspace, on every machine. */
function workspaceName(root: string): string {
  return `${basename(root)}-${createHash("sha256").update(root).digest("hex").slice(0, 16)}`;
}
