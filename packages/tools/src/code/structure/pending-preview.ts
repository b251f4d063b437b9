// A change that was shown and waits to be applied or discarded. There is at most one; a newer one takes its place.

import type { ToolContext, ToolOutcome } from "@stet/agent/tool";
import type { Fault } from "@stet/protocol/fault";

export interface Preview {
  /** What it would do, as a sentence. */
  readonly summary: string;
  /** The files that it would change, from the root. */
  readonly paths: readonly string[];
  /** Does exactly what was shown, or nothing. */
  apply(call: ToolContext): Promise<ToolOutcome | Fault>;
}

export interface PendingPreview {
  current: Preview | undefined;
}
