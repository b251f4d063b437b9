// Asks for a path as it is named, and as where it really leads: a rule about either holds.

import type { ToolContext } from "@stet/agent/tool";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { CodeContext } from "../code-context.ts";
import { outsidePath, realPathOf } from "./outside-file.ts";

export async function permitPath(
  context: CodeContext,
  path: string,
  access: "read" | "write",
  call: ToolContext,
): Promise<Fault | undefined> {
  const paths = [...new Set([path, realPath(context, path)])];
  const tool = access === "read" ? "read" : "write";
  return context.permit({ tool, targets: paths.map((each) => ({ kind: "path", path: each, access })) }, call);
}

function realPath({ workspace }: CodeContext, path: string): string {
  if (outsidePath(workspace, path) !== undefined) return realPathOf(path);
  const location = workspace.documents.locate(path);
  return isFault(location) ? path : location.path;
}
