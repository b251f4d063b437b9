// What a turn gets of the other agents of its session: whom it may send, with whom it may speak, what they gave back.

import { mainAgent } from "@stet/protocol/events/new-event";
import type { AgentDefinition } from "@stet/tools/agents/agent-definition";
import type { AgentPorts } from "@stet/tools/agents/agent-tools";
import type { Assignment, ChildRequest, Delegation, SentChild } from "@stet/tools/agents/delegation";
import type { OtherAgents, TurnParts } from "../turn/agent-turn.ts";
import type { AgentParts } from "./agent-parts.ts";
import type { Sender } from "./sender.ts";

export interface OthersOptions {
  /** Of an agent that was sent. */
  readonly assignment?: Assignment;
  readonly allowed?: readonly string[] | undefined;
  /** Those that there are as the turn begins. */
  readonly known?: readonly AgentDefinition[];
  /** Whether the person has named one of them. */
  readonly isNamed?: boolean;
}

export function othersOf(parts: AgentParts, sender: Sender, options: OthersOptions): OtherAgents {
  const { tree } = parts;
  const { settings } = sender;
  const { assignment, allowed, known = [], isNamed = false } = options;
  return {
    join(turn: TurnParts): AgentPorts {
      const own: Sender = { ...sender, ...turn };
      return {
        delegation: maySend(own) ? delegationOf(parts, own) : undefined,
        known,
        messages: settings["irc.enabled"] ? tree.messagesOf(sender.id) : undefined,
        outputs: tree.outputs,
        assignment,
        allowed,
        isNamed,
      };
    },
    listen: (speaker) => tree.listenFor(sender.id, speaker),
  };
}

function maySend({ depth, spawns, settings }: Sender): boolean {
  return depth < settings["task.maxRecursionDepth"] && spawns?.length !== 0;
}

function delegationOf(parts: AgentParts, sender: Sender): Delegation {
  const { tree } = parts;
  const isMain = sender.id === mainAgent;
  // An agent that waits for others holds no place among those at work.
  let waitingFor = 0;
  const ended = async (running: Promise<unknown>) => {
    if (!isMain && waitingFor === 0) tree.slots.give();
    waitingFor += 1;
    try {
      return await running;
    } finally {
      waitingFor -= 1;
      if (!isMain && waitingFor === 0) await tree.slots.take(new AbortController().signal);
    }
  };
  return {
    isAsync: isMain && parts.isAsync,
    mode: sender.settings["task.simple"],
    agents: () => parts.discover(),
    refusal: (agent) => refusalOf(sender, agent),
    allocate: (wishes) => wishes.map((wish) => tree.allocate(wish, sender.id)),
    standing(id) {
      return tree.standing(id);
    },
    send(asked: ChildRequest): SentChild {
      // Of one that goes on by itself the call ends at once, and the sender may be stopped later.
      const request = { ...asked, signal: asked.signal ?? sender.signal };
      const child = tree.assign(request);
      const working = import("./run-child.ts").then(({ runChild }) =>
        runChild(parts, sender, child, request),
      );
      const result = tree.during(working);
      return {
        id: request.id,
        ended: ended(result).then(() => result),
        step: () => child.step,
        cancel: () => void tree.cancel(request.id),
      };
    },
  };
}

function refusalOf({ agent, spawns, depth, settings }: Sender, wanted: string): string | undefined {
  const name = wanted.toLowerCase();
  if (depth >= settings["task.maxRecursionDepth"])
    return `No agents can be sent from here: agents send others ${depth} deep at most (task.maxRecursionDepth).`;
  if (agent?.toLowerCase() === name) return `${agent} cannot send itself.`;
  const mayAll = spawns === undefined || spawns.includes("*");
  if (mayAll || spawns.some((each) => each.toLowerCase() === name)) return undefined;
  return `${agent ?? "This agent"} may send ${spawns.length === 0 ? "nobody" : spawns.join(", ")}, and not ${wanted}.`;
}
