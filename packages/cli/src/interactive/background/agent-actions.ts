// What a person does to agents and to work in the background: say something to an agent, stop, tell, dismiss. Each returns what
// to say then, or a fault.

import { isAtWork } from "@stet/client/agents";
import type { Api } from "@stet/client/direct";
import type { AgentView } from "@stet/protocol/api/agents";
import { Fault, isFault } from "@stet/protocol/fault";
import { cleanLine, plural } from "../transcript/rows.ts";

/** It hears this after the running tool; one that has ended goes on in its own conversation. */
export async function tellAgent(
  api: Api<"sendMessage" | "run">,
  agent: AgentView,
  text: string,
): Promise<string | Fault> {
  const id = cleanLine(agent.agent_id);
  if (isAtWork(agent)) {
    if (agent.job_id === null) return notBegun(agent);
    const params = { job_id: agent.job_id };
    const said = await api.call("sendMessage", { params, body: { text, mode: "steer" } });
    return isFault(said) ? said : `${id} hears this after the running tool.`;
  }
  const body = {
    session_id: agent.session_id,
    instruction: text,
    tool_config: { max_tool_calls: "setting" as const },
  };
  const job = await api.call("run", { body });
  return isFault(job) ? job : `${id} goes on with this.`;
}

function notBegun({ agent_id: id }: AgentView): Fault {
  return new Fault(
    "job_not_ready",
    `${id} waits for its turn and has not begun.`,
    "Say it once it works, or stop it.",
    { agent: id },
  );
}

/** With whoever works for it. */
export async function stopAgent(
  api: Api<"cancelBackground">,
  session: string,
  { agent_id: id }: AgentView,
): Promise<string | Fault> {
  const reply = await api.call("cancelBackground", { params: { session_id: session }, body: { ids: [id] } });
  if (isFault(reply)) return reply;
  return reply.cancelled.length > 0
    ? `Stopped ${cleanLine(id)}.`
    : `${cleanLine(id)} does not work any more.`;
}

/** Commands, monitors, timers; all of them without ids. */
export async function stopWork(
  api: Api<"cancelBackground">,
  session: string,
  ids?: readonly string[],
): Promise<string | Fault> {
  const body = ids === undefined ? {} : { ids: [...ids] };
  const reply = await api.call("cancelBackground", { params: { session_id: session }, body });
  if (isFault(reply)) return reply;
  const [only, ...more] = reply.cancelled.map(cleanLine);
  if (only === undefined) return ids === undefined ? "Nothing runs." : "That does not run any more.";
  return more.length === 0 ? `Stopped ${only}.` : `Stopped ${[only, ...more].join(", ")}.`;
}

export async function deliverNow(
  api: Api<"deliver">,
  session: string,
  ids?: readonly string[],
): Promise<string | Fault> {
  const body = ids === undefined ? {} : { delivery_ids: [...ids] };
  const reply = await api.call("deliver", { params: { session_id: session }, body });
  if (isFault(reply)) return reply;
  if (reply.delivered === 0) return "Nothing waits any more.";
  return reply.job_id === null
    ? "The agent hears it in its turn."
    : "The agent is told, in a turn of its own.";
}

export async function dismiss(
  api: Api<"dismissDeliveries">,
  session: string,
  ids?: readonly string[],
): Promise<string | Fault> {
  const body = ids === undefined ? {} : { delivery_ids: [...ids] };
  const reply = await api.call("dismissDeliveries", { params: { session_id: session }, body });
  if (isFault(reply)) return reply;
  return reply.dismissed === 0
    ? "Nothing waits any more."
    : `Dropped ${plural(reply.dismissed, "message")}; the agent is not told.`;
}
