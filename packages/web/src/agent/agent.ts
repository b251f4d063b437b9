// The conversation that this window shows, and the job that works in it: a projection of what the server tells. There is one
// for the window, whether the sidebar is open or not.
//
//   open ──▶ session, newest messages, newest job ──▶ follow the job that is at work
//   a job ends ──▶ the same again, and only then its live items go: nothing flickers

import { restItems } from "@stet/client/conversation-items";
import type { TurnView } from "@stet/client/fold";
import type { Item } from "@stet/client/items";
import { type ModelChoice, sessionItems, withNewest } from "@stet/client/session-items";
import type { ContextRow, SessionMessage } from "@stet/protocol/api/sessions";
import { type Fault, isFault } from "@stet/protocol/fault";
import { type Accessor, batch, createEffect, createMemo, createRoot, createSignal } from "solid-js";
import { createStore, reconcile, type SetStoreFunction, type Store } from "solid-js/store";
import { keepingSame } from "../workspace/keeping-same.ts";
import { oneFor } from "../workspace/one-for.ts";
import { soon } from "../workspace/soon.ts";
import type { Workbench } from "../workspace/workbench.ts";
import {
  type AgentState,
  announcementOf,
  type ComposerControl,
  type MeasuredRow,
  nothing,
  sentRow,
} from "./agent-state.ts";
import { giveBack } from "./composer-text.ts";
import { Drafts, windowStorage } from "./drafts.ts";
import { JobFollower } from "./job-follower.ts";
import { hasTakeover, readChoices } from "./model-choices.ts";
import { announcedQuestion } from "./question-size.ts";
import { showResult } from "./show-result.ts";
import { authorsOf } from "./turn-authors.ts";

const pageLength = 200;
/** Which conversation this window shows; others may show another. */
const windowKey = "stet.session";

export class Agent {
  readonly workbench: Workbench;
  readonly state: Store<AgentState>;
  readonly items: Accessor<readonly Item[]>;
  /** Who answered, by the key of the last reply of each turn. */
  readonly authors: Accessor<ReadonlyMap<string, string>>;
  readonly drafts = new Drafts(windowStorage());
  /** Jobs and messages of this window. */
  readonly sentHere = new Set<string>();
  composer: ComposerControl | undefined;
  readonly #set: SetStoreFunction<AgentState>;
  readonly #messages: Accessor<readonly SessionMessage[]>;
  readonly #setMessages: (messages: readonly SessionMessage[]) => void;
  /** Of jobs of this conversation. */
  readonly #choices: Accessor<readonly ModelChoice[]>;
  readonly #setChoices: (choices: readonly ModelChoice[]) => void;
  readonly #choicesRead = new Set<string>();
  readonly #follower: JobFollower;
  readonly #over = new Set<string>();
  readonly #refreshSoon = soon(300, () => void this.refresh());
  /** Counts up with every conversation that is opened, so that a late reply for another one is left out. */
  #opened = 0;
  #isLoadingOlder = false;
  #making: Promise<string | undefined> | undefined;
  #changingRows: Promise<boolean> = Promise.resolve(true);
  #rowChanges = 0;
  #modelChoices = 0;
  #choosing: Promise<boolean> = Promise.resolve(true);
  /** While the session is read after a job: what comes next begins after that. */
  #isSettling = false;
  #waitingJob: string | undefined;
  /** Whether the server has told what there is to show. */
  #hasStarted = false;
  /** Whether there was nothing to show at the start: then the first conversation that begins anywhere is shown. */
  #isFresh = false;

