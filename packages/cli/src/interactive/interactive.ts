// `stet` in a terminal: the screen is there at once, the folder is opened behind it. What is typed meanwhile waits for it.
//
//   first frame ──▶ settings, host ──▶ session ──▶ what was typed meanwhile is sent
//
// Only what the first frame needs is imported at the top.

import { basename } from "node:path";
import type { Settings } from "@stet/host/settings/configuration";
import type { LogEvent } from "@stet/protocol/events/log-event";
import type { Fault } from "@stet/protocol/fault";
import { visible } from "@stet/protocol/visible";
import type { Terminal } from "@stet/tui/terminal/terminal";
import type { CommandContext } from "../command.ts";
import type { App, Choices, Dialogs, SlashCommand } from "./app.ts";
import { SessionBackground } from "./background/session-background.ts";
import { slashCommands } from "./commands/table.ts";
import type { OpenConversation } from "./connection/conversation.ts";
import type { OpenedFolder } from "./connection/opened-folder.ts";
import type { SessionStart } from "./connection/session-start.ts";
import { configFolder, type EarlySettings } from "./early-settings.ts";
import { loadKeyBindings } from "./keys/bindings.ts";
import { ModeKeys } from "./keys/mode-keys.ts";
import { OfferedStep } from "./offered-step.ts";
import type { PromptEditor } from "./prompt/prompt-editor.ts";
import type { SendMode, Submission } from "./prompt/submission.ts";
import { TerminalDialogs } from "./screen/dialogs.ts";
import { GitBranch } from "./screen/git-branch.ts";
import { Screen } from "./screen/screen.ts";
import type { Status } from "./screen/status-line.ts";
import { Welcome } from "./screen/welcome.ts";
import { LiveTheme } from "./theme/live-theme.ts";
import { Work } from "./work.ts";

export interface InteractiveOptions {
  readonly context: CommandContext;
  readonly terminal: Terminal;
  readonly early: EarlySettings;
  readonly start: SessionStart;
  /** Said at once. */
  readonly words: string;
  readonly chosen: Choices;
  readonly flags: Partial<Settings>;
  readonly isTrusted: boolean;
  /** Files to open in tabs. */
  readonly tabs: readonly string[];
}

/** How it ended: the session to come back to, and why it could not go on. */
export interface InteractiveEnd {
  readonly session: string | undefined;
  readonly fault: Fault | undefined;
  /** What goes on elsewhere, in a sentence. */
  readonly left?: string | undefined;
}

export class Interactive implements App {
  readonly options: InteractiveOptions;
  readonly screenParts: Screen;
  readonly theme: LiveTheme;
  readonly dialogs: Dialogs;
  readonly branch: GitBranch;
  readonly work: Work;
  readonly step: OfferedStep;
  readonly background: SessionBackground;
  readonly #keys;
  readonly #listeners = new Set<(event: LogEvent) => void>();
  readonly #end = Promise.withResolvers<InteractiveEnd>();
  #opened: OpenedFolder | undefined;
  #opening: Promise<void> | undefined;
  #settings: Settings | undefined;
  #openHunks = 0;
  #isFocused = true;
  #isLeaving = false;

