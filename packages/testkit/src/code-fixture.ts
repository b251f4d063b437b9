// Tools of toolset code over a real folder, for one test: each call is a message of its own, unless several are sent at once.

import type { TestContext } from "node:test";
import { callTool } from "@stet/agent/call-tool";
import type { Tool } from "@stet/agent/tool";
import type { Fault } from "@stet/protocol/fault";
import type { Message } from "@stet/protocol/message";
import { optionTexts, questionText } from "@stet/protocol/question-text";
import type { CodeContext, CodeTool } from "@stet/tools/code/code-context";
import { CodeFiles } from "@stet/tools/code/code-files";
import { type CodeSettings, defaultCodeSettings } from "@stet/tools/code/code-settings";
import { Github, type GithubParts } from "@stet/tools/code/github/github";
import { Conflicts } from "@stet/tools/code/read/conflicts";
import type { ReadEffect } from "@stet/tools/permission/left-out";
import { Sight } from "@stet/tools/sight/sight";
import { withSight } from "@stet/tools/sight/with-sight";
import type { Turn } from "@stet/workspace/turns/turns";
import type { Workspace } from "@stet/workspace/workspace";
import { TestWorkspace } from "./workspace.ts";

export interface CodeAnswer {
  readonly text: string;
  readonly details: unknown;
  /** The fault's code. */
  readonly error: string | undefined;
  readonly isError: boolean;
  readonly content: readonly { readonly type: string }[];
}

export interface CodeFixture extends CodeCalls {
  readonly place: TestWorkspace;
}

/** The tools over a workspace that someone else opened, and closes. */
export interface CodeCalls {
  readonly workspace: Workspace;
  readonly turn: Turn;
  readonly context: CodeContext;
  /** One message with one call. */
  call(tool: string, input: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<CodeAnswer>;
  /** One message with several calls, carried out in order. */
  callAll(
    calls: readonly { tool: string; input: Readonly<Record<string, unknown>> }[],
  ): Promise<CodeAnswer[]>;
  /** What the tools reported while they worked. */
  readonly progress: readonly string[];
}

export interface CodeFixtureOptions {
  readonly settings?: Partial<CodeSettings>;
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** What the person answers; the first option unless given. */
  readonly answer?: (question: string, options: readonly string[]) => string;
  readonly permit?: CodeContext["permit"];
  readonly readEffect?: ReadEffect;
  readonly messages?: () => readonly Message[];
  /** Where GitHub is reached; without it, a gh is looked for where none is. */
  readonly github?: Pick<GithubParts, "environment" | "now" | "milliseconds">;
}

export async function openCodeFixture(
  t: TestContext,
  tools: readonly CodeTool[],
  options: CodeFixtureOptions = {},
): Promise<CodeFixture> {
  const place = new TestWorkspace(t, { ...options.files });
  const calls = codeCalls(await place.open(), tools, options);
  t.after(async () => (await calls.context.github()).close());
  return { place, ...calls };
}

export function codeCalls(
  workspace: Workspace,
  tools: readonly CodeTool[],
  options: Omit<CodeFixtureOptions, "files"> = {},
): CodeCalls {
  const turn = workspace.beginTurn({ summary: "test", isImmediate: true });
  const settings = { ...defaultCodeSettings, ...options.settings };
  const kept: string[] = [];
  const progress: string[] = [];
  const offered: Tool[] = [];
  const hidden: Tool[] = [];
  const sight = new Sight();
  sight.begin(turn.id);
  const reached = options.github ?? { environment: {} };
  const github = new Github({ workspace, settings: settings.github, ...reached });
  const context: CodeContext = {
    workspace,
    turn,
    settings,
    files: new CodeFiles(workspace, turn, () => options.readEffect ?? (() => "allow")),
    sight,
    conflicts: new Conflicts(),
    display: settings.editMode === "hashline" ? "anchors" : "numbers",
    ask: async (question) => {
      const texts = optionTexts(question);
      return options.answer?.(questionText(question), texts) ?? texts[0] ?? "";
    },
    isInteractive: true,
    messages: options.messages ?? (() => []),
    keepArtifact: (text) => `artifact://${kept.push(text)}`,
    readArtifact: (number, { line }, { maxLines }) => {
      const lines = (kept[number - 1] ?? "").split("\n");
      const text = lines.slice(line - 1, line - 1 + maxLines).join("\n");
      return { text, totalLines: lines.length, next: undefined };
    },
    permit: options.permit ?? (async () => undefined),
    readEffect: () => options.readEffect ?? (() => "allow"),
    local: { folder: undefined, session: turn.id },
    github: async () => github,
    shelf: {
      offered,
      hidden,
      offer(names) {
        for (const tool of hidden) {
          if (names.includes(tool.name) && !offered.includes(tool)) offered.push(tool);
        }
      },
    },
  };
  offered.push(...tools.map((tool) => withSight(tool(context), sight)));
  let batch = 0;
  const one = async (
    name: string,
    input: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<CodeAnswer> => {
    const call = { type: "toolCall" as const, id: `call_${Math.random()}`, name, arguments: input };
    const { result, error } = await callTool(call, {
      batch: String(batch),
      tools: offered,
      signal,
      progress: (text) => progress.push(text),
      keepArtifact: context.keepArtifact,
    });
    const text = result.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
    const { details, isError, content } = result;
    return { text, details, error, isError, content };
  };
  return {
    workspace,
    turn,
    context,
    progress,
    call(tool, input, signal = new AbortController().signal) {
      batch += 1;
      return one(tool, input, signal);
    },
    async callAll(calls) {
      batch += 1;
      const answers: CodeAnswer[] = [];
      for (const { tool, input } of calls) answers.push(await one(tool, input, new AbortController().signal));
      return answers;
    },
  };
}

/** The details of a fault, for looking into. */
export function faultDetails(answer: CodeAnswer): Fault["details"] {
  const fault = answer.details as Fault;
  return fault.details;
}
