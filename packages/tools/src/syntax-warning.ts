// After a call that edited documents, a warning where one of them is no longer valid by the rules of its kind. For all
// toolsets: it looks at what the call did to the turn's documents, not at how. A call is never refused because of it.

import type { Tool, ToolContext, ToolOutcome } from "@stet/agent/tool";
import { type Fault, isFault } from "@stet/protocol/fault";
import { changesSince, type History } from "@stet/text/history";
import { syntaxProblem } from "@stet/text/syntax";
import type { Turn } from "@stet/workspace/turns/turns";
import type { Workspace } from "@stet/workspace/workspace";

export function withSyntaxWarning(tool: Tool, workspace: Workspace, turn: Turn): Tool {
  if (!tool.traits.includes("exclusive")) return tool;
  const execute = async (input: unknown, context: ToolContext): Promise<ToolOutcome | Fault> => {
    const before = turn.histories();
    const outcome = await tool.execute(input, context);
    if (isFault(outcome)) return outcome;
    const warnings: string[] = [];
    for (const [document, history] of turn.histories()) {
      if (before.get(document)?.revision === history.revision) continue;
      const row = workspace.documents.row(document);
      const name = row?.path ?? row?.title ?? undefined;
      const problem = name === undefined ? undefined : await problemOf(name, history);
      if (problem !== undefined) warnings.push(`${name}: ${problem}`);
    }
    return warnings.length === 0 ? outcome : { ...outcome, content: withText(outcome.content, warnings) };
  };
  return { ...tool, execute };
}

async function problemOf(name: string, history: History): Promise<string | undefined> {
  const [last] = lastChange(history);
  return last === undefined ? undefined : syntaxProblem(name, history.text, last.before);
}

/** None for a document that was only opened. */
function lastChange(history: History) {
  const changes = changesSince(history, history.revision - 1);
  return isFault(changes) ? [] : changes;
}

function withText(content: ToolOutcome["content"], warnings: readonly string[]): ToolOutcome["content"] {
  const told = `Warning: ${warnings.join(" ")} Nothing was refused; mend it if it was not meant.`;
  if (typeof content === "string") return `${content}\n${told}`;
  return Array.isArray(content) ? [...content, { type: "text", text: told }] : { ...content, warning: told };
}
