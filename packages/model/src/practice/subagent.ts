// How the practice model answers as a subagent: a request that offers exactly one tool of the long-document tools, with the
// task as one line of JSON and the material between marks (tools/src/long-documents/subagent-prompt.ts).
//
// It counts, extracts and replaces. What needs understanding it declines in a sentence, which is no result, so the work that
// asked for it ends and says why.

import type { AssistantContent } from "@stet/protocol/message";
import type { ModelRequest } from "@stet/protocol/model-stream";
import { charactersIn, mergedCharacters } from "./subagent-characters.ts";
import { declined, type SubagentMaterial, type SubagentResult } from "./subagent-material.ts";
import { nameForms, namePlan } from "./subagent-names.ts";
import { pronounEditsIn, pronounIssuesIn } from "./subagent-pronouns.ts";
import { settingEdits, settingPlan, settingTerms } from "./subagent-setting.ts";
import { mergedPlot, mergedStyle, mergedSummary, plotOf, styleOf, summaryResult } from "./subagent-text.ts";

const skills: Readonly<Record<string, (material: SubagentMaterial) => SubagentResult>> = {
  report_characters: charactersIn,
  merge_characters: mergedCharacters,
  report_plot: plotOf,
  merge_plot: mergedPlot,
  report_style: styleOf,
  merge_style: mergedStyle,
  report_summary: summaryResult,
  merge_summary: mergedSummary,
  report_custom: () => declined("answer questions about a text"),
  merge_custom: () => declined("answer questions about a text"),
  report_name_forms: nameForms,
  plan_names: namePlan,
  edit_pronouns: pronounEditsIn,
  check_pronouns: pronounIssuesIn,
  report_terms: settingTerms,
  plan_changes: settingPlan,
  rewrite_lines: settingEdits,
};

/** Whether a request is to a subagent. Nobody watches its answer, so there is no need to take time over it. */
export function isSubagentRequest({ tools }: ModelRequest): boolean {
  return tools.length === 1 && Object.hasOwn(skills, tools[0]?.name ?? "");
}

/** Undefined where the request is not one to a subagent. */
export function subagentAnswer(request: ModelRequest): readonly AssistantContent[] | undefined {
  const [tool] = request.tools;
  const skill = tool !== undefined && isSubagentRequest(request) ? skills[tool.name] : undefined;
  const material = skill === undefined ? undefined : materialOf(request);
  if (tool === undefined || skill === undefined || material === undefined) return undefined;
  const result = skill(material);
  if (typeof result === "string") return [{ type: "text", text: result }];
  const id = `practice_${request.messages.length}`;
  return [{ type: "toolCall", id, name: tool.name, arguments: result }];
}

function materialOf({ messages }: ModelRequest): SubagentMaterial | undefined {
  const prompt = messages[0]?.content;
  if (typeof prompt !== "string") return undefined;
  const task = /^<task>(.*)<\/task>$/m.exec(prompt)?.[1];
  const document = between(prompt, "document");
  if (task === undefined || document === undefined) return undefined;
  try {
    const parsed: unknown = JSON.parse(task);
    if (typeof parsed !== "object" || parsed === null) return undefined;
    return { task: { ...parsed }, context: between(prompt, "context") ?? "", document };
  } catch {
    return undefined;
  }
}

function between(prompt: string, name: string): string | undefined {
  return new RegExp(`^<${name}-([0-9a-f]+)>\\n([\\s\\S]*?)\\n</${name}-\\1>$`, "m").exec(prompt)?.[2];
}
