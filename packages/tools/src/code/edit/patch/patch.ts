// The edit mode patch: entries with a path and the hunks of a diff.

import { Fault, isFault } from "@stet/protocol/fault";
import * as z from "zod";
import { prompt } from "../../../prompt.ts";
import type { CodeTool } from "../../code-context.ts";
import { fieldOf, type PartialJson, wholeText } from "../partial-json.ts";
import type { PatchSection } from "./envelope.ts";
import { numberedLines, parseHunks } from "./patch-hunk.ts";
import { patchTool } from "./run-patch.ts";

const entry = z.object({
  path: z.string().min(1),
  op: z.enum(["create", "update", "delete"]).optional().describe("update unless given"),
  rename: z.string().min(1).optional().describe("New path; with update only."),
  diff: z.string().optional().describe("update: hunks. create: the whole file. delete: nothing."),
});

const schema = z.object({ edits: z.array(entry).min(1).describe("All are made, or none.") });

export const patch: CodeTool = (context) =>
  patchTool(context, {
    description: prompt(import.meta.url, "patch"),
    schema,
    rules: { overwrites: false },
    sectionsOf: ({ edits }) => sectionsOf(edits),
    /** The entries that are complete. */
    sectionsSoFar(partial) {
      const edits = fieldOf(partial, "edits");
      if (edits?.kind !== "array") return undefined;
      const whole = edits.items.filter((item) => item.kind === "object" && item.isWhole);
      const parsed = z.array(entry).safeParse(whole.map(entryOf));
      return parsed.success ? sectionsOf(parsed.data) : undefined;
    },
  });

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
