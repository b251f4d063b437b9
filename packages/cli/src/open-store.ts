// The store that several processes share, by its address: `--store` or STET_STORE.

import type { PostgresStore } from "@stet/postgres/postgres-store";
import type { Fault } from "@stet/protocol/fault";

export async function openStore(
  address: string,
  root: string,
  purpose: "serving" | "working",
  environment: NodeJS.ProcessEnv,
): Promise<PostgresStore | Fault> {
  const { openPostgres } = await import("@stet/postgres/open-postgres");
  return openPostgres(address, root, { purpose, copies: environment.STET_COPIES_DIR || undefined });
}
