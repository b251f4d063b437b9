// What goes on in the session that is open beside its turn: agents, commands, monitors, timers, and what waits to be told. A
// projection: read when the session is another one, then kept by the events of the workspace's log.
//
//   another session ──▶ both lists are read
//   agent.changed ──▶ that agent is replaced; one that comes while the list is read holds over the list
//   background.changed ──▶ the list of the rest is read again

import { agentTree, isAtWork, withAgent } from "@stet/client/agents";
import type { Api } from "@stet/client/direct";
import type { QuestionItem } from "@stet/client/items";
import type { AgentView } from "@stet/protocol/api/agents";
import type { Background } from "@stet/protocol/api/background";
import type { LogEvent } from "@stet/protocol/events/log-event";
import { isFault } from "@stet/protocol/fault";

export interface BackgroundParts {
  readonly api: Api<"listAgents" | "listBackground">;
  /** The session that is open; empty for one that does not exist yet. */
  readonly session: () => string;
  readonly now?: () => number;
}

/** What an agent asks the person. */
export interface AgentQuestion {
  readonly agent: AgentView;
  /** The job that waits for the answer. */
  readonly job: string;
  readonly item: QuestionItem;
}

const nothing: Background = {
  jobs: [],
  timers: [],
  waiting: [],
  autonomy: { mode: "ask", turns: 0, cost_usd: 0, held: null },
};

export class SessionBackground {
  readonly #parts: BackgroundParts;
  readonly #now: () => number;
  readonly #listeners = new Set<() => void>();
  /** When each agent was heard of last, for the time that it has worked since. */
  readonly #heardAt = new Map<string, number>();
  #agents: readonly AgentView[] = [];
  #rest: Background = nothing;
  #session = "";
  /** Agents that changed while they are read. */
  #changed: AgentView[] | undefined;
  #isClosed = false;

  constructor(parts: BackgroundParts) {
    this.#parts = parts;
    this.#now = parts.now ?? (() => performance.now());
  }

  /** In the order in which they began. */
  get agents(): readonly AgentView[] {
    return this.#agents;
  }

  get tree() {
    return agentTree(this.#agents);
  }

  get working(): readonly AgentView[] {
    return this.#agents.filter(isAtWork);
  }

  get background(): Background {
    return this.#rest;
  }

  /** Commands and monitors; agents are in a list of their own. */
  get commands() {
    return this.#rest.jobs.filter(({ type, status }) => type !== "task" && status === "running");
  }

  get questions(): readonly AgentQuestion[] {
    return this.#agents.flatMap((agent): AgentQuestion[] => {
      const { question, job_id: job } = agent;
      if (question === null || job === null) return [];
      const { question_id: questionId, asked } = question;
      const key = `question:${agent.agent_id}:${questionId}`;
      return [{ agent, job, item: { kind: "question", key, questionId, asked, answer: null } }];
    });
  }

  /** Milliseconds that it has worked. */
  workedMs({ agent_id: id, duration_ms: known, status }: AgentView): number {
    const heard = this.#heardAt.get(id);
    return status === "running" && heard !== undefined ? known + this.#now() - heard : known;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The session may be another one. */
  look(): void {
    const id = this.#parts.session();
    if (id === this.#session) return;
    this.#session = id;
    this.#agents = [];
    this.#rest = nothing;
    this.#heardAt.clear();
    this.#tell();
    void this.refresh();
  }

  hear({ type, data }: LogEvent): void {
    if (type === "log.truncated") void this.refresh();
    else if (type === "agent.changed" && data.session_id === this.#session) this.#take(data.agent);
    else if (type === "background.changed" && data.session_id === this.#session) void this.readRest();
  }

  #take(agent: AgentView): void {
    this.#changed?.push(agent);
    this.#heardAt.set(agent.agent_id, this.#now());
    this.#agents = withAgent(this.#agents, agent);
    this.#tell();
  }

  async refresh(): Promise<void> {
    await Promise.all([this.#readAgents(), this.readRest()]);
  }

  async #readAgents(): Promise<void> {
    const session = this.#session;
    if (session === "") return;
    this.#changed = [];
    const reply = await this.#parts.api.call("listAgents", { params: { session_id: session } });
    const changed = this.#changed ?? [];
    this.#changed = undefined;
    // What cannot be read now is read with the next event; whoever needs it to act is told the fault then.
    if (session !== this.#session || isFault(reply)) return;
    const now = this.#now();
    for (const { agent_id: id } of reply.agents) this.#heardAt.set(id, now);
    this.#agents = changed.reduce(withAgent, reply.agents);
    this.#tell();
  }

  /** Everything but the agents. */
  async readRest(): Promise<void> {
    const session = this.#session;
    if (session === "") return;
    const reply = await this.#parts.api.call("listBackground", { params: { session_id: session } });
    if (session !== this.#session || isFault(reply)) return;
    this.#rest = reply;
    this.#tell();
  }

  close(): void {
    this.#isClosed = true;
    this.#listeners.clear();
  }

  #tell(): void {
    if (this.#isClosed) return;
    for (const listener of [...this.#listeners]) listener();
  }
}
