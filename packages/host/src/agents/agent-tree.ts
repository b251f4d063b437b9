// The agents of one session as a tree: who was sent by whom, what each does, and how they speak with each other.
//
// So many work at the same time; the others wait in the order in which they came. An agent that waits for those that it has
// sent holds no place meanwhile: otherwise agents that all wait for others would wait for ever.

import type { Inbox } from "@stet/agent/inbox";
import { Slots } from "@stet/agent/slots";
import type { AgentView } from "@stet/protocol/api/agents";
import { mainAgent } from "@stet/protocol/events/new-event";
import { Fault } from "@stet/protocol/fault";
import { uniqueSuffix } from "@stet/protocol/ids";
import type { AgentMessages, ChildRequest, ChildStanding, Peer, Said } from "@stet/tools/agents/delegation";
import type { Speaker } from "../turn/agent-turn.ts";
import { AgentIds, agentIdsIn, childSessionId, depthOf, senderOf } from "./agent-ids.ts";
import { StoredOutputs } from "./agent-outputs.ts";
import { ChildAgent } from "./child-agent.ts";
import { replyOf } from "./reply.ts";

export interface AgentTreeOptions {
  /** The session's id. */
  readonly session: string;
  /** Its folder of artifacts; undefined for one that leaves nothing behind. */
  readonly folder: string | undefined;
  readonly maxConcurrency: number;
  /** Agents that have ended in the session before this process, as it has them. */
  readonly ended?: () => readonly AgentView[];
}

type Listener = (child: ChildAgent, isStatus: boolean) => void;

interface Seat {
  readonly speaker: Speaker;
  isAtWork: boolean;
}

export class AgentTree {
  readonly session: string;
  readonly folder: string | undefined;
  readonly outputs: StoredOutputs;
  readonly slots: Slots;
  readonly #ids: AgentIds;
  /** Names of agents of before this process, and their views: read where one of them is asked for. */
  readonly #isBefore: ReadonlySet<string>;
  readonly #readBefore: () => readonly AgentView[];
  #before: ReadonlyMap<string, AgentView> | undefined;
  readonly #children = new Map<string, ChildAgent>();
  readonly #listeners = new Set<Listener>();
  /** Who can be spoken with, by id. */
  readonly #seats = new Map<string, Seat>();
  readonly #underWay = new Set<Promise<unknown>>();

  constructor({ session, folder, maxConcurrency, ended = () => [] }: AgentTreeOptions) {
    this.session = session;
    this.folder = folder;
    this.outputs = new StoredOutputs(folder);
    this.slots = new Slots(maxConcurrency);
    const before = agentIdsIn(folder);
    this.#ids = new AgentIds(before);
    this.#isBefore = new Set(before);
    this.#readBefore = ended;
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** In the order in which they were sent. */
  all(): ChildAgent[] {
    return [...this.#children.values()];
  }

  get(id: string): ChildAgent | undefined {
    return this.#children.get(id);
  }

  /** Whether any of them is at work or waits for that. */
  get isAtWork(): boolean {
    return this.all().some((child) => child.isAtWork);
  }

  allocate(wish: string, parent: string): string {
    return this.#ids.allocate(wish, parent === mainAgent ? undefined : parent);
  }

  /** Whether an agent of this name works or has worked here, also before this process. */
  standing(id: string): ChildStanding | undefined {
    const child = this.#children.get(id);
    if (child !== undefined) return { agent: child.definition.name, isRunning: child.isAtWork };
    const before = this.#viewBefore(id);
    return before && { agent: before.agent, isRunning: false };
  }

  #viewBefore(id: string): AgentView | undefined {
    if (!this.#isBefore.has(id)) return undefined;
    this.#before ??= new Map(this.#readBefore().map((view) => [view.agent_id, view]));
    return this.#before.get(id);
  }

  /** The agent of this name with its new piece of work; a new one where there is none yet. */
  assign(request: ChildRequest): ChildAgent {
    const { id } = request;
    const known = this.#children.get(id);
    if (known !== undefined) {
      known.assign(request);
      return known;
    }
    const place = {
      id,
      parent: senderOf(id),
      depth: depthOf(id),
      session: childSessionId(this.session, id),
    };
    const tell = (changed: ChildAgent, isStatus: boolean) => this.#tell(changed, isStatus);
    const child = new ChildAgent(place, request, tell, this.#viewBefore(id));
    this.#children.set(id, child);
    child.assign(request);
    return child;
  }

  #tell(child: ChildAgent, isStatus: boolean): void {
    for (const listener of this.#listeners) listener(child, isStatus);
  }

  /** Stops an agent and all that it has sent. False where it is not at work. */
  cancel(id: string): boolean {
    const below = this.all().filter(({ place }) => place.id === id || place.id.startsWith(`${id}.`));
    const working = below.filter((child) => child.isAtWork);
    for (const { stop } of working) stop.abort();
    return working.length > 0;
  }

  cancelAll(): void {
    for (const child of this.all()) child.stop.abort();
  }

  /** Something of an agent is under way: its work, or telling the session of its end. */
  async during<T>(action: Promise<T>): Promise<T> {
    this.#underWay.add(action);
    try {
      return await action;
    } finally {
      this.#underWay.delete(action);
    }
  }

  /** Resolves when nothing of them is under way any more. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled([...this.#underWay]);
  }

  /** From now on others can speak with this agent; what is returned ends that its turn hears them at once. */
  listenFor(id: string, speaker: Speaker): () => void {
    const seat: Seat = { speaker, isAtWork: true };
    this.#seats.set(id, seat);
    return () => {
      seat.isAtWork = false;
    };
  }

  /** The other agents, as one of them speaks to them. */
  messagesOf(self: string): AgentMessages {
    return {
      self,
      peers: () => this.#peersOf(self),
      say: (to, message, awaitReply, signal) => this.#say({ from: self, to, message, awaitReply }, signal),
    };
  }

  #peersOf(self: string): Peer[] {
    return [...this.#seats].flatMap(([id, { isAtWork }]): Peer[] => {
      const child = this.#children.get(id);
      const isGone = id !== mainAgent && (child === undefined || child.status === "aborted");
      if (id === self || isGone) return [];
      return [
        {
          id,
          agent: child?.definition.name ?? mainAgent,
          status: isAtWork ? "running" : "idle",
          description: child?.description ?? "the session's own agent",
        },
      ];
    });
  }

  async #say(
    { from, to, message, awaitReply }: { from: string; to: string; message: string; awaitReply: boolean },
    signal: AbortSignal,
  ): Promise<Said | Fault> {
    const seat = this.#seats.get(to);
    if (seat === undefined)
      return new Fault("unknown_address", `There is no agent ${to}.`, "List them with irc.");
    if (!awaitReply) {
      hear(seat.speaker.inbox, from, incoming(from, message));
      return { reply: undefined };
    }
    const reply = await replyOf(seat.speaker, from, message, signal);
    if (typeof reply !== "string") return reply;
    // It finds in its conversation what it was asked and what it said, though neither was a part of its work.
    hear(seat.speaker.inbox, from, `${incoming(from, message)}\n[You answered: ${reply}]`);
    return { reply };
  }
}

/** Told when its next request is made; to one that has ended, when it is asked again. */
function hear(inbox: Inbox | undefined, from: string, text: string): void {
  const source = { kind: "agent", id: from, label: text } as const;
  inbox?.deliver({ id: `irc-${uniqueSuffix()}`, source, text, at: Date.now() });
}

function incoming(from: string, message: string): string {
  return `<irc from="${from}">\n${message.replaceAll("</irc", "<\\/irc")}\n</irc>`;
}