  constructor(options: InteractiveOptions) {
    this.options = options;
    const { context, terminal, early } = options;
    const { environment, folder } = context;
    this.theme = new LiveTheme({
      environment,
      colours: terminal.capabilities.colours,
      onChange: () => this.screenParts?.coloursChanged(),
    });
    this.branch = new GitBranch(folder, () => this.refreshStatus());
    const keys = loadKeyBindings(configFolder(environment));
    this.#keys = keys;
    const modeKeys = new ModeKeys({ ...this.#modeHandles(), keys: () => keys });
    this.screenParts = new Screen({
      terminal,
      theme: this.theme,
      keys,
      prompt: this.#promptOptions(),
      status: this.#status(),
      todoClearDelay: () => this.#settings?.["tasks.todoClearDelay"] ?? 60,
      onKey: (input) => modeKeys.handle(input),
      tui: {
        onCapabilities: () => {
          const { colours, appearance } = terminal.capabilities;
          void this.theme.terminalChanged(colours, appearance);
        },
        onFocus: (isFocused) => {
          this.#isFocused = isFocused;
        },
        onLost: () => void this.leave(),
      },
    });
    const { tui, area } = this.screenParts;
    tui.addInputListener((input) => modeKeys.handleFirst(input));
    this.dialogs = new TerminalDialogs({ tui, area, theme: this.theme, keys: () => keys });
    this.work = new Work(this);
    this.step = new OfferedStep(this);
    this.background = new SessionBackground({
      api: { call: (name, given, signal) => this.api.call(name, given, signal) },
      session: () => this.#opened?.conversation.id ?? "",
    });
    for (const problem of keys.problems) this.tell(problem, "warning");
    void this.theme.configure(early.theme);
  }

  /** Until the person leaves. */
  async run(): Promise<InteractiveEnd> {
    const { screenParts } = this;
    if (this.options.start.kind === "new") screenParts.show(new Welcome(this.theme, this.folder));
    screenParts.start();
    this.work.promptChanged();
    // The first frame is out before anything else is loaded.
    setTimeout(() => {
      this.#opening = this.#open();
    }, 0);
    return this.#end.promise;
  }

  async #open(): Promise<void> {
    const { OpenedFolder } = await import("./connection/opened-folder.ts");
    const opened = await OpenedFolder.open(this);
    if (opened === undefined) return;
    if (this.#isLeaving) return opened.close();
    this.#opened = opened;
    this.branch.follow();
    const fault = await opened.begin();
    this.refreshStatus();
    if (fault !== undefined) this.tellFault(fault);
    void this.prompt.loadHistory();
    await this.work.begin();
  }

  get opened(): OpenedFolder | undefined {
    return this.#opened;
  }

  get isFocused(): boolean {
    return this.#isFocused;
  }

  get api(): App["api"] {
    return this.#ready().connection.api;
  }

  get conversation(): OpenConversation {
    return this.#ready().conversation;
  }

  get folder(): string {
    return this.options.context.folder;
  }

  get root(): string {
    return this.options.context.root;
  }

  get environment(): NodeJS.ProcessEnv {
    return this.options.context.environment;
  }

  get settings(): Settings {
    if (this.#settings === undefined) throw new Error("The settings are not read yet.");
    return this.#settings;
  }

  useSettings(settings: Settings): void {
    this.#settings = settings;
    void this.prompt.useVim(settings["tui.vim"]);
  }

  get prompt(): PromptEditor {
    return this.screenParts.prompt;
  }

  get screen(): App["screen"] {
    return this.screenParts.size;
  }

  #ready(): OpenedFolder {
    if (this.#opened === undefined) throw new Error("The folder is not open yet.");
    return this.#opened;
  }

  onEvent(listener: (event: LogEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  hear(event: LogEvent): void {
    for (const listener of [...this.#listeners]) listener(event);
  }

  readonly follow: App["follow"] = (options) => this.#ready().connection.follow(options);

  async editText(text: string, name: string): Promise<string | Fault> {
    const { screenParts } = this;
    const { editInEditor } = await import("./external-editor.ts");
    screenParts.stop();
    try {
      return await editInEditor(text, name, this.environment);
    } finally {
      this.#resume();
    }
  }

  async copy(text: string): Promise<boolean> {
    const { writeClipboard } = await import("@stet/tui/terminal/clipboard");
    const { terminal } = this.options;
    return writeClipboard(text, (sequence) => terminal.write(sequence), { environment: this.environment });
  }

  tell(text: string, kind: "info" | "warning" | "error" = "info"): void {
    this.screenParts.tell(text, kind);
  }

  tellFault({ message, suggestion }: Fault): void {
    this.tell(visible(suggestion === "" ? message : `${message} ${suggestion}`), "error");
  }

  requestRender(): void {
    this.screenParts.tui.requestRender();
  }

  async reloadSettings(): Promise<void> {
    await this.#ready().reloadSettings();
    this.refreshStatus();
  }

  async openSession(id: string | undefined, prefill = ""): Promise<void> {
    const left = this.work.goesOn(id);
    const fault = await this.conversation.open(id);
    if (fault !== undefined) this.tellFault(fault);
    if (left !== undefined) this.tell(left);
    if (prefill !== "") this.prompt.setText(prefill);
    this.screenParts.tui.requestRender({ clearScrollback: true });
  }

  /** The person wants to leave: where that would end what goes on in the background, they are asked. */
  async quit(): Promise<void> {
    if (await this.work.mayLeave()) await this.leave();
  }

  /** Ends the mode; what runs is stopped, and everything that it did until then is kept. */
  async leave(fault?: Fault): Promise<void> {
    if (this.#isLeaving) return;
    this.#isLeaving = true;
    const session = this.#opened?.conversation.id;
    const left = await this.work.leftRunning();
    await this.options.terminal.settle?.();
    this.screenParts.stop();
    await this.work.close();
    // Whoever leaves before the folder is open does not wait for that; it is closed when it is.
    if (this.#opened === undefined) void this.#opening;
    else await this.#opened.close();
    this.branch.close();
    this.theme.close();
    this.background.close();
    this.#end.resolve({ session: session === "" ? undefined : session, fault, left });
  }

  set openHunks(count: number) {
    this.#openHunks = count;
    this.refreshStatus();
  }

  refreshStatus(): void {
    if (this.screenParts === undefined) return;
    const status = this.#status();
    this.screenParts.statusLine.set(status);
    const sign = this.#opened?.conversation.runningJob === undefined ? "" : "● ";
    this.screenParts.setTitle(`${sign}stet: ${status.title || basename(this.folder)}`);
    this.requestRender();
  }

  #status(): Status {
    const { chosen, flags } = this.options;
    const conversation = this.#opened?.conversation;
    const choices = conversation?.choices ?? chosen;
    const settings = this.#settings;
    return {
      model: this.#opened?.modelName ?? choices.model ?? flags.model ?? "…",
      thinking: choices.thinking ?? settings?.thinking,
      folder: this.folder,
      branch: this.branch.name,
      changes: this.branch.changes,
      use: conversation?.use,
      permission: this.#opened?.permission,
      toolset: this.#opened?.toolset,
      title: conversation?.title ?? "",
      queued: conversation?.queued.length ?? 0,
      openHunks: this.#openHunks,
      isAttached: this.#opened?.kind === "attached",
      background: statusOf(this.background),
    };
  }

  #promptOptions() {
    const { folder, root, environment } = this.options.context;
    return {
      folder,
      root,
      environment,
      commands: slashCommands,
      api: () => this.#opened?.connection.api,
      completeArgument: async (command: SlashCommand, word: string) =>
        this.#opened === undefined ? [] : ((await command.complete?.(word, this)) ?? []),
      onSubmit: (submission: Submission, mode: SendMode) => this.work.submit(submission, mode),
      onChange: () => this.work?.promptChanged(),
      offer: () => this.step?.words,
      tell: this.tell.bind(this),
      tellFault: this.tellFault.bind(this),
      editText: this.editText.bind(this),
    };
  }

  #modeHandles() {
    return {
      isPromptEmpty: () => this.prompt.isEmpty,
      clearPrompt: () => this.prompt.setText(""),
      stopWork: () => this.work.stop(),
      doubleEscape: () => void this.work.doubleEscape(),
      leave: () => void this.quit(),
      suspend: () => void this.#suspend(),
      redraw: () => this.screenParts.tui.resetDisplay(),
      nextPermission: () => void this.work.nextPermission(),
      hasQueued: () => !this.screenParts.area.hasPanel && (this.#opened?.conversation.queued.length ?? 0) > 0,
      takeBackQueued: () => void this.work.takeBackQueued(),
      sendAfter: () => void this.prompt.submit("follow_up"),
      openTree: () => void this.work.command("tree"),
      openLastTool: () => void this.#opened?.openLastTool(),
      toggleThinking: () => this.#opened?.toggleThinking(),
      takeStep: () => void this.step.take(),
      canPutAside: () => this.prompt.isFocused && this.prompt.isEmpty && this.work.hasCommand,
      putAside: () => void this.work.putAside(),
    };
  }

  async #suspend(): Promise<void> {
    const { suspendProcess } = await import("@stet/tui/terminal/suspend");
    this.screenParts.stop();
    if (!suspendProcess(() => this.#resume())) this.#resume();
  }

  #resume(): void {
    if (this.#isLeaving) return;
    this.screenParts.start();
    this.screenParts.tui.requestRender({ force: true });
    this.refreshStatus();
  }

  /** The keys of an action as people read them. */
  get keys() {
    return this.#keys;
  }
}

/** How much goes on, and what was not told yet. */
function statusOf(background: SessionBackground | undefined): Status["background"] {
  if (background === undefined) return { running: 0, waiting: 0 };
  const { working, commands, background: rest } = background;
  return { running: working.length + commands.length + rest.timers.length, waiting: rest.waiting.length };
}
