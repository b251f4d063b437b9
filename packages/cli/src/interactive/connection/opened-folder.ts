// The folder behind the screen: its settings, its host, the session that is open, and what is drawn of them.

import type { Settings } from "@stet/host/settings/configuration";
import { type Configuration, loadConfiguration } from "@stet/host/settings/configuration";
import { firstModel } from "@stet/host/turn/choose-model";
import { deliveryTitle } from "@stet/protocol/delivery-words";
import type { LogEvent } from "@stet/protocol/events/log-event";
import { type Fault, isFault } from "@stet/protocol/fault";
import { toolsetNames } from "@stet/protocol/toolset";
import { policyOf } from "@stet/tools/toolset-policies";
import type { Interactive } from "../interactive.ts";
import { notify } from "../screen/attention.ts";
import { QuestionAsker } from "../screen/question-asker.ts";
import { TranscriptView } from "../screen/transcript-view.ts";
import { onCodeParser } from "../transcript/code-parsers.ts";
import { turnEnded } from "../turn-ended.ts";
import { Connection, type HostKind } from "./connection.ts";
import { OpenConversation } from "./conversation.ts";
import { toolsetByFolder } from "./default-toolset.ts";
import { followWorkspace } from "./feed.ts";

export class OpenedFolder {
  readonly connection: Connection;
  readonly conversation: OpenConversation;
  kind: HostKind;
  readonly #app: Interactive;
  readonly #view: TranscriptView;
  readonly #questions: QuestionAsker;
  readonly #stop = new AbortController();
  readonly #forgetParsers: () => void;
  #configuration: Configuration;
  /** How many deliveries the person has been called for. */
  #waiting = 0;

  private constructor(
    app: Interactive,
    connection: Connection,
    kind: HostKind,
    configuration: Configuration,
  ) {
    this.#app = app;
    this.connection = connection;
    this.kind = kind;
    this.#configuration = configuration;
    const { screenParts, theme, options } = app;
    this.#view = new TranscriptView(screenParts.transcript, theme, app.settings["tui.thinking"]);
    this.conversation = new OpenConversation({
      connection,
      chosen: options.chosen,
      toolset: this.#defaultToolset(),
      onEnd: (turn) => void turnEnded(app, turn),
      onFault: (fault) => app.tellFault(fault),
    });
    this.#questions = new QuestionAsker(app, this.conversation);
    this.conversation.onChange(() => this.#draw());
    app.background.onChange(() => this.#drawBackground());
    this.#forgetParsers = onCodeParser(() => app.requestRender());
  }

  /** Undefined where it could not be opened; that is told, and the mode ends. */
  static async open(app: Interactive): Promise<OpenedFolder | undefined> {
    const configuration = configurationFor(app);
    if (isFault(configuration)) {
      await app.leave(configuration);
      return undefined;
    }
    app.useSettings(configuration.settings);
    const told = await app.theme.configure(configuration.settings);
    if (!told.success) app.tellFault(told.error);
    const { root, environment, options } = app;
    let opened: OpenedFolder | undefined;
    const connection = await Connection.open({
      root,
      environment,
      flags: options.flags,
      isTrusted: options.isTrusted,
      onFault: (fault) => app.tellFault(fault),
      onReplaced: (kind) => opened?.replaced(kind),
    });
    if (isFault(connection)) {
      await app.leave(connection);
      return undefined;
    }
    const kind = (await connection.kind()) ?? "own";
    opened = new OpenedFolder(app, connection, kind, configuration);
    await opened.#follow();
    return opened;
  }

  get #settings(): Settings {
    return this.#configuration.settings;
  }

  get modelName(): string {
    const { model } = this.conversation.choices;
    return model ?? firstModel(this.#settings);
  }

  get toolset(): string {
    return this.conversation.choices.toolset ?? this.#defaultToolset() ?? this.#settings.toolset;
  }

  /** What it may do unasked; undefined where it asks for nothing. */
  get permission(): string | undefined {
    const name = toolsetNames.find((known) => known === this.toolset);
    if (name === undefined || !policyOf(name).runsCommands) return undefined;
    return this.conversation.choices.permission ?? this.#settings["permission.mode"];
  }

  #defaultToolset(): string | undefined {
    return toolsetByFolder(this.#configuration, this.#app.branch.isRepository);
  }

  async #follow(): Promise<void> {
    const { promise: isFollowing, resolve } = Promise.withResolvers<void>();
    void followWorkspace({
      connection: this.connection,
      signal: this.#stop.signal,
      onEvent: (event) => this.#hear(event),
      onOpenHunks: (count) => {
        this.#app.openHunks = count;
        resolve();
      },
      onFault: (fault) => this.#app.tellFault(fault),
    }).finally(resolve);
    await isFollowing;
  }

  /** The session that the command line asks for; a first model, where none is set. */
  async begin(): Promise<Fault | undefined> {
    const { openFirstSession } = await import("./first-session.ts");
    const { start, words } = this.#app.options;
    const isFirst = start.kind === "new" && words === "" && this.#settings.model === "";
    if (isFirst && this.modelName === "practice")
      void import("../onboarding.ts").then(({ chooseFirstModel }) => chooseFirstModel(this.#app));
    return openFirstSession(this.#app, this);
  }

  #hear(event: LogEvent): void {
    const { type, data } = event;
    const { conversation } = this;
    if (type === "job.status" && data.session_id === conversation.id) {
      if (data.status === "running" || data.status === "queued" || data.status === "waiting_for_user")
        conversation.hearJob(data.job_id);
    } else if (type === "session.changed" && data.session_id === conversation.id) {
      conversation.refreshSoon();
      if (conversation.runningJob === undefined) void this.#readTodo();
    } else if (type === "log.truncated") conversation.refreshSoon();
    else if (type === "disk.conflict" || type === "storage.notice")
      this.#app.tell(`${data.message} ${data.suggestion}`, "warning");
    if (type === "files.changed" || type === "document.saved" || type === "document.changed")
      this.#app.branch.lookForChanges();
    this.#app.background.hear(event);
    this.#app.hear(event);
  }

  /** The person may have edited the list of tasks, here or elsewhere. */
  async #readTodo(): Promise<void> {
    const { id } = this.conversation;
    const list = await this.connection.api.call("getTodo", { params: { session_id: id } });
    if (!isFault(list) && id === this.conversation.id) this.#app.screenParts.todo.edited(list.phases);
  }

  replaced(kind: HostKind): void {
    this.kind = kind;
    this.#app.tell(
      kind === "own"
        ? "The server that served this folder ended. This terminal goes on by itself; nothing is lost."
        : "The folder is served by another process now; this terminal is attached to it.",
      "warning",
    );
    this.conversation.refreshSoon();
    void this.#app.background.refresh();
    this.#app.refreshStatus();
  }

  #draw(): void {
    const { screenParts } = this.#app;
    const { conversation } = this;
    const isNew = this.#view.update(conversation);
    screenParts.queue.set(conversation.queued);
    const isWorking = conversation.runningJob !== undefined || conversation.isStarting;
    screenParts.activity.set(conversation.turn, isWorking);
    screenParts.todo.update(conversation.settled.items, conversation.live);
    void this.#app.work.showRead(conversation.live);
    this.#app.background.look();
    this.#questions.look();
    this.#app.work.promptChanged();
    this.#app.refreshStatus();
    if (isNew) screenParts.tui.requestRender({ clearScrollback: true });
  }

