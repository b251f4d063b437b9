// Asks for a path as it is named, and as where it really leads: a rule about either holds.

import type { ToolContext } from "@stet/agent/tool";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { CodeContext } from "../code-context.ts";

export async function permitPath(
  context: CodeContext,
  path: string,
  access: "read" | "write",
  call: ToolContext,
): Promise<Fault | undefined> {
  const real = context.workspace.documents.locate(path);
  const paths = isFault(real) || real.path === path ? [path] : [path, real.path];
  const tool = access === "read" ? "read" : "write";
  return context.permit({ tool, targets: paths.map((each) => ({ kind: "path", path: each, access })) }, call);
}
