// Everything behind the API for one folder: its workspace, its sessions, its jobs, and the events that tell of them.

import { join } from "node:path";
import type { Delivery } from "@stet/agent/background/deliveries";
import type { Clock } from "@stet/agent/timers/clock";
import type { Operations } from "@stet/protocol/api/operation";
import type { IndexState } from "@stet/protocol/events/workspace-events";
import { type Fault, ignoreFault, isFault } from "@stet/protocol/fault";
import { redactionFor } from "@stet/protocol/redact";
import { PromptHistory } from "@stet/session/prompt-history";
import { SessionStore } from "@stet/session/session-store";
import { tellIfFault } from "@stet/storage/notices";
import { log, logFailure } from "@stet/storage/operator-log";
import { SessionRules } from "@stet/tools/permission/session-rules";
import { policyOf } from "@stet/tools/toolset-policies";
import { removeAnyLeftFolders } from "@stet/workspace/agent-folders/left-folders";
import { dataFolder as defaultDataFolder } from "@stet/workspace/files/state-folder";
import type { FolderWatch } from "@stet/workspace/files/watch";
import type { Workspace } from "@stet/workspace/workspace";
import { LiveDocuments } from "./documents/live-documents.ts";
import { ChatFeed } from "./events/chat-feed.ts";
import { type HeldLog, jobLog, type Logs } from "./events/logs.ts";
import { StorageNotices } from "./events/storage-notices.ts";
import { WorkspaceEvents } from "./events/workspace-events.ts";
import { configurationOf, type GivenSettings, type HostParts, openHostParts, trusts } from "./host-parts.ts";
import { finishApply } from "./jobs/apply.ts";
import { contextText } from "./jobs/context-rows.ts";
import { JobProgress } from "./jobs/job-progress.ts";
import type { NewJob } from "./jobs/job-queue.ts";
import { JobRunner } from "./jobs/job-runner.ts";
import { ledgerTurns } from "./jobs/ledger-turns.ts";
import { ReviewWatch } from "./jobs/review-watch.ts";
import { jobTurns } from "./jobs/run-job.ts";
import { SessionTitles } from "./jobs/session-titles.ts";
import { Sessions } from "./jobs/sessions.ts";
import { limitsFrom, type ServerLimits } from "./limits.ts";
import { OpenSessions } from "./open-sessions/open-sessions.ts";
import { isAtWork } from "./operations/job-at-work.ts";
import { createOperations } from "./operations/operations.ts";
import { Decisions } from "./review/decisions.ts";
import type { Configuration, Settings } from "./settings/configuration.ts";
import type { ChatRoute, Hosting, OpenHosting } from "./store/hosting.ts";
import { localHosting } from "./store/local-hosting.ts";
import type { JobRecord, SessionRecord, Store } from "./store/store.ts";
import { type ChooseModel, modelChooser } from "./turn/choose-model.ts";
import { Meanings } from "./turn/meanings.ts";
import { keptChoices } from "./turn/session-choices.ts";
import { TabIndex } from "./turn/tab-index.ts";

export interface HostOptions {
  readonly environment: NodeJS.ProcessEnv;
  /** Default: the user's data folder. */
  readonly dataFolder?: string;
  /** Where state is stored and jobs run; default: in this process alone. */
  readonly hosting?: OpenHosting;
  readonly limits?: ServerLimits;
  /** Default: what the configuration names. */
  readonly model?: ChooseModel;
  /** Whether changes of files are noticed as they happen. Default: yes. */
  readonly watches?: boolean;
  /** Whether the documents in tabs are indexed for search by meaning, in the background. */
  readonly indexes?: boolean;
  /** Whether the folder is a copy of the sample project. */
  readonly isSample?: boolean;
  /** What the command line sets, over every file. */
  readonly flags?: Partial<Settings>;
  /** The person trusts the folder this once, whatever they said of it before. */
  readonly isTrusted?: boolean;
  /** Of what goes on between turns. Default: the system's. */
  readonly clock?: Clock;
  /** Called with failures in the background. */
  readonly onFault?: (fault: Fault) => void;
}

