// Documents in tabs, a locked turn over them, and the tools of toolset tabs, for one test.

import type { TestContext } from "node:test";
import { callTool } from "@stet/agent/call-tool";
import { Subagents } from "@stet/agent/subagents";
import type { Tool } from "@stet/agent/tool";
import { runTurn } from "@stet/agent/turn-loop";
import { Budget } from "@stet/model/budget";
import type { Message, ToolResultMessage } from "@stet/protocol/message";
import type { ModelRequest } from "@stet/protocol/model-stream";
import { Sight } from "@stet/tools/sight/sight";
import { defaultTokenBudget, type TabsContext } from "@stet/tools/tabs/tabs-context";
import { tabsToolset } from "@stet/tools/tabs/tabs-toolset";
import type { Toolset } from "@stet/tools/toolset";
import type { Turn } from "@stet/workspace/turns/turns";
import type { Workspace } from "@stet/workspace/workspace";
import { modelOf, type PlayedReply } from "./model-of.ts";
import { must, TestWorkspace } from "./workspace.ts";

export interface TabsAnswer {
  readonly [field: string]: unknown;
}

type Called = NonNullable<PlayedReply["calls"]>;

/** The call or calls of one message, given the answers to those before. */
export type PlayedCall = (answers: readonly TabsAnswer[]) => Called[number] | Called;

/** Subagents whose answers are the arguments that are given here, by the name of the tool that they are offered. */
export function subagentsOf(
  answers: Readonly<Record<string, (request: ModelRequest) => Record<string, unknown>>>,
): Subagents {
  const model = modelOf((request) => {
    const name = request.tools?.[0]?.name ?? "";
    const answer = answers[name];
    if (answer === undefined) throw new Error(`no subagent was expected to be offered ${name}`);
    return { calls: [{ name, arguments: answer(request) }] };
  });
  return new Subagents({ model, budget: new Budget("test") });
}

export class TabsFixture {
  readonly place: TestWorkspace;
  readonly workspace: Workspace;
  readonly turn: Turn;
  readonly toolset: Toolset;
  /** In the order of the files. */
  readonly tabs: readonly string[];
  #calls = 0;

  private constructor(
    place: TestWorkspace,
    workspace: Workspace,
    turn: Turn,
    toolset: Toolset,
    tabs: readonly string[],
  ) {
    this.place = place;
    this.workspace = workspace;
    this.turn = turn;
    this.toolset = toolset;
    this.tabs = tabs;
  }

  /** Each file in a tab, the first in front. */
  static async open(
    t: TestContext,
    files: Record<string, string | Uint8Array>,
    options: Partial<TabsContext> = {},
  ): Promise<TabsFixture> {
    const place = new TestWorkspace(t, files);
    const workspace = await place.open();
    const tabs = Object.keys(files).map((name) => must(workspace.tabs.open(name)).tab_id);
    if (tabs[0] !== undefined) must(workspace.tabs.activate(tabs[0]));
    const turn = must(workspace.beginLockedTurn({ summary: "test" }));
    const toolset = tabsToolset({
      workspace,
      turn,
      tokenBudget: defaultTokenBudget,
      meaning: undefined,
      subagents: undefined,
      sight: new Sight(),
      ...options,
    });
    return new TabsFixture(place, workspace, turn, toolset, tabs);
  }

  get tools(): readonly Tool[] {
    return this.toolset.tools;
  }

  /** What the model is told. */
  async call(name: string, input: Record<string, unknown> = {}): Promise<TabsAnswer> {
    this.#calls += 1;
    const call = { type: "toolCall", id: `call_${this.#calls}`, name, arguments: input } as const;
    const batch = `call ${this.#calls}`;
    const signal = AbortSignal.timeout(60_000);
    const { result } = await callTool(call, { batch, tools: this.tools, signal, progress: () => {} });
    return answerOf(result);
  }

  /** One turn of a model that makes these calls; returns what it was told. */
  async play(...calls: readonly PlayedCall[]): Promise<TabsAnswer[]> {
    const messages: Message[] = [{ role: "user", content: "Go.", timestamp: 0 }];
    const answers = () =>
      messages.flatMap((message) => (message.role === "toolResult" ? [answerOf(message)] : []));
    const model = modelOf((_, index) => {
      const call = calls[index];
      return call === undefined ? { text: "Done." } : { calls: [call(answers())].flat() };
    });
    const conversation = {
      messages: () => messages,
      append: (message: Message) => void messages.push(message),
      compact: () => {},
    };
    const { system, tools, state } = this.toolset;
    for await (const _ of runTurn({ model, system, conversation, tools, state })) {
      // The messages are what is looked at.
    }
    return answers();
  }

  /** The text of a tab as the turn sees it. */
  text(tab?: string): string {
    return must(this.workspace.tabs.in(this.turn, tab)).history.text.toString();
  }
}

function answerOf({ content }: ToolResultMessage): TabsAnswer {
  const [part] = content;
  return JSON.parse(part?.type === "text" ? part.text : "null");
}
