// The session that the terminal shows, as items: a projection of what the host tells, and what the person does in it.
//
//   open ──▶ session, newest messages ──▶ follow the job at work
//   a job ends ──▶ its items stay as they were shown, and what the session has of them is known: rows in the terminal's
//                  history cannot change, so nothing is shown a second time in another form
//   the session changes elsewhere ──▶ what it has more is added; where another branch is open, everything is shown anew

import { restItems } from "@stet/client/conversation-items";
import type { Api, CallableRoute } from "@stet/client/direct";
import { emptyView, fold, type QueuedText, type TurnView } from "@stet/client/fold";
import type { Item } from "@stet/client/items";
import { sessionItems } from "@stet/client/session-items";
import type { SessionMessage, SessionUse } from "@stet/protocol/api/sessions";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { Choices, Conversation, SendOptions, SentImage } from "../app.ts";
import type { Connection } from "./connection.ts";
import { isBefore, pageLength, readSession } from "./read-session.ts";
import { SettledItems } from "./settled-items.ts";
import { turnChoices } from "./turn-choices.ts";

export interface ConversationOptions {
  readonly connection: Pick<Connection, "api" | "follow">;
  /** What the command line chose; the session keeps it from its first turn on. */
  readonly chosen?: Choices;
  /** The toolset of a session in which none was chosen; undefined where the configuration names one. */
  readonly toolset?: string | undefined;
  /** Called when a job has ended. */
  readonly onEnd?: (turn: TurnView) => void;
  /** Called with what cannot be told by items. */
  readonly onFault?: (fault: Fault) => void;
}

/** A session that changes is read again at most this often, in milliseconds. */
const refreshEveryMs = 150;

export class OpenConversation implements Conversation {
  id = "";
  title = "";
  turn: TurnView | undefined;
  runningJob: string | undefined;
  use: SessionUse | undefined;
  /** Whether the session has more messages than are shown. */
  hasMore = false;
  /** Counts up when everything is to be shown anew: another session, or another branch of it. */
  generation = 0;
  readonly #options: ConversationOptions;
  readonly #listeners = new Set<() => void>();
  /** What the session was when it was read, and the items of turns that ended since. */
  readonly settled = new SettledItems();
  #known: readonly SessionMessage[] = [];
  /** Ids of entries that are shown, in whichever form. */
  readonly #shown = new Set<string>();
  #lastJob: Parameters<typeof restItems>[0]["lastJob"] = null;
  #pending: string | null = null;
  #kept: Choices = {};
  #chosen: Choices;
  #items: readonly Item[] | undefined;
  #stop = new AbortController();
  #refreshing: NodeJS.Timeout | undefined;
  readonly #over = new Set<string>();

  constructor(options: ConversationOptions) {
    this.#options = options;
    this.#chosen = options.chosen ?? {};
  }