/** How often it is looked for what other processes did, in milliseconds. */
const lookEvery = 1000;
/** How often it is looked whether a backup is due, in milliseconds. */
const backUpEvery = 600_000;
/** A larger one would delay the server's shutdown. */
const quickBackupBytes = 64 * 1024 ** 2;
/** How long after the first tab the index for search by meaning is begun. */
const indexAfterMs = 2000;

type Parts = HostParts & { readonly notices: StorageNotices };

export class Host {
  readonly hosting: Hosting;
  readonly workspace: Workspace;
  readonly store: Store;
  readonly limits: ServerLimits;
  readonly environment: NodeJS.ProcessEnv;
  /** Redacts the person's messages, before they are stored or sent on. */
  readonly redact: <T>(value: T) => T;
  readonly dataFolder: string;
  readonly logs: Logs;
  /** What happens to the workspace. */
  readonly log: HeldLog["log"];
  /** What the person allowed for single sessions. */
  readonly sessionRules: SessionRules;
  readonly titles: SessionTitles;
  /** The files of all sessions. */
  readonly files: SessionStore;
  readonly sessions: Sessions;
  readonly decisions: Decisions;
  readonly documents: LiveDocuments;
  readonly events: WorkspaceEvents;
  readonly chats = new ChatFeed();
  readonly #route: ChatRoute;
  readonly progress: JobProgress;
  readonly reviews: ReviewWatch;
  readonly runner: JobRunner;
  /** What goes on between turns, by session. */
  readonly open: OpenSessions;
  readonly chooseModel: ChooseModel;
  readonly meanings: Meanings;
  /** What is open in tabs, searchable by meaning. */
  readonly index: TabIndex;
  /** Damage to Stet's own files that was met. */
  readonly notices: StorageNotices;
  /** What can be done here, by the names of the API's routes. */
  readonly operations: Operations;
  readonly startedAt = Date.now();
  readonly isSample: boolean;
  readonly #held: HeldLog;
  readonly #onFault: (fault: Fault) => void;
  #watch: FolderWatch | undefined;
  #looking: NodeJS.Timeout | undefined;
  #backingUp: NodeJS.Timeout | undefined;
  #isMissing = false;
  #remembered: PromptHistory | Fault | undefined;
  #closing: Promise<void> | undefined;
  #unfollow: (() => void) | undefined;
  readonly #watches: boolean;
  readonly #given: GivenSettings;