  #drawBackground(): void {
    const { background, screenParts } = this.#app;
    screenParts.background.set(background);
    this.#questions.look();
    this.#app.refreshStatus();
    const { waiting } = background.background;
    const last = waiting.at(-1);
    if (waiting.length > this.#waiting && last !== undefined) notify(this.#app, deliveryTitle(last));
    this.#waiting = waiting.length;
  }

  async reloadSettings(): Promise<void> {
    const configuration = configurationFor(this.#app);
    if (isFault(configuration)) return this.#app.tellFault(configuration);
    this.#configuration = configuration;
    this.#app.useSettings(configuration.settings);
    const told = await this.#app.theme.configure(configuration.settings);
    if (!told.success) this.#app.tellFault(told.error);
  }

  /** Rows in the history cannot change, so what a call did is opened over the screen. */
  async openLastTool(): Promise<void> {
    const block = this.#view.findLast(({ kind }) => kind === "tool" || kind === "delivery");
    if (block === undefined) this.#app.tell("There is no tool call to open yet.");
    else await this.#app.dialogs.page(block.title, { render: (width) => block.expanded(width) });
  }

  toggleThinking(): void {
    const next = this.#view.thinking === "shown" ? "folded" : "shown";
    this.#view.setThinking(next, this.conversation);
    this.#app.screenParts.tui.requestRender({ clearScrollback: true });
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.#forgetParsers();
    this.#questions.close();
    this.#app.screenParts.background.close();
    this.conversation.close();
    await this.connection.close();
  }
}

function configurationFor({ root, environment, options }: Interactive): Configuration | Fault {
  const { flags, isTrusted } = options;
  return loadConfiguration({ folder: root, environment, isTrusted, flags });
}
