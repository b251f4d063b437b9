// The practice model's adapter to toolset code: read, search, find, edit, write, bash, job, ask. Which mode the tool `edit` is
// in is seen from its parameters; where these are not told any more, from how it was called.

import type { ToolDescription } from "@stet/protocol/model-stream";
import { editFile } from "./code-edit.ts";
import { readWhole } from "./code-read.ts";
import { createFile, runCommand } from "./code-run.ts";
import { CodeState, type EditMode, codeTools as tools } from "./code-state.ts";
import { callsTo } from "./fields.ts";
import type { Scope } from "./phrases.ts";
import type { Request } from "./request-lines.ts";
import { isFields, Obstacle, type Steps } from "./steps.ts";
import type { Ability, Toolset } from "./toolset.ts";

export const codeToolNames: readonly string[] = Object.values(tools);

const abilities: Readonly<Record<Ability, string>> = {
  search: tools.search,
  read: tools.read,
  list: tools.find,
  ask: tools.ask,
  edit: tools.edit,
};

export function codeTools(offeredTools: readonly ToolDescription[]): Toolset | undefined {
  const offered = new Set(offeredTools.map(({ name }) => name));
  if (!codeToolNames.some((name) => offered.has(name))) return undefined;
  const mode = modeOf(offeredTools.find(({ name }) => name === tools.edit));
  const state = new CodeState(callsTo(offeredTools, tools, {}, true), offered, mode);
  return {
    noun: "file",
    can: (ability) => offered.has(abilities[ability]),
    tool: (ability) => abilities[ability],
    place,
    skill: (_, request) => ownSkill(state, request),
    search: (query, thought, path, ignoresCase) => state.search(query, thought, path, ignoresCase),
    read: (path, thought) => readWhole(state, path, thought),
    list: (thought, prefix, names) => state.list(thought, prefix, names),
    ask: (question, options) => ask(state, question, options),
    edit: (reading, edit, options) => editFile(state, reading, [edit], options),
    editAll: (reading, edits, options) => editFile(state, reading, edits, options),
    isStopped: () => state.isStopped,
  };
}

function modeOf(edit: ToolDescription | undefined): EditMode {
  const properties = edit?.parameters.properties;
  if (!isFields(properties)) return "hashline";
  if ("input" in properties) {
    // Another mode has a parameter of that name, for patches. Without a description it is how the tool was called.
    const said = `${edit?.description ?? ""}${JSON.stringify(properties.input)}`;
    return said.includes("§") || said === "{}" ? "hashline" : "other";
  }
  if (!("path" in properties && "edits" in properties)) return "other";
  const edits = JSON.stringify(properties.edits);
  return edits.includes('"old_text"') || edits === "{}" ? "replace" : "other";
}

function ownSkill(state: CodeState, request: Request): Steps<string> | undefined {
  if (request.kind === "command" && state.has("bash")) return runCommand(state, request);
  if (request.kind === "create" && state.has("write")) return createFile(state, request);
  return undefined;
}

// biome-ignore lint/correctness/useYield: no file of a folder is in front, which needs no call to know.
function* place(scope: Scope): Steps<Scope> {
  return scope.kind === "current" ? { kind: "unsaid" } : scope;
}

const answerForm = /^(?:User selected|User provided custom input): /;

function* ask(state: CodeState, question: string, options: readonly string[]): Steps<string | Obstacle> {
  const text = yield* state.ask("ask", "This can be meant in more than one way, so I ask.", {
    questions: [{ id: "choice", question, options: options.map((label) => ({ label })) }],
  });
  const unanswered = new Obstacle("no_user_answer", "The question was not answered.");
  if (text instanceof Obstacle) return text.code === "skipped" ? unanswered : text;
  const answer = text.replace(answerForm, "").trim();
  return answer === "" ? unanswered : answer;
}
