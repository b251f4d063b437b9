// The agents of the session in the sidebar, and what goes on between its turns: a projection of what the server tells.
//
//   a session is shown ──▶ listAgents, listBackground
//   agent.changed ──▶ taken together a few times a second, so that a hundred agents cost the window no more than one
//   what changed while a list was on its way is applied once more on top of it: the list may be older

import { agentOfSession, isAtWork, rootSession, sumOfAgents } from "@stet/client/agents";
import type { AgentView } from "@stet/protocol/api/agents";
import type { Background } from "@stet/protocol/api/background";
import { isFault } from "@stet/protocol/fault";
import { noAnswer } from "@stet/protocol/question-text";
import { type Accessor, batch, createEffect, createMemo, createRoot, on } from "solid-js";
import { createStore, reconcile, type SetStoreFunction, type Store } from "solid-js/store";
import { type Agent, agentOf } from "../agent/agent.ts";
import { oneFor } from "../workspace/one-for.ts";
import { soon } from "../workspace/soon.ts";
import type { Workbench } from "../workspace/workbench.ts";
import { commandsIn } from "./work-words.ts";

/** With the time at which this window heard of it, so that its clock can go on. */
export type KnownAgent = AgentView & { readonly heardAt: number };

interface WorkState {
  agents: KnownAgent[];
  background: Background | null;
  /** Of the session; empty until it is asked for. */
  title: string;
}

const nothing = (): WorkState => ({ agents: [], background: null, title: "" });

const flushMs = 250;
const backgroundMs = 150;

