// read: everything that can be looked at, through one path.

import { defineTool, type ToolContext, type ToolOutcome } from "@stet/agent/tool";
import { type Fault, isFault } from "@stet/protocol/fault";
import * as z from "zod";
import { cut } from "../../call-words.ts";
import { prompt } from "../../prompt.ts";
import type { CodeContext, CodeTool } from "../code-context.ts";
import { rootPath } from "../root-path.ts";
import { outsidePath, readOutside, realPathOf } from "./outside-file.ts";
import { permitPath } from "./permit-path.ts";
import { parseSelector } from "./selector.ts";
import { containerOf, isInternalAddress, isWebAddress, namedFile, sourcesFor } from "./sources.ts";
import { findBySuffix, withSuffixNote } from "./suffix-match.ts";

export const read: CodeTool = (context) => {
  /** From authorising to executing: where the path led that was allowed outside the root. */
  const permitted = new WeakMap<ToolContext, string>();
  return defineTool({
    name: "read",
    description: prompt(import.meta.url, "read"),
    traits: ["reads"],
    words: ({ path }) => `Read ${cut(path)}`,
    schema: z.object({
      path: z
        .string()
        .trim()
        .min(1)
        .describe("Path from the root, address or URL; may end in :50-100 or :raw"),
    }),
    async authorise({ path }, call) {
      const given = givenPath(context, path);
      if (isInternalAddress(given)) return undefined;
      if (!isWebAddress(given)) {
        const named = namedFile(rootPath(context.workspace, given));
        if (outsidePath(context.workspace, named) !== undefined) permitted.set(call, realPathOf(named));
        return permitPath(context, named, "read", call);
      }
      return context.permit({ tool: "read", targets: [{ kind: "url", url: given }] }, call);
    },
    async execute({ path }, call) {
      const given = givenPath(context, path);
      const allowed = permitted.get(call);
      if (allowed !== undefined) {
        const selected = parseSelector(given);
        return isFault(selected) ? selected : readOutside(context, selected, allowed);
      }
      const claimed = await fromSources(given, context, call);
      const isMissing = claimed === undefined || (isFault(claimed) && claimed.error === "file_not_found");
      const container = isMissing ? containerOf(given) : undefined;
      if (container !== undefined && isNowhere(context, container.file))
        return fromSuffix(container, context, call);
      if (claimed !== undefined) return claimed;
      const { readLocal } = await import("./local-path.ts");
      return readLocal(given, context, call);
    },
  });
};

/** From the root; absolute where it is outside. A file that is called like a page, such as www.ts, is a file. */
function givenPath({ workspace }: CodeContext, path: string): string {
  const given = outsidePath(workspace, path) ?? rootPath(workspace, path);
  if (!/^www\./i.test(given)) return given;
  const file = workspace.documents.locate(namedFile(given));
  return !isFault(file) && file.exists ? `./${given}` : given;
}

async function fromSources(
  path: string,
  context: CodeContext,
  call: ToolContext,
): Promise<ToolOutcome | Fault | undefined> {
  for await (const source of sourcesFor(path)) {
    const outcome = await source.read({ path }, context, call);
    if (outcome !== undefined) return outcome;
  }
  return undefined;
}

/** Whether nothing is there that could be read or refused. */
function isNowhere({ workspace }: CodeContext, path: string): boolean {
  const location = workspace.documents.locate(path);
  return !isFault(location) && !location.exists;
}

/** An archive or database whose path is only the end of the one it has. */
async function fromSuffix(
  { file, inside }: { readonly file: string; readonly inside: string },
  context: CodeContext,
  call: ToolContext,
): Promise<ToolOutcome | Fault> {
  const resolved = await findBySuffix(context, file, call);
  if (isFault(resolved)) return resolved;
  const refusal = await permitPath(context, resolved, "read", call);
  if (refusal !== undefined) return refusal;
  const path = `${resolved}${inside}`;
  const { readLocal } = await import("./local-path.ts");
  const outcome = (await fromSources(path, context, call)) ?? (await readLocal(path, context, call));
  return isFault(outcome) ? outcome : withSuffixNote(outcome, file, resolved);
}
