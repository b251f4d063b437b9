// read: everything that can be looked at, through one path.

import { defineTool, type ToolContext, type ToolOutcome } from "@stet/agent/tool";
import { Fault, isFault } from "@stet/protocol/fault";
import * as z from "zod";
import { cut } from "../../call-words.ts";
import { prompt } from "../../prompt.ts";
import type { CodeContext, CodeTool } from "../code-context.ts";
import { rootPath } from "../root-path.ts";
import { outsidePath, readOutside, realPathOf } from "./outside-file.ts";
import { permitPath } from "./permit-path.ts";
import { parseSelector } from "./selector.ts";
import { isInternalAddress, isWebAddress, namedFile, sourcesFor } from "./sources.ts";
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
      if (isInternalAddress(given)) return permitAddress(context, given, call);
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
      const outcome = await readAt(given, context, call);
      const file = namedFile(given);
      const isMissing = isFault(outcome) && outcome.error === "file_not_found" && isNowhere(context, file);
      return outcome === undefined || isMissing ? fromSuffix(given, file, context, call) : outcome;
    },
  });
};

async function permitAddress(
  context: CodeContext,
  address: string,
  call: ToolContext,
): Promise<Fault | undefined> {
  for await (const source of sourcesFor(address)) {
    const refusal = await source.authorise?.(address, context, call);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** From the root; absolute where it is outside. A file that is called like a page, such as www.ts, is a file. */
function givenPath({ workspace }: CodeContext, path: string): string {
  const given = outsidePath(workspace, path) ?? rootPath(workspace, path);
  if (!/^www\./i.test(given)) return given;
  const file = workspace.documents.locate(namedFile(given));
  return !isFault(file) && file.exists ? `./${given}` : given;
}

/** Undefined where nothing is there. */
async function readAt(
  path: string,
  context: CodeContext,
  call: ToolContext,
): Promise<ToolOutcome | Fault | undefined> {
  for await (const source of sourcesFor(path)) {
    const outcome = await source.read(path, context, call);
    if (outcome !== undefined) return outcome;
  }
  const { readLocal } = await import("./local-path.ts");
  return readLocal(path, context, call);
}

/** Whether nothing is there that could be read or refused. */
function isNowhere({ workspace }: CodeContext, path: string): boolean {
  const location = workspace.documents.locate(path);
  return !isFault(location) && !location.exists;
}

/** A file whose path is only the end of the one it has, with the selector or the entry that stood behind it. */
async function fromSuffix(
  given: string,
  file: string,
  context: CodeContext,
  call: ToolContext,
): Promise<ToolOutcome | Fault> {
  const resolved = await findBySuffix(context, file, call);
  if (isFault(resolved)) return resolved;
  // What is read is another path than the one that was allowed.
  const refusal = await permitPath(context, resolved, "read", call);
  if (refusal !== undefined) return refusal;
  const outcome = (await readAt(resolved + given.slice(file.length), context, call)) ?? gone(resolved);
  return isFault(outcome) ? outcome : withSuffixNote(outcome, file, resolved);
}

function gone(path: string): Fault {
  return new Fault("file_not_found", `${path} is gone by now.`, "Try again.", { path });
}