export class SessionWork {
  readonly state: Store<WorkState>;
  /** The session of the conversation in the sidebar, also while that is an agent's. */
  readonly session: Accessor<string | null>;
  /** Whose conversation is in the sidebar; undefined where it is the session's own. */
  readonly shownAgent: Accessor<KnownAgent | undefined>;
  readonly hasWork: Accessor<boolean>;
  readonly #workbench: Workbench;
  readonly #agent: Agent;
  readonly #set: SetStoreFunction<WorkState>;
  readonly #changed = new Map<string, KnownAgent>();
  readonly #flushSoon = soon(flushMs, () => this.#flush());
  readonly #loadBackgroundSoon = soon(backgroundMs, () => void this.loadBackground());
  #reading = 0;

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
    this.#agent = agentOf(workbench);
    [this.state, this.#set] = createStore<WorkState>(nothing());
    [this.session, this.shownAgent, this.hasWork] = createRoot(() => {
      const session = createMemo(() => {
        const shown = this.#agent.state.session;
        return shown === null ? null : rootSession(shown);
      });
      createEffect(on(session, () => void this.#begin()));
      const shown = createMemo(() => this.known(agentOfSession(this.#agent.state.session)));
      return [session, shown, createMemo(() => this.#isAnyThere())] as const;
    });
    const { feed } = workbench;
    feed.on("agent.changed", ({ session_id: session, agent }) => {
      if (session === this.session()) this.#note(agent);
    });
    feed.on("background.changed", ({ session_id: session }) => {
      if (session === this.session()) this.#loadBackgroundSoon();
    });
    feed.onReturn(() => void this.#load());
  }

  #isAnyThere(): boolean {
    const { agents, background } = this.state;
    if (agents.length > 0) return true;
    if (background === null) return false;
    return commandsIn(background).length + background.timers.length + background.waiting.length > 0;
  }

  known(id: string | undefined): KnownAgent | undefined {
    return id === undefined ? undefined : this.state.agents.find(({ agent_id: known }) => known === id);
  }

  sum() {
    return sumOfAgents(this.state.agents);
  }

  /** Whether something is at work, or waits for the person. */
  isBusy(): boolean {
    const { agents, background } = this.state;
    if (agents.some(isAtWork)) return true;
    if (background === null) return false;
    const isRunning = commandsIn(background).some(({ status }) => status === "running");
    return isRunning || background.timers.length > 0 || background.waiting.length > 0;
  }

  /** Whether the session's own agent is at work, which then hears at its next step what waits for it. */
  isTurnAtWork(): boolean {
    return this.#workbench.state.jobs.some(({ session }) => session === this.session());
  }

  async #begin(): Promise<void> {
    this.#changed.clear();
    this.#set(reconcile(nothing()));
    await this.#load();
  }

  async #load(): Promise<void> {
    const session = this.session();
    if (session === null) return;
    this.#reading += 1;
    const params = { session_id: session };
    const isShownAgent = agentOfSession(this.#agent.state.session) !== undefined;
    const [listed, view] = await Promise.all([
      this.#workbench.client.call("listAgents", { params }),
      isShownAgent ? this.#workbench.client.call("getSession", { params }) : undefined,
      this.loadBackground(),
    ]);
    this.#reading -= 1;
    if (session !== this.session()) return;
    const heardAt = Date.now();
    batch(() => {
      if (view !== undefined && !isFault(view)) this.#set("title", view.title);
      if (!isFault(listed)) {
        const agents = listed.agents.map((agent) => ({ ...agent, heardAt }));
        this.#set("agents", reconcile(agents, { key: "agent_id" }));
      }
      this.#flush();
    });
  }

  async loadBackground(): Promise<void> {
    const session = this.session();
    if (session === null) return;
    const reply = await this.#workbench.client.call("listBackground", { params: { session_id: session } });
    if (session !== this.session() || isFault(reply)) return;
    // Each list has a key of its own.
    batch(() => {
      if (this.state.background === null) this.#set("background", reply);
      else {
        this.#set("background", "jobs", reconcile(reply.jobs, { key: "job_id" }));
        this.#set("background", "timers", reconcile(reply.timers, { key: "timer_id" }));
        this.#set("background", "waiting", reconcile(reply.waiting, { key: "delivery_id" }));
        this.#set("background", "autonomy", reply.autonomy);
      }
    });
  }

  #note(agent: AgentView): void {
    this.#changed.set(agent.agent_id, { ...agent, heardAt: Date.now() });
    this.#flushSoon();
  }

  #flush(): void {
    batch(() => {
      for (const agent of this.#changed.values()) {
        const at = this.state.agents.findIndex(({ agent_id: id }) => id === agent.agent_id);
        if (at < 0) this.#set("agents", this.state.agents.length, agent);
        else this.#set("agents", at, reconcile(agent));
      }
    });
    if (this.#reading === 0) this.#changed.clear();
  }

  /** Shows an agent's own conversation in the sidebar. */
  open({ session_id: session }: Pick<AgentView, "session_id">): void {
    this.#set("title", this.title());
    this.#workbench.layout.set({ isAgentOpen: true });
    void this.#agent.open(session);
  }

  /** Back to the conversation of the session. */
  openRoot(): void {
    const session = this.session();
    if (session !== null) void this.#agent.open(session);
  }

  /** Of the session, also while an agent's conversation is shown. */
  title(): string {
    const { session, title } = this.#agent.state;
    return agentOfSession(session) === undefined ? title : this.state.title;
  }

  /** An agent is stopped with all that it has sent. */
  async stop(ids?: readonly string[]): Promise<void> {
    const session = this.session();
    if (session === null) return;
    const params = { session_id: session };
    const body = ids === undefined ? {} : { ids: [...ids] };
    await this.#workbench.ask("cancelBackground", { params, body });
    await this.loadBackground();
  }

  /** Whether the answer was taken. Without one, the question is skipped. */
  async answer(agent: Pick<AgentView, "job_id">, question: string, answer = noAnswer): Promise<boolean> {
    if (agent.job_id === null) return false;
    const params = { job_id: agent.job_id };
    const body = { question_id: question, answer };
    return (await this.#workbench.ask("clarify", { params, body })) !== undefined;
  }

  /** Tells the agent what waits: those that are named, or all. */
  async deliver(ids?: readonly string[]): Promise<void> {
    const session = this.session();
    if (session === null) return;
    const body = ids === undefined ? {} : { delivery_ids: [...ids] };
    const told = await this.#workbench.ask("deliver", { params: { session_id: session }, body });
    if (told !== undefined && told.job_id !== null && this.#agent.state.session === session)
      this.#agent.follow(told.job_id);
    await this.loadBackground();
  }

  async dismiss(ids?: readonly string[]): Promise<void> {
    const session = this.session();
    if (session === null) return;
    const body = ids === undefined ? {} : { delivery_ids: [...ids] };
    await this.#workbench.ask("dismissDeliveries", { params: { session_id: session }, body });
    await this.loadBackground();
  }

  /** The command that the agent waits for goes on by itself. */
  async putInBackground(): Promise<void> {
    const session = this.session();
    if (session === null) return;
    const put = await this.#workbench.ask("putInBackground", { params: { session_id: session }, body: {} });
    if (put?.commands.length === 0) {
      this.#workbench.notices.tell({
        text: "No command could be put in the background.",
        detail: "It has just ended, or it has a terminal of its own.",
        tone: "plain",
      });
    }
  }
}

export const sessionWorkOf = oneFor((workbench: Workbench) => new SessionWork(workbench));
