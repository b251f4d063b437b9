// A turn that waits for the person, as data: it can go on from there in another process.

import type { TurnId } from "@stet/protocol/ids";
import type { StagedFile } from "./turn-copy.ts";

export interface SuspendedTurn {
  readonly id: TurnId;
  readonly startedAt: number;
  readonly staged: readonly {
    readonly document: number;
    /** The document's revision that the change is made on. */
    readonly revision: number;
    readonly change: unknown;
    readonly steps: number;
    readonly file?: StagedFile | undefined;
  }[];
  /** Documents that were committed while the turn went on. */
  readonly published?: readonly number[];
  readonly created: readonly { readonly path: string | null; readonly title: string }[];
}
