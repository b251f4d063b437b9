// The tool resolve: does what a preview showed, or forgets it.

import { defineTool, type ToolContext, type ToolOutcome } from "@stet/agent/tool";
import { Fault } from "@stet/protocol/fault";
import * as z from "zod";
import { prompt } from "../../prompt.ts";
import type { CodeTool } from "../code-context.ts";

/** A change that was shown and waits to be applied or discarded. */
export interface Preview {
  /** What it would do, as a sentence. */
  readonly summary: string;
  /** The files that it would change, from the root. */
  readonly paths: readonly string[];
  /** Does exactly what was shown, or nothing. */
  apply(call: ToolContext): Promise<ToolOutcome | Fault>;
}

/** At most one waits; a newer one takes its place. */
export interface PendingPreview {
  current: Preview | undefined;
}

const schema = z.object({
  action: z.enum(["apply", "discard"]),
  reason: z.string().optional().describe("Why, in a few words"),
});

export function resolve(pending: PendingPreview): CodeTool {
  return (context) =>
    defineTool({
      name: "resolve",
      description: prompt(import.meta.url, "resolve"),
      traits: ["edits", "exclusive"],
      words: ({ action }) => (action === "apply" ? "Make the planned changes" : "Drop the planned changes"),
      schema,
      async authorise({ action }, call) {
        const preview = pending.current;
        if (action === "discard" || preview === undefined) return undefined;
        const targets = preview.paths.map((path) => ({ kind: "path", path, access: "write" }) as const);
        return context.permit({ tool: "edit", targets }, call);
      },
      async execute({ action, reason }, call) {
        const preview = pending.current;
        if (preview === undefined) return nothingPending();
        // Whatever comes of it, the same preview is not applied twice.
        pending.current = undefined;
        if (action === "apply") return await preview.apply(call);
        const why = reason === undefined || reason.trim() === "" ? "" : ` Reason: ${reason.trim()}`;
        return {
          content: `Discarded the preview of ${preview.summary}; nothing was changed.${why}`,
          details: { action, reason, applied: false },
        };
      },
    });
}

function nothingPending(): Fault {
  return new Fault(
    "nothing_pending",
    "No preview waits to be applied or discarded.",
    "Call ast_edit first; it shows what would change.",
  );
}
