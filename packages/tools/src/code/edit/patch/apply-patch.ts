// The edit mode apply_patch: one patch over any number of files, in the envelope that models of that family know.

import * as z from "zod";
import { prompt } from "../../../prompt.ts";
import type { CodeTool } from "../../code-context.ts";
import { fieldOf } from "../partial-json.ts";
import { parseEnvelope } from "./envelope.ts";
import { patchTool } from "./run-patch.ts";

export const applyPatch: CodeTool = (context) =>
  patchTool(context, {
    description: prompt(import.meta.url, "apply_patch"),
    schema: z.object({
      input: z.string().describe("The patch, from *** Begin Patch to *** End Patch"),
    }),
    // Every line that such a patch writes is a whole line, also the last one of a file.
    rules: { overwrites: true },
    sectionsOf: ({ input }) => parseEnvelope(input),
    /** The file that is still being written may end in the middle of a hunk. */
    sectionsSoFar(partial) {
      const input = fieldOf(partial, "input");
      if (input?.kind !== "string") return undefined;
      const headers = [...input.text.matchAll(/^\*\*\* (?:Add|Update|Delete) File:/gm)];
      return parseEnvelope(input.isWhole ? input.text : input.text.slice(0, headers.at(-1)?.index ?? 0));
    },
  });