  get #api(): Api<CallableRoute> {
    return this.#options.connection.api;
  }

  get items(): readonly Item[] {
    this.#items ??= [...this.settled.items, ...this.live, ...this.#rest()];
    return this.#items;
  }

  /** Items of the job at work, with what stands for the moment before it begins. */
  get live(): readonly Item[] {
    return this.turn?.items ?? [];
  }

  get tail(): readonly Item[] {
    return this.#rest();
  }

  get queued(): readonly QueuedText[] {
    return this.turn?.queued ?? [];
  }

  get choices(): Choices {
    return { ...this.#kept, ...this.#chosen };
  }

  get defaultToolset(): string | undefined {
    return this.#options.toolset;
  }

  get hasAnswers(): boolean {
    return this.#known.some(({ kind }) => kind === "assistant");
  }

  /** A message was sent, and its job has not begun. */
  get isStarting(): boolean {
    return this.#pending !== null;
  }

  /** The question that waits for an answer. */
  get question() {
    const asked = this.live.findLast((item) => item.kind === "question");
    return asked?.kind === "question" && asked.questionId !== null ? asked : undefined;
  }

  #rest(): Item[] {
    return restItems(
      {
        isWorking: this.runningJob !== undefined,
        live: this.live,
        liveSince: this.turn?.since ?? null,
        pending: this.#pending,
        lastJob: this.#lastJob,
      },
      this.#known,
    );
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #changed(): void {
    this.#items = undefined;
    for (const listener of [...this.#listeners]) listener();
  }

  /** Shows a session, or one that does not exist yet. What was chosen for the one before does not come along. */
  async open(id: string | undefined): Promise<Fault | undefined> {
    this.#letGo();
    this.#chosen = id === undefined ? this.#chosen : {};
    this.id = id ?? "";
    this.title = "";
    this.use = undefined;
    this.hasMore = false;
    this.#kept = {};
    this.#show([]);
    if (id === undefined) {
      this.#changed();
      return undefined;
    }
    return this.#read();
  }

  #letGo(): void {
    this.#stop.abort();
    this.#stop = new AbortController();
    clearTimeout(this.#refreshing);
    this.#refreshing = undefined;
    this.turn = undefined;
    this.runningJob = undefined;
    this.#pending = null;
    this.#lastJob = null;
  }

  #show(messages: readonly SessionMessage[]): void {
    this.generation += 1;
    this.settled.replace(sessionItems(messages));
    this.#known = messages;
    this.#shown.clear();
    for (const { entry_id: entry } of messages) this.#shown.add(entry);
  }

  close(): void {
    this.#letGo();
    this.#listeners.clear();
  }

  async refresh(): Promise<void> {
    const fault = await this.#read();
    if (fault !== undefined) this.#options.onFault?.(fault);
  }

  /** What it says is on the screen already, in another form. */
  markShown(entry: string): void {
    this.#shown.add(entry);
  }

  /** A job began in this session, in whichever front end. */
  hearJob(job: string): void {
    this.#follow(job);
  }

  /** The session changed; other changes that follow at once are read with it. */
  refreshSoon(): void {
    this.#refreshing ??= setTimeout(() => {
      this.#refreshing = undefined;
      void this.refresh();
    }, refreshEveryMs);
  }

  async #read(): Promise<Fault | undefined> {
    const { id } = this;
    if (id === "") return undefined;
    const { signal } = this.#stop;
    const read = await readSession(this.#api, id);
    if (signal.aborted || this.id !== id) return undefined;
    if (isFault(read)) return read;
    const { view, page, last } = read;
    this.title = view.title;
    this.use = view.use;
    this.#kept = view.choices;
    // How a job ended that was followed here is shown already.
    this.#lastJob = last === undefined || this.#over.has(last.job_id) ? null : last;
    const atWork = last?.job_id === view.running_job_id ? this.#lastJob : null;
    this.#take(page.messages, page.has_more, this.turn?.since ?? atWork?.created_at);
    this.#changed();
    if (view.running_job_id !== null) this.#follow(view.running_job_id);
    return undefined;
  }

  /**
   * Adds what is new; a conversation that went on from elsewhere is shown anew. `since` is when the job at work began: what it
   * says is shown as it says it.
   */
  #take(messages: readonly SessionMessage[], hasMore: boolean, since: string | undefined): void {
    // A job that begins and is not known yet: its first events lead here again.
    if (since === undefined && (this.runningJob !== undefined || this.isStarting)) return;
    const last = this.#known.at(-1);
    const isAhead = last === undefined || messages.some(({ entry_id: entry }) => entry === last.entry_id);
    if (!isAhead && this.runningJob !== undefined) return;
    const told = since === undefined ? messages : messages.filter((one) => isBefore(one, since));
    if (last === undefined || !isAhead) {
      if (told.length > 0 || !isAhead) this.#show(told);
      this.hasMore = hasMore;
    } else {
      const added = told.filter(({ entry_id: entry }) => !this.#shown.has(entry));
      for (const { entry_id: entry } of added) this.#shown.add(entry);
      if (added.length > 0) this.settled.add(sessionItems(added));
    }
    this.#known = messages;
  }

  #follow(job: string): void {
    if (this.runningJob !== undefined || this.#over.has(job)) return;
    this.runningJob = job;
    this.turn = emptyView;
    this.#changed();
    void this.#readJob(job, this.#stop.signal);
  }

  /** A session that was read as a job began has what it had said by then; its events say that again. */
  #showOnce(since: string): void {
    const known = this.#known;
    if (known.every((one) => isBefore(one, since) || !this.#shown.has(one.entry_id))) return;
    this.#show(known.filter((one) => isBefore(one, since)));
    this.#known = known;
  }

  async #readJob(job: string, signal: AbortSignal): Promise<void> {
    const stop = new AbortController();
    const until = AbortSignal.any([signal, stop.signal]);
    const events = this.#options.connection.follow({ job, cursor: 0, signal: until });
    for (;;) {
      const next = await events.next();
      if (signal.aborted) return;
      if (next.done === true) {
        if (isFault(next.value)) this.#options.onFault?.(next.value);
        break;
      }
      const before = this.turn ?? emptyView;
      this.turn = fold(before, next.value);
      if (before.since === undefined && this.turn.since !== undefined) this.#showOnce(this.turn.since);
      this.use = this.turn.use ?? this.use;
      if (this.turn.items.length > 0) this.#pending = null;
      this.#changed();
      if (this.turn.end !== undefined) break;
    }
    stop.abort();
    await events.return(undefined);
    await this.#finish(job, signal);
  }

  /** The items of the turn stay; what the session has of it now counts as shown. */
  async #finish(job: string, signal: AbortSignal): Promise<void> {
    const turn = this.turn ?? emptyView;
    this.#over.add(job);
    const { id } = this;
    const page = await this.#api.call("sessionMessages", {
      params: { session_id: id },
      query: { limit: pageLength },
    });
    if (signal.aborted) return;
    this.settled.add(turn.items);
    this.turn = undefined;
    this.runningJob = undefined;
    this.#pending = null;
    if (!isFault(page)) {
      this.#known = page.messages;
      const known = new Set(page.messages.map(({ entry_id: entry }) => entry));
      for (const entry of this.#shown) if (!known.has(entry)) this.#shown.delete(entry);
      for (const { kind, entry_id: entry } of page.messages) if (kind !== "decision") this.#shown.add(entry);
    }
    this.#changed();
    this.#options.onEnd?.(turn);
    await this.refresh();
  }

  async ensure(): Promise<string | Fault> {
    if (this.id !== "") return this.id;
    const made = await this.#api.call("createSession", { body: {} });
    if (isFault(made)) return made;
    this.id = made.session_id;
    this.#changed();
    return this.id;
  }

  /** Before the session is made, its first turn is asked with it. */
  async choose(choices: Choices): Promise<Fault | undefined> {
    if (this.id === "") {
      this.#chosen = { ...this.#chosen, ...choices };
    } else {
      const params = { session_id: this.id };
      const body = turnChoices({ ...this.#chosen, ...choices });
      const reply = await this.#api.call("setChoices", { params, body });
      if (isFault(reply)) return reply;
      this.#kept = reply.choices;
      this.#chosen = {};
    }
    this.#changed();
    return undefined;
  }

  async send(text: string, { mode = "steer", images = [] }: SendOptions = {}): Promise<Fault | undefined> {
    const job = this.runningJob;
    if (job === undefined) return this.#run(text, images);
    const said = await this.#api.call("sendMessage", { params: { job_id: job }, body: { text, mode } });
    if (!isFault(said)) return undefined;
    // It was done a moment ago: then this begins the next turn.
    return said.error === "job_not_ready" && this.runningJob !== job ? this.#run(text, images) : said;
  }

  async #run(text: string, images: readonly SentImage[]): Promise<Fault | undefined> {
    this.#pending = text;
    this.#changed();
    const fault = await this.#start(text, images);
    if (fault === undefined) return undefined;
    this.#pending = null;
    this.#changed();
    return fault;
  }

  async #start(text: string, images: readonly SentImage[]): Promise<Fault | undefined> {
    const session = await this.ensure();
    if (isFault(session)) return session;
    const { toolset = this.#kept.toolset === undefined ? this.#options.toolset : undefined } = this.#chosen;
    const job = await this.#api.call("run", {
      body: {
        session_id: session,
        instruction: text,
        // A person's request may be about very many places; the API's own limit is meant for programs.
        tool_config: { max_tool_calls: "setting" },
        ...turnChoices({ ...this.#chosen, toolset }),
        ...(images.length === 0 ? {} : { images: [...images] }),
      },
    });
    if (isFault(job)) return job;
    this.#kept = this.choices;
    this.#chosen = {};
    if (this.id === session) this.#follow(job.job_id);
    return undefined;
  }

  async cancel(): Promise<Fault | undefined> {
    if (this.runningJob === undefined) return undefined;
    const reply = await this.#api.call("cancelJob", { params: { job_id: this.runningJob }, body: {} });
    return isFault(reply) ? reply : undefined;
  }

  async answer(questionId: string, answer: string): Promise<Fault | undefined> {
    if (this.runningJob === undefined) return undefined;
    const reply = await this.#api.call("clarify", {
      params: { job_id: this.runningJob },
      body: { question_id: questionId, answer },
    });
    return isFault(reply) ? reply : undefined;
  }

  async withdraw(messageId: string): Promise<Fault | undefined> {
    if (this.runningJob === undefined) return undefined;
    const reply = await this.#api.call("withdrawMessage", {
      params: { job_id: this.runningJob, message_id: messageId },
    });
    return isFault(reply) ? reply : undefined;
  }
}
