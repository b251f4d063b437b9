// What going back would change, in blocks to be drawn.

import { planRollback, type Rollback } from "@stet/client/rollback";
import { type Fault, isFault } from "@stet/protocol/fault";
import { blocksOfPatch, type DiffBlock } from "./diff-blocks.ts";

export interface RollbackView {
  /** What changes, file by file. */
  readonly blocks: readonly DiffBlock[];
  readonly files: readonly string[];
  readonly documents: readonly number[];
  /** What stays although it was to go back, in words. */
  readonly conflicts: readonly string[];
}

/** `rollbacks` from the newest to the oldest. */
export async function viewRollback(
  client: Parameters<typeof planRollback>[0],
  rollbacks: readonly Rollback[],
): Promise<RollbackView | Fault> {
  const plan = await planRollback(client, rollbacks);
  if (isFault(plan)) return plan;
  const { patches, conflicts } = plan;
  return {
    blocks: patches.flatMap(({ name, patch }) => [
      { kind: "file" as const, name },
      ...(blocksOfPatch(patch) ?? []),
    ]),
    files: patches.map(({ name }) => name),
    documents: patches.map(({ document }) => document),
    conflicts,
  };
}