  constructor(workbench: Workbench) {
    this.workbench = workbench;
    [this.state, this.#set] = createStore<AgentState>({ ...nothing(), isOpening: true });
    const [messages, setMessages] = createSignal<readonly SessionMessage[]>([]);
    this.#messages = messages;
    this.#setMessages = (next) => setMessages(next);
    const [choices, setChoices] = createSignal<readonly ModelChoice[]>([]);
    this.#choices = choices;
    this.#setChoices = (next) => setChoices(next);
    this.#follower = new JobFollower({
      client: workbench.client,
      onTurn: (turn) => this.#take(turn),
      onOver: (job, turn) => void this.#finish(job, turn),
    });
    [this.items, this.authors] = createRoot(() => {
      const settled = createMemo((before: readonly Item[]) => {
        const { liveSince } = this.state;
        const known = this.#messages();
        const told = liveSince === null ? known : known.filter(({ ts }) => ts < liveSince);
        return keepingSame(before, sessionItems(told, this.#choices()));
      }, []);
      createEffect(() => this.#followJobs());
      const items = createMemo(() => [...settled(), ...this.state.live, ...this.#restItems()]);
      return [items, createMemo(() => authorsOf(items(), this.state.job !== null))] as const;
    });
    workbench.feed.on("review.updated", () => this.#refreshSoon());
    workbench.feed.on("session.changed", ({ session_id }) => {
      if (session_id === this.state.session) this.#refreshSoon();
    });
    workbench.feed.on("job.status", ({ session_id }) => {
      if (this.#isFresh && this.state.session === null) void this.open(String(session_id));
    });
    workbench.feed.onReturn(() => void (this.#hasStarted ? this.refresh() : this.#start()));
    void this.#start();
  }

  #restItems(): Item[] {
    const { pending, live, liveSince, job, lastJob } = this.state;
    return restItems({ isWorking: job !== null, live, liveSince, pending, lastJob }, this.#messages());
  }

  /** The conversation that was shown last, or the newest. */
  async #start(): Promise<void> {
    const session = windowStorage()?.getItem(windowKey) ?? this.workbench.layout.state.session;
    if (session !== null && (await this.open(session)) === undefined) {
      this.#hasStarted = true;
      return;
    }
    const opened = this.#opened;
    const shown = this.state.session;
    const reply = await this.workbench.client.call("listSessions", { query: { limit: 20 } });
    this.#hasStarted = !isFault(reply);
    // Whoever has said something meanwhile has begun a conversation, and stays in it.
    if (this.#making !== undefined || this.#opened !== opened || this.state.session !== shown) {
      this.#set({ isOpening: false });
      return;
    }
    const newest = isFault(reply) ? undefined : reply.sessions.find(({ status }) => status === "active");
    this.#isFresh = this.#hasStarted && newest === undefined;
    if (newest !== undefined) await this.open(newest.session_id);
    else this.#show(nothing());
  }

  #show(state: AgentState): void {
    this.#opened += 1;
    this.#waitingJob = undefined;
    this.#follower.letGo();
    batch(() => {
      this.#set(reconcile(state, { merge: true }));
      this.#setMessages([]);
      this.#setChoices([]);
    });
    this.#choicesRead.clear();
    this.#remember(state.session);
  }

  #remember(session: string | null): void {
    this.workbench.layout.set({ session });
    try {
      if (session === null) windowStorage()?.removeItem(windowKey);
      else windowStorage()?.setItem(windowKey, session);
    } catch {
      // A browser that keeps nothing shows the newest conversation next time.
    }
  }

  async open(session: string): Promise<Fault | undefined> {
    this.#isFresh = false;
    this.#show({ ...nothing(), session, isOpening: true });
    return this.refresh();
  }

  /** Nothing is made on the server before something is said. Rows that are pinned come along. */
  async startNew(): Promise<void> {
    const pinned = this.state.rows.filter(({ kind }) => kind === "pinned").map((row) => ({ ...row }));
    this.#isFresh = false;
    this.#show(nothing());
    if (pinned.length > 0) await this.changeRows(() => pinned);
  }

  /** Reads the newest part again, and looks for a job at work. */
  async refresh(): Promise<Fault | undefined> {
    const { session } = this.state;
    if (session === null) return undefined;
    const { workbench } = this;
    const opened = this.#opened;
    const rowChanges = this.#rowChanges;
    const modelChoices = this.#modelChoices;
    const params = { session_id: session };
    const [view, page, jobs] = await Promise.all([
      workbench.client.call("getSession", { params }),
      workbench.client.call("sessionMessages", { params, query: { limit: pageLength } }),
      workbench.client.call("listJobs", { query: { session_id: session, limit: 1 } }),
    ]);
    if (opened !== this.#opened) return undefined;
    const fault = [view, page, jobs].find(isFault);
    if (isFault(view) || isFault(page) || isFault(jobs)) {
      this.#set({ isOpening: false });
      return fault;
    }
    batch(() => {
      const { messages, isJoined } = withNewest(this.#messages(), page.messages);
      this.#setMessages(messages);
      this.#set({
        title: view.title,
        // A reply that was on its way while they were changed here does not know of that.
        ...(rowChanges === this.#rowChanges ? { rows: view.context_rows } : {}),
        ...(modelChoices === this.#modelChoices ? { model: view.choices.model ?? "" } : {}),
        use: view.use,
        isOpening: false,
        lastJob: jobs.jobs[0] ?? null,
        ...(isJoined ? {} : { hasMore: page.has_more }),
        // What is over is told by the session now.
        ...(this.state.job === null ? { live: [], liveSince: null } : {}),
      });
    });
    if (view.running_job_id !== null) this.follow(view.running_job_id);
    const { lastJob } = this.state;
    const current = workbench.state.models?.current;
    if (lastJob !== null && hasTakeover(lastJob, this.#messages(), current))
      void this.#readChoices(lastJob.job_id);
    return undefined;
  }

  async #readChoices(job: string): Promise<void> {
    if (this.#choicesRead.has(job)) return;
    this.#choicesRead.add(job);
    const opened = this.#opened;
    const found = await readChoices(this.workbench.client, job);
    if (opened !== this.#opened || found.length === 0) return;
    this.#setChoices([...this.#choices(), ...found].sort((one, other) => (one.ts < other.ts ? -1 : 1)));
  }

  /** Whether there may be more before it. */
  async loadOlder(): Promise<void> {
    const { session, hasMore } = this.state;
    const before = this.#messages()[0]?.entry_id;
    if (session === null || !hasMore || before === undefined || this.#isLoadingOlder) return;
    this.#isLoadingOlder = true;
    const opened = this.#opened;
    const page = await this.workbench.client.call("sessionMessages", {
      params: { session_id: session },
      query: { before, limit: pageLength },
    });
    this.#isLoadingOlder = false;
    if (isFault(page) || opened !== this.#opened || this.#messages()[0]?.entry_id !== before) return;
    batch(() => {
      this.#set("hasMore", page.has_more);
      this.#setMessages([...page.messages, ...this.#messages()]);
    });
  }

  #followJobs(): void {
    const { session, job } = this.state;
    if (session === null || job !== null || this.#isSettling) return;
    const next = this.workbench.state.jobs.find(
      (known) => known.session === session && !this.#over.has(known.id),
    );
    if (next !== undefined) this.follow(next.id);
  }

  /** One job at a time, from its beginning. */
  follow(job: string): void {
    if (this.#isSettling) this.#waitingJob = job;
    if (this.state.job !== null || this.#over.has(job) || this.#isSettling) return;
    this.#set({ job, queued: [], announcement: "The agent is working." });
    this.#follower.follow(job);
  }

  #take(turn: TurnView): void {
    const asked = turn.items.findLast((item) => item.kind === "question");
    const isNew = asked?.kind === "question" && asked.questionId !== null;
    batch(() => {
      if (turn.since !== undefined && this.state.liveSince !== turn.since)
        this.#set({ liveSince: turn.since, pending: null });
      this.#set("live", reconcile([...turn.items], { key: "key" }));
      this.#set("queued", reconcile([...turn.queued], { key: "id" }));
      if (turn.use !== undefined) this.#set("use", { ...turn.use });
      if (isNew) this.#set("announcement", `The agent asks: ${announcedQuestion(asked.asked)}`);
    });
  }

  async #finish(job: string, turn: TurnView): Promise<void> {
    this.#over.add(job);
    const { end } = turn;
    this.#isSettling = true;
    for (const { id, text } of turn.unheard) if (this.sentHere.has(id) || document.hasFocus()) giveBack(text);
    this.#set({ job: null, queued: [], pending: null, announcement: announcementOf(turn) });
    if (end?.kind === "review" && this.sentHere.has(job)) void showResult(this.workbench, end.documents);
    // First, so that the turn's card knows what is open, and what was told of other models stays.
    const hasChoice = turn.items.some(({ kind }) => kind === "model");
    await Promise.all([this.workbench.loadReview(), hasChoice ? this.#readChoices(job) : undefined]);
    const fault = await this.refresh();
    this.#isSettling = false;
    const next = this.#waitingJob;
    this.#waitingJob = undefined;
    if (next !== undefined && fault === undefined) this.follow(next);
    this.#followJobs();
  }

  /** The conversation that the next thing is said in; made where there is none. */
  async ensureSession(): Promise<string | undefined> {
    if (this.state.session !== null) return this.state.session;
    this.#making ??= this.#makeSession().finally(() => {
      this.#making = undefined;
    });
    return this.#making;
  }

  async #makeSession(): Promise<string | undefined> {
    const opened = this.#opened;
    const made = await this.workbench.ask("createSession", { body: {} });
    if (made === undefined || opened !== this.#opened) return undefined;
    const session = made.session_id;
    const draft = this.drafts.get(null);
    this.drafts.set(null, "");
    this.drafts.set(session, draft);
    this.#isFresh = false;
    const model = this.workbench.layout.state.model ?? "";
    this.#set({ session, model });
    this.#remember(session);
    this.workbench.layout.set({ model: null });
    return model === "" || (await this.chooseModel(model)) ? session : undefined;
  }

  /** The model that was chosen for this conversation, also before it begins; empty where the default answers. */
  model(): string {
    return this.state.session === null ? (this.workbench.layout.state.model ?? "") : this.state.model;
  }

  /** Whether it was taken. The next turn begins with it, also where that is asked for before the server has answered. */
  chooseModel(model: string): Promise<boolean> {
    const choosing = this.#choose(model);
    this.#choosing = choosing;
    return choosing;
  }

  /** Until the choice that was made last is known to the server. */
  async settleModel(): Promise<void> {
    await this.#choosing;
  }

  async #choose(model: string): Promise<boolean> {
    const { session } = this.state;
    if (session === null) {
      this.workbench.layout.set({ model: model || null });
      return true;
    }
    const reply = await this.workbench.ask("setChoices", {
      params: { session_id: session },
      body: { model },
    });
    if (reply === undefined) return false;
    this.#modelChoices += 1;
    if (this.state.session === session) this.#set({ model: reply.choices.model ?? "" });
    return true;
  }

  /** One change after another, each on what the one before it left. */
  changeRows(change: (rows: readonly MeasuredRow[]) => readonly ContextRow[]): Promise<boolean> {
    this.#changingRows = this.#changingRows.then(async () => {
      const session = await this.ensureSession();
      if (session === undefined) return false;
      const reply = await this.workbench.ask("setContextRows", {
        params: { session_id: session },
        body: { context_rows: change(this.state.rows).map(sentRow) },
      });
      if (reply === undefined || this.state.session !== session) return false;
      this.#rowChanges += 1;
      this.#set("rows", reconcile(reply.context_rows, { key: "id" }));
      return true;
    });
    return this.#changingRows;
  }

  expect(text: string): void {
    const title = this.state.title || text.replace(/\s+/g, " ").trim().slice(0, 60).toWellFormed();
    this.#set({ pending: text, title });
  }

  /** It was refused. */
  expectNothing(): void {
    this.#set({ pending: null });
  }

  async rename(title: string): Promise<void> {
    const { session } = this.state;
    if (session === null || title === "" || title === this.state.title) return;
    const params = { session_id: session };
    const reply = await this.workbench.ask("renameSession", { params, body: { title } });
    if (reply !== undefined && this.state.session === session) this.#set("title", reply.title);
  }
}

export const agentOf = oneFor((workbench: Workbench) => new Agent(workbench));