  private constructor(parts: Parts) {
    const { hosting, limits, environment, dataFolder, logs, held, options, configured } = parts;
    const { workspace, store } = hosting;
    this.hosting = hosting;
    this.workspace = workspace;
    this.store = store;
    this.limits = limits;
    this.environment = environment;
    this.redact = redactionFor(environment);
    this.dataFolder = dataFolder;
    this.logs = logs;
    this.#held = held;
    this.log = held.log;
    this.notices = parts.notices;
    this.#onFault = (fault) => {
      log("warn", "host.fault", { error: fault.error, message: fault.message });
      options.onFault?.(fault);
    };
    this.#watches = options.watches ?? true;
    this.#given = options;
    this.isSample = options.isSample ?? false;
    this.#route = hosting.routeChats(this.chats, logs, this.#watches);
    const files = new SessionStore({ dataFolder });
    this.files = files;
    this.sessionRules = new SessionRules(workspace.stateFolder);
    this.sessions = new Sessions(store, files, workspace.root.path);
    this.decisions = new Decisions(workspace, (id) => this.sessions.find(id));
    this.documents = new LiveDocuments(workspace);
    const makerOf = (document: number, revision: number) => this.documents.makerOf(document, revision);
    const { tells, unreachable, dispatch } = hosting;
    this.events = new WorkspaceEvents(workspace, held.log, makerOf, tells, () => this.index.look());
    this.meanings = new Meanings(workspace, configured.settings, environment);
    const tellIndex = (state: IndexState) => this.events.tell("index.progress", state);
    this.index = new TabIndex(workspace, this.meanings, options.indexes ?? false, tellIndex, indexAfterMs);
    const announce = (job: JobRecord) => this.#tellStatus(job);
    this.progress = new JobProgress(store, ledgerTurns(workspace), announce, unreachable);
    this.reviews = new ReviewWatch(workspace, logs, this.progress, tells);
    this.chooseModel = options.model ?? modelChooser(environment);
    const { sessions, chooseModel, redact } = this;
    const shared = { sessions, chooseModel, configuration: () => this.configuration() };
    const onTitle = (session: string) => this.events.tellSession(session);
    this.titles = new SessionTitles({ ...shared, redact, onTitle });
    this.open = new OpenSessions(this, options.clock);
    this.sessions.hasAgent = (session, agent) => this.open.get(session)?.tree.get(agent) !== undefined;
    const runTurn = jobTurns({
      ...shared,
      open: this.open,
      workspace,
      files,
      limits,
      environment,
      meanings: this.meanings,
      sessionRules: this.sessionRules,
      isTrusted: () => this.isTrusted,
      onTurn: (job) => this.#tellTurn(job),
      onEnd: (session) => this.titles.turnEnded(session),
    });
    const onEvent = (...heard: Parameters<ChatFeed["hear"]>) => this.#tellEvent(...heard);
    const { progress } = this;
    const { noteQuestion: onQuestion } = this.open;
    this.runner = new JobRunner({ store, limits, logs, progress, runTurn, dispatch, onEvent, onQuestion });
    this.operations = createOperations(this);
  }

  static async open(root: string, options: HostOptions): Promise<Host | Fault> {
    const { environment } = options;
    const limits = options.limits ?? limitsFrom(environment);
    if (isFault(limits)) return limits;
    const dataFolder = options.dataFolder ?? defaultDataFolder(environment);
    const notices = new StorageNotices();
    const hosting = await (options.hosting ?? localHosting)(root, { dataFolder });
    const parts = isFault(hosting)
      ? hosting
      : await openHostParts(hosting, { ...options, limits, dataFolder });
    if (isFault(parts)) {
      if (!isFault(hosting)) {
        await hosting.close();
        hosting.workspace.close();
      }
      notices.stop();
      return parts;
    }
    const host = new Host({ ...parts, notices });
    await host.#begin();
    return host;
  }

  async #begin(): Promise<void> {
    await this.#collect();
    await removeAnyLeftFolders(this.workspace.root.path, this.dataFolder, this.environment);
    tellIfFault(await this.hosting.exclusively(() => this.#collectTurns()));
    await this.#finishApplies();
    await this.reviews.recover(this.store);
    await this.runner.recover();
    this.#unfollow = this.hosting.onJob((job) => this.#follow(job));
    if (this.#watches) await this.#beginWatch();
    this.#looking = setInterval(() => this.#look(), lookEvery).unref();
    this.#backingUp = setInterval(() => void this.workspace.backUpWhenDue(), backUpEvery).unref();
    this.index.look();
    this.notices.follow((notice) => this.events.tell("storage.notice", notice));
  }

  /** Where the ledger is gone from its place, that is told once, and nothing more is read from it. */
  #look(): void {
    const missing = this.workspace.ledger.missing();
    if (missing === undefined) this.events.catchUp();
    else if (!this.#isMissing) this.#onFault(missing);
    this.#isMissing = missing !== undefined;
  }

  async #finishApplies(): Promise<void> {
    for (const { id } of await this.store.jobs({ status: "awaiting_review", limit: 10_000 })) {
      const finish = async () => {
        const job = await this.store.job(id);
        if (job?.status !== "awaiting_review") return undefined;
        return this.logs.with(jobLog(id), (log) => finishApply(this, job, log));
      };
      const fault = await this.hosting.exclusively(finish);
      // The documents still hold it, to be saved when that is possible again.
      if (isFault(fault)) this.#onFault(fault);
    }
  }

  async #beginWatch(): Promise<void> {
    const within = (action: () => void) => void this.hosting.exclusively(action);
    const onConflict = (fault: Fault) => {
      this.#onFault(fault);
      this.events.tellConflict(fault);
    };
    const watch = await this.workspace.watch(onConflict, within, () => this.events.tellFiles());
    // Files are compared before they are used in any case; the watch only makes it known earlier.
    if (isFault(watch)) this.#onFault(watch);
    else this.#watch = watch;
  }

  /** Every setting as it is now: files may have changed since the start. */
  configuration(): Configuration | Fault {
    return configurationOf(this.workspace, this.environment, this.#given);
  }

  /** Whether the person trusts the folder now. */
  get isTrusted(): boolean {
    return trusts(this.workspace, this.environment, this.#given);
  }

  /** What the person asked before; opened when first needed. */
  prompts(): PromptHistory | Fault {
    // A file that was locked a moment ago may be free now.
    if (this.#remembered === undefined || isFault(this.#remembered))
      this.#remembered = PromptHistory.open(join(this.dataFolder, "prompts.sqlite"));
    return this.#remembered;
  }

  /** Starts a job in a session, with what is pinned there. */
  async startJob(
    session: SessionRecord,
    wanted: Omit<NewJob, "session" | "context">,
  ): Promise<JobRecord | Fault> {
    if (this.sessions.isSummed(session.id)) return isAtWork(session.id, undefined);
    const request = { ...wanted, instruction: this.redact(wanted.instruction) };
    const context = this.redact(contextText(this.workspace, session.contextRows));
    // What happened meanwhile is told with what the person says next.
    const waiting = this.open.use(session.id)?.background.deliveries;
    const deliveries = this.redact(waiting?.take() ?? []);
    const job = await this.runner.start({ ...request, session: session.id, context, deliveries });
    if (isFault(job)) {
      waiting?.putBack(deliveries);
      return job;
    }
    const title = this.sessions.titleFor(session, request.instruction);
    tellIfFault(await this.sessions.change(session, { ...title, status: "active" }));
    const prompts = this.prompts();
    // A prompt that cannot be stored is no reason to disturb the turn.
    if (!isFault(prompts)) ignoreFault(prompts.add(request.instruction, this.workspace.root.path));
    await this.#collect(session.id);
    return job;
  }

  /** Starts a job that nobody asked for: it tells what happened in the background. */
  async startDelivered(session: SessionRecord, deliveries: readonly Delivery[]): Promise<JobRecord | Fault> {
    const talk = this.sessions.open(session);
    const configured = this.configuration();
    if (isFault(talk)) return talk;
    if (isFault(configured)) return configured;
    return this.runner.start({
      session: session.id,
      instruction: "",
      toolset: keptChoices(talk).toolset ?? configured.settings.toolset,
      model: "",
      maxToolCalls: configured.settings.maxToolCalls,
      tab: null,
      context: "",
      deliveries: this.redact(deliveries),
    });
  }

  /** Forgets finished work beyond the limits. Where that fails, there is more than there should be, and all goes on. */
  async #collect(session?: string): Promise<void> {
    const rules = {
      maxSessions: this.limits.max_sessions,
      maxJobsPerSession: this.limits.max_jobs_per_session,
      completedTtlHours: this.limits.completed_ttl_hours,
      now: Date.now(),
      session,
    };
    await this.store.collect(rules).catch(logFailure("store.collect"));
  }

  /** Keeps the ledger within its budget; it is only looked at where it may be over. */
  #collectTurns(): void {
    const fault = this.workspace.collectWhenDue();
    if (fault !== undefined) this.#onFault(fault);
  }

  #tellStatus(job: JobRecord): void {
    log("info", "job.status", { job: job.id, session: job.session, status: job.status });
    this.#follow(job);
    this.events.tellJob(job);
  }

  #follow(job: JobRecord): void {
    this.reviews.follow(job);
    this.#route.follow(job);
  }

  #tellTurn(job: JobRecord): void {
    if (policyOf(job.toolset).locksDocuments) this.events.lockedBy = job.id;
    this.events.look();
  }

  #tellEvent(...[job, event]: Parameters<ChatFeed["hear"]>): void {
    this.#route.hear(job, event);
    if (event.type === "subagents") this.events.tellSubagents(job.id, event.id, event.active);
    // A tool may have opened a tab.
    if (event.type === "tool_end") this.events.look();
  }

  /** Stops what runs; what waits for the person waits on. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    clearInterval(this.#looking);
    clearInterval(this.#backingUp);
    this.#unfollow?.();
    await this.open.closeAll();
    await this.runner.close();
    await this.titles.close();
    await this.#watch?.close();
    await this.reviews.settled();
    this.reviews.stop();
    this.notices.stop();
    this.events.stop();
    await this.index.stop();
    await this.logs.settled();
    await this.meanings.close();
    if (this.#remembered !== undefined && !isFault(this.#remembered)) this.#remembered.close();
    this.#held.release();
    await this.hosting.close();
    await this.workspace.backUpWhenDue(quickBackupBytes);
    this.workspace.close();
  }
}
