// The edit mode patch: entries with a path and the hunks of a diff.

import { defineTool } from "@stet/agent/tool";
import { Fault, isFault } from "@stet/protocol/fault";
import * as z from "zod";
import { editWords } from "../../../call-words.ts";
import { prompt } from "../../../prompt.ts";
import type { CodeTool } from "../../code-context.ts";
import { previewEdit, type StepsSoFar } from "../edit-preview.ts";
import { fieldOf, type PartialJson, wholeText } from "../partial-json.ts";
import type { PatchSection } from "./envelope.ts";
import { numberedLines, parseHunks } from "./patch-hunk.ts";
import { type PatchRules, previewSteps } from "./plan-patch.ts";
import { patchTargets, runPatch } from "./run-patch.ts";

const rules: PatchRules = { overwrites: false };

const entry = z.object({
  path: z.string().min(1),
  op: z.enum(["create", "update", "delete"]).optional().describe("update unless given"),
  rename: z.string().min(1).optional().describe("New path; with update only."),
  diff: z.string().optional().describe("update: hunks. create: the whole file. delete: nothing."),
});

const schema = z.object({ edits: z.array(entry).min(1).describe("All are made, or none.") });

export const patch: CodeTool = (context) =>
  defineTool({
    name: "edit",
    description: prompt(import.meta.url, "patch"),
    traits: ["edits", "exclusive"],
    words: editWords,
    schema,
    async authorise({ edits }, call) {
      const sections = sectionsOf(edits);
      if (isFault(sections)) return sections;
      const targets = patchTargets(context, sections);
      return isFault(targets) ? targets : context.permit({ tool: "edit", targets }, call);
    },
    async execute({ edits }) {
      const sections = sectionsOf(edits);
      return isFault(sections) ? sections : runPatch(context, sections, rules);
    },
    preview: (partial) => previewEdit(context, partial, stepsSoFar),
  });

/** The entries that are complete. */
const stepsSoFar: StepsSoFar = (context, partial) => {
  const edits = fieldOf(partial, "edits");
  if (edits?.kind !== "array") return undefined;
  const entries = edits.items.flatMap((item) =>
    item.kind === "object" && item.isWhole ? [entryOf(item)] : [],
  );
  const parsed = z.array(entry).safeParse(entries);
  const sections = parsed.success ? sectionsOf(parsed.data) : undefined;
  if (sections === undefined || isFault(sections) || sections.length === 0) return undefined;
  return previewSteps(context, sections, rules);
};

function entryOf(item: PartialJson): Record<string, string | undefined> {
  const text = (name: string) => wholeText(fieldOf(item, name));
  return { path: text("path"), op: text("op"), rename: text("rename"), diff: text("diff") };
}

function sectionsOf(entries: readonly z.infer<typeof entry>[]): PatchSection[] | Fault {
  const sections: PatchSection[] = [];
  for (const [index, { path, op = "update", rename, diff = "" }] of entries.entries()) {
    const section = sectionOf(path, op, rename, diff);
    if (isFault(section)) return inEntry(section, index + 1, path);
    sections.push(section);
  }
  return sections;
}

function sectionOf(
  path: string,
  op: "create" | "update" | "delete",
  rename: string | undefined,
  diff: string,
): PatchSection | Fault {
  const line = 1;
  if (rename !== undefined && op !== "update") {
    return invalid("rename goes with op update only", "Leave rename out, or use op update.");
  }
  if (op === "delete") return { op: "delete", path, line };
  if (op === "create") return { op: "add", path, content: contentOf(diff), line };
  const hunks = parseHunks(numberedLines(diff).filter(({ text }, index) => !isFileHeader(text, index)));
  if (isFault(hunks)) return hunks;
  if (hunks.length > 0 || rename !== undefined) return { op: "update", path, moveTo: rename, hunks, line };
  return invalid("there is no hunk in diff", "Give lines with a space, - or + in front, after a line @@.");
}

/** A new file may be written as it is, or as a diff that adds every line. */
function contentOf(diff: string): string {
  const lines = numberedLines(diff).map(({ text }) => text);
  if (lines[0]?.startsWith("@@")) lines.shift();
  if (lines.length === 0 || !lines.every((text) => text.startsWith("+"))) return diff;
  return lines.map((text) => `${text.slice(1)}\n`).join("");
}

/** The two lines that name the file in a unified diff: the entry names it. */
function isFileHeader(text: string, index: number): boolean {
  return (index === 0 && text.startsWith("--- ")) || (index === 1 && text.startsWith("+++ "));
}

function invalid(reason: string, suggestion: string): Fault {
  return new Fault("invalid_patch", `${reason}. Nothing was changed.`, suggestion);
}

function inEntry(fault: Fault, number: number, path: string): Fault {
  const message = `Entry ${number} (${path}): ${fault.message}`;
  return new Fault(fault.error, message, fault.suggestion, { ...fault.details, entry: number, path });
}
