// A host's side of sending agents, for tests of the tools: whom was sent what is written down, and the test says how it ends.

import { type AgentBackground, Background } from "@stet/agent/background/background";
import { noUsage } from "@stet/protocol/message";
import type { AgentDefinition } from "@stet/tools/agents/agent-definition";
import type { ChildRequest, ChildResult, Delegation } from "@stet/tools/agents/delegation";
import { taskTool } from "@stet/tools/agents/task";
import { type ToolAnswer, toolAnswer } from "./tool-answer.ts";

export interface DelegationFixtureOptions extends Partial<Pick<Delegation, "isAsync" | "mode" | "refusal">> {
  readonly agents?: readonly AgentDefinition[];
  readonly standing?: Readonly<Record<string, { readonly agent: string; readonly isRunning: boolean }>>;
  readonly maxJobs?: number;
  readonly inherited?: ChildRequest["schema"];
}

export interface Sent extends ChildRequest {
  isCancelled: boolean;
  step: string;
  end(result?: Partial<ChildResult>): void;
}

export interface DelegationFixture {
  readonly whole: Background;
  readonly background: AgentBackground;
  readonly sent: readonly Sent[];
  /** The tool as it describes itself. */
  readonly description: string;
  readonly onSent: readonly number[];
  /** Calls task. */
  task(input: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<ToolAnswer>;
  /** Resolves when so many have been sent. */
  untilSent(count: number): Promise<void>;
}

export const scout: AgentDefinition = {
  name: "explore",
  source: "builtin",
  from: "",
  description: "Looks around",
  prompt: "",
};

export function delegationFixture(options: DelegationFixtureOptions = {}): DelegationFixture {
  const { agents = [scout], standing = {}, isAsync = false, mode = "default", maxJobs = 9 } = options;
  const whole = new Background({ isAsync, maxJobs });
  const background = whole.of("main");
  const sent: Sent[] = [];
  const waiting = new Set<{ readonly count: number; readonly resolve: () => void }>();
  let next = 0;
  const delegation: Delegation = {
    isAsync,
    mode,
    agents: async () => agents,
    refusal: options.refusal ?? (() => undefined),
    allocate: (wishes) => wishes.map((wish) => `${next++}-${wish}`),
    standing: (id) => standing[id],
    send(request) {
      const { promise: ended, resolve } = Promise.withResolvers<ChildResult>();
      const child: Sent = {
        ...request,
        isCancelled: false,
        step: "reads",
        end: (result) => resolve({ ...completed(request), ...result }),
      };
      request.signal?.addEventListener("abort", () =>
        child.end({ status: "aborted", exitCode: 1, output: "", abortReason: "stopped" }),
      );
      sent.push(child);
      for (const one of waiting) if (sent.length >= one.count) one.resolve();
      return {
        id: request.id,
        ended,
        step: () => child.step,
        cancel() {
          child.isCancelled = true;
          child.end({ status: "aborted", exitCode: 1, output: "" });
        },
      };
    },
  };
  const onSent: number[] = [];
  const tool = taskTool({
    delegation,
    background,
    agents,
    inherited: options.inherited,
    onSent: () => onSent.push(sent.length),
  });
  return {
    whole,
    background,
    sent,
    description: tool.description,
    onSent,
    task: (input, signal) => toolAnswer(tool, input, signal),
    untilSent(count) {
      const { promise, resolve } = Promise.withResolvers<void>();
      if (sent.length >= count) resolve();
      else waiting.add({ count, resolve });
      return promise;
    },
  };
}

function completed({ id, agent, description, assignment }: ChildRequest): ChildResult {
  return {
    id,
    agent: agent.name,
    agentSource: agent.source,
    description,
    assignment,
    status: "completed",
    exitCode: 0,
    output: `what ${id} found`,
    stderr: "",
    truncated: false,
    durationMs: 1500,
    usage: { ...noUsage, input: 100, output: 10 },
    changed: [],
    conflicts: [],
    findings: [],
  };
}
