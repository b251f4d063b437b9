// write: a whole file, an entry of an archive, a row of a database, or the resolution of a merge conflict.

import { defineTool, type ToolContext } from "@stet/agent/tool";
import { Fault, isFault } from "@stet/protocol/fault";
import * as z from "zod";
import { cut } from "../../call-words.ts";
import { prompt } from "../../prompt.ts";
import { removeUnseen } from "../../sight/unseen-text.ts";
import type { CodeContext, CodeTool } from "../code-context.ts";
import { previewEdit, type StepsSoFar } from "../edit/edit-preview.ts";
import { fieldOf } from "../edit/partial-json.ts";
import { conflictAddress } from "../read/conflict-source.ts";
import { permitPath } from "../read/permit-path.ts";
import { isInternalAddress, sourcesFor, splitContainer } from "../read/sources.ts";
import { rootPath } from "../root-path.ts";
import { writeFile, writeStep } from "./write-file.ts";

export const write: CodeTool = (context) =>
  defineTool({
    name: "write",
    description: prompt(import.meta.url, "write"),
    traits: ["edits", "exclusive"],
    words: ({ path }) => `Write ${cut(path)}`,
    schema: z.object({
      path: z
        .string()
        .trim()
        .min(1)
        .describe("Path from the root, archive.zip:entry, data.db:table[:key] or conflict://N"),
      content: z.string().describe("The whole new content"),
      remove_unseen: removeUnseen,
    }),
    async authorise({ path }, call) {
      const given = rootPath(context.workspace, path);
      // Nothing is written to a page; that is told when it is tried.
      if (isPage(given)) return undefined;
      if (isInternalAddress(given)) return permitConflicts(context, given, call);
      return permitPath(context, splitContainer(given).file, "write", call);
    },
    async execute({ path, content, remove_unseen = false }, call) {
      const given = rootPath(context.workspace, path);
      if (isPage(given)) return pageFault(given);
      if (context.turn.options.isHeld && splitContainer(given).file !== given) return heldFault(given);
      for await (const source of sourcesFor(given)) {
        const outcome = await source.write?.({ path: given, content }, context, call);
        if (outcome !== undefined) return outcome;
      }
      // What looked like an archive or a database is a plain name, for which nobody was asked yet.
      const isAsked = splitContainer(given).file === given;
      const refusal = isAsked ? undefined : await permitPath(context, given, "write", call);
      return refusal ?? writeFile(context, given, content, remove_unseen);
    },
    preview: (partial) => previewEdit(context, partial, stepsSoFar),
  });

/** A file that is there is compared once the content is whole: until then its end would look removed. */
const stepsSoFar: StepsSoFar = (context, partial) => {
  const [path, content] = [fieldOf(partial, "path"), fieldOf(partial, "content")];
  if (path?.kind !== "string" || !path.isWhole || content?.kind !== "string") return undefined;
  const confirmed = fieldOf(partial, "remove_unseen");
  const isConfirmed = confirmed?.kind === "plain" && confirmed.value === true;
  const step = writeStep(context, rootPath(context.workspace, path.text), content.text, isConfirmed);
  if (isFault(step) || (step.kind !== "create" && !content.isWhole)) return undefined;
  return [step];
};

/** A name that begins with "www." may be that of a file. */
function isPage(path: string): boolean {
  return /^https?:\/\//i.test(path);
}

/** Resolving a conflict changes the file that it is in. */
async function permitConflicts(
  context: CodeContext,
  path: string,
  call: ToolContext,
): Promise<Fault | undefined> {
  const address = conflictAddress(path);
  if (address === undefined || isFault(address)) return undefined;
  const meant = context.conflicts.all.filter(({ id }) => address.id === "*" || address.id === id);
  for (const file of new Set(meant.map((conflict) => conflict.path))) {
    const refusal = await permitPath(context, file, "write", call);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** Archives and databases are written on disk, where nothing of a held turn is before its end. */
function heldFault(path: string): Fault {
  return new Fault(
    "not_allowed",
    `${path} is in an archive or a database, and what you change is staged as text until you end.`,
    "Say in your result what should be written there.",
    { path },
  );
}

function pageFault(path: string): Fault {
  return new Fault(
    "invalid_path",
    `${path} is a page; it cannot be written.`,
    "Write to a path in the workspace.",
    {
      path,
    },
  );
}
