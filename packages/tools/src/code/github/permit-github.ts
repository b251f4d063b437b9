// Permission to ask GitHub: what is read is an address like any page's, but with the person's own sign-in, so a rule for pages
// does not allow it; an answer of "always" is about one repository. What would be sent is told word for word, each time.

import type { ToolContext } from "@stet/agent/tool";
import type { Fault } from "@stet/protocol/fault";
import type { CodeContext } from "../code-context.ts";

export interface ReadTarget {
  readonly url: string;
  /** What "always" would allow: addresses with `*`. */
  readonly scope: string;
}

export function permitReading(
  context: CodeContext,
  { url, scope }: ReadTarget,
  call: ToolContext,
): Promise<Fault | undefined> {
  const why = "it is fetched through gh, with your sign-in there";
  return context.permit({ tool: "github", targets: [{ kind: "url", url, scope, why }] }, call);
}
