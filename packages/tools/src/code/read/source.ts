// Things beside plain files that a path may name: pages, archives and what is in them, databases, documents, addresses.
//
// A source looks at the whole path as the model wrote it and says whether it is its own. The first that claims a path
// answers for it; what none claims is a file or folder under the root.

import type { ToolContext, ToolOutcome } from "@stet/agent/tool";
import type { Fault } from "@stet/protocol/fault";
import type { CodeContext } from "../code-context.ts";

/** Something that a path may name beside a plain file. Undefined: not mine. */
export interface Source {
  /** Whether a path of this source may be read, before it is. Sources without it are free, or ask where they read. */
  authorise?(path: string, context: CodeContext, call: ToolContext): Promise<Fault | undefined>;
  /** `path`: as given, selector not yet cut off. */
  read(path: string, context: CodeContext, call: ToolContext): Promise<ToolOutcome | Fault | undefined>;
  write?(
    target: WriteTarget,
    context: CodeContext,
    call: ToolContext,
  ): Promise<ToolOutcome | Fault | undefined>;
}

export interface WriteTarget {
  readonly path: string;
  readonly content: string;
}
