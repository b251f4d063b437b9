// A person says something to an agent that has ended: it goes on in its own conversation, as a job like every other one, and
// what it changes lands in the review under its name.

import { Budget } from "@stet/model/budget";
import { mainAgent } from "@stet/protocol/events/new-event";
import { Fault, isFault } from "@stet/protocol/fault";
import type { ChildRequest } from "@stet/tools/agents/delegation";
import { isJtdProblem, jtdSchema } from "@stet/tools/agents/jtd";
import { policyOf } from "@stet/tools/toolset-policies";
import type { JobTurns, TurnHands } from "../jobs/run-job.ts";
import type { OpenSession } from "../open-sessions/open-session.ts";
import type { JobRecord } from "../store/store.ts";
import { budgetOf, type FinishedTurn, type TurnEvent } from "../turn/agent-turn.ts";
import { firstModel } from "../turn/choose-model.ts";
import type { TurnSurroundings } from "../turn/prepare-turn.ts";
import { keptChoices, modelFor, withChoices } from "../turn/session-choices.ts";
import type { ChildAgent } from "./child-agent.ts";
import { endedAgents } from "./child-session.ts";
import { EventChannel } from "./event-channel.ts";
import { runChild } from "./run-child.ts";
import type { ChildHosting, Sender } from "./sender.ts";

type Parts = Pick<JobTurns, "sessions" | "open" | "configuration"> & {
  readonly surroundings: TurnSurroundings;
};

export async function* askAgain(
  parts: Parts,
  { session: root, agent: id }: { readonly session: string; readonly agent: string },
  job: JobRecord,
  hands: TurnHands,
): AsyncGenerator<TurnEvent, FinishedTurn | Fault> {
  const record = await parts.sessions.record(root);
  const held = isFault(record) ? record : parts.sessions.hold(record);
  if (isFault(held)) return held;
  try {
    const open = await parts.open.of(held.session);
    if (isFault(open)) return open;
    const request = await requestFor(open, held.session, id, job.instruction);
    if (isFault(request)) return request;
    const sender = personAsSender(parts, held.session, job, hands);
    if (isFault(sender)) return sender;
    const child = open.tree.assign(request);
    const leave = parts.open.hosting.follow(job.id, child);
    try {
      return yield* through(open, sender, child, request, hands);
    } finally {
      leave();
    }
  } finally {
    held.release();
  }
}

async function requestFor(
  open: OpenSession,
  session: Parameters<typeof endedAgents>[0],
  id: string,
  assignment: string,
): Promise<ChildRequest | Fault> {
  const known = open.tree.get(id);
  if (known?.isAtWork) {
    return new Fault(
      "job_not_ready",
      `${id} is at work.`,
      "Send it a message instead: it hears that after the running tool.",
      { agent: id },
    );
  }
  const view = known?.view() ?? endedAgents(session).find(({ agent_id: name }) => name === id);
  const agents = await open.discover();
  const agent = agents.find(({ name }) => name.toLowerCase() === view?.agent.toLowerCase());
  if (view === undefined || agent === undefined || agent.problem !== undefined) {
    return new Fault(
      "session_not_found",
      view === undefined ? `No agent ${id} has worked here.` : `There is no agent ${view.agent} any more.`,
      "Begin a new one.",
      { agent: id },
    );
  }
  const schema = agent.output === undefined ? undefined : jtdSchema(agent.output);
  return {
    id,
    agent,
    description: view.description,
    assignment,
    context: undefined,
    schema: schema === undefined || isJtdProblem(schema) ? undefined : { schema, source: agent.output },
    isolated: view.isolation === "ledger" ? undefined : true,
  };
}

function personAsSender(
  { configuration, surroundings }: Parts,
  session: Parameters<typeof keptChoices>[0],
  job: JobRecord,
  hands: TurnHands,
): Sender | Fault {
  const configured = configuration();
  if (isFault(configured)) return configured;
  const choices = keptChoices(session);
  const settings = withChoices(configured.settings, choices);
  const asked = job.model || modelFor(session, settings, choices);
  return {
    id: mainAgent,
    depth: 0,
    agent: undefined,
    spawns: undefined,
    surroundings,
    settings,
    model: asked || firstModel(settings),
    isInteractive: true,
    budget: new Budget("this turn", budgetOf(settings)),
    permissionMode: () => keptChoices(session)["permission.mode"] ?? settings["permission.mode"],
    ask: hands.ask,
    turn: undefined,
    signal: hands.signal,
    isImmediate: policyOf(settings.toolset).writes === "immediate",
  };
}

/** The agent's turn is this job's: its events come out here. */
async function* through(
  open: OpenSession,
  sender: Sender,
  child: ChildAgent,
  request: ChildRequest,
  hands: TurnHands,
): AsyncGenerator<TurnEvent, FinishedTurn | Fault> {
  const channel = new EventChannel<TurnEvent>();
  let finished: FinishedTurn | Fault | undefined;
  const onAbort = () => child.stop.abort();
  hands.signal.addEventListener("abort", onAbort, { once: true });
  const hosting: ChildHosting = {
    async carryOut(_child, _request, run) {
      const running = run({ ...hands, signal: child.stop.signal });
      for (;;) {
        const step = await running.next();
        if (step.done) {
          finished = step.value;
          return step.value;
        }
        channel.put(step.value);
      }
    },
  };
  const working = runChild({ ...open.parts(), hosting }, sender, child, request);
  const done = open.tree.during(working).finally(() => channel.end());
  try {
    yield* channel.take();
    const result = await done;
    return finished ?? new Fault("subagent_failed", result.stderr || "It broke off.", "Ask it again.");
  } finally {
    hands.signal.removeEventListener("abort", onAbort);
    child.stop.abort();
    await done;
  }
}
