// What the person says to the agent: a request, words while it works, an answer, a stop.

import { agentOfSession } from "@stet/client/agents";
import { isFault } from "@stet/protocol/fault";
import { noAnswer } from "@stet/protocol/question-text";
import { defaultToolset, type ToolsetName, toolsetNames } from "@stet/protocol/toolset";
import type { Workbench } from "../workspace/workbench.ts";
import type { Agent } from "./agent.ts";
import { giveBack } from "./composer-text.ts";

export type Mode = "steer" | "follow_up";

/** Whether it was taken. While the agent works, `mode` says when it is to hear of it. */
export async function say(agent: Agent, text: string, mode: Mode = "follow_up"): Promise<boolean> {
  const { job } = agent.state;
  if (job === null) return request(agent, text);
  const { client } = agent.workbench;
  const said = await client.call("sendMessage", { params: { job_id: job }, body: { text, mode } });
  if (!isFault(said)) {
    agent.sentHere.add(said.message_id);
    return true;
  }
  // It was done a moment ago: then this begins the next turn.
  const isDone = said.error === "job_not_ready" && agent.state.job !== job;
  return isDone ? request(agent, text) : agent.workbench.refuse(said);
}

export async function request(agent: Agent, text: string): Promise<boolean> {
  const { workbench } = agent;
  const session = await agent.ensureSession();
  await agent.settleModel();
  if (session === undefined) return false;
  agent.expect(text);
  // An agent that was sent works as it was sent.
  const isChild = agentOfSession(session) !== undefined;
  const model = isChild ? "" : agent.model();
  const toolset = isChild ? null : toolsetOf(agent);
  const job = await workbench.client.call("run", {
    body: {
      session_id: session,
      instruction: text,
      // A person's request may be about very many places; the API's own limit is meant for programs.
      tool_config: { max_tool_calls: "setting" },
      ...(model === "" ? {} : { model }),
      ...(toolset === null ? {} : { toolset }),
    },
  });
  if (isFault(job)) {
    agent.expectNothing();
    return workbench.refuse(job);
  }
  agent.sentHere.add(job.job_id);
  if (agent.state.session === session) agent.follow(job.job_id);
  return true;
}

/** The one that the next request is for; undefined until the server has said which there are. */
export function chosenToolset({ layout, state }: Workbench) {
  const wanted = layout.state.toolset ?? state.models?.toolset;
  const toolsets = state.models?.toolsets;
  return (
    toolsets?.find(({ name }) => name === wanted) ?? toolsets?.find(({ name }) => name === defaultToolset)
  );
}

/** The one that was chosen in this browser; null for the one that is set. */
export function toolsetOf({ workbench }: Agent): ToolsetName | null {
  return toolsetNames.find((name) => name === workbench.layout.state.toolset) ?? null;
}

export async function stopAgent(agent: Agent): Promise<void> {
  const { job } = agent.state;
  if (job === null) return;
  await agent.workbench.ask("cancelJob", { params: { job_id: job }, body: {} });
}

/** Takes back what the agent has not heard, into the composer. */
export async function takeBack(agent: Agent, message: string): Promise<void> {
  const { job } = agent.state;
  if (job === null) return;
  const params = { job_id: job, message_id: message };
  const taken = await agent.workbench.ask("withdrawMessage", { params });
  if (taken !== undefined) giveBack(taken.text);
}

/** Without an answer, the question is skipped. */
export async function answerQuestion(agent: Agent, question: string, answer = noAnswer): Promise<boolean> {
  const { job } = agent.state;
  if (job === null) return false;
  const params = { job_id: job };
  const body = { question_id: question, answer };
  return (await agent.workbench.ask("clarify", { params, body })) !== undefined;
}
