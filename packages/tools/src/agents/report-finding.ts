// A finding of a review, as data beside its verdict.

import { defineTool, type Tool } from "@stet/agent/tool";
import { Fault } from "@stet/protocol/fault";
import * as z from "zod";
import { cut } from "../call-words.ts";
import type { Assignment } from "./delegation.ts";

const line = z.number().int().positive();

export function reportFinding({ findings }: Assignment): Tool {
  return defineTool({
    name: "report_finding",
    description:
      "Report one finding of your review, once for each. P0 must be mended before anything else, P1 before this is used, P2 some time, P3 is a remark.",
    traits: [],
    words: ({ title, priority }) => `Report ${cut(priority)}: ${cut(title)}`,
    schema: z.object({
      title: z.string().min(1).max(200).describe("What is wrong, as a sentence"),
      body: z.string().min(1).max(4000).describe("In which case, and what happens then"),
      priority: z.enum(["P0", "P1", "P2", "P3"]).describe("How soon it has to be mended"),
      confidence: z.number().min(0).max(1).describe("How sure you are, from 0 to 1"),
      file_path: z.string().min(1).describe("Path from the root"),
      line_start: line.describe("First line, from 1"),
      line_end: line.describe("Last line; the same for a single one"),
    }),
    async execute(finding) {
      if (finding.line_end < finding.line_start) return endsBeforeItsStart();
      findings.push(finding);
      return { content: `Finding ${findings.length} is noted.`, details: finding };
    },
  });
}

function endsBeforeItsStart(): Fault {
  return new Fault(
    "invalid_arguments",
    "line_end comes before line_start.",
    "Give the first and the last line of the finding; for a single line the same number twice.",
  );
}
