// The interactive mode without redraws, for screen readers and for terminals that cannot do more: every line is written once, lines
// are typed as the terminal itself lets one type them, and questions are answered by number.

import type { QuestionItem } from "@stet/client/items";
import { type Configuration, loadConfiguration, type Settings } from "@stet/host/settings/configuration";
import { deliveryTitle } from "@stet/protocol/delivery-words";
import type { LogEvent } from "@stet/protocol/events/log-event";
import { type Fault, isFault } from "@stet/protocol/fault";
import { visible } from "@stet/protocol/visible";
import type { App, Dialogs, Prompt } from "../app.ts";
import { goesOn, leftRunning, mayEnd, workOfHost } from "../background/leaving.ts";
import { type AgentQuestion, SessionBackground } from "../background/session-background.ts";
import { parseCommand, runCommand } from "../commands/run-command.ts";
import { Connection } from "../connection/connection.ts";
import { OpenConversation } from "../connection/conversation.ts";
import { toolsetByFolder } from "../connection/default-toolset.ts";
import { followWorkspace } from "../connection/feed.ts";
import { sessionToOpen } from "../connection/session-start.ts";
import type { InteractiveEnd, InteractiveOptions } from "../interactive.ts";
import { defaultKeyBindings } from "../keys/bindings.ts";
import { GitBranch } from "../screen/git-branch.ts";
import { fixedTheme } from "../theme/fixed-theme.ts";
import { LinearItems } from "../transcript/linear-items.ts";
import { questionChoices } from "../transcript/question-choices.ts";
import { LinearDialogs } from "./linear-dialogs.ts";
import { TypedLines } from "./typed-lines.ts";

export type LinearOptions = Omit<InteractiveOptions, "terminal" | "early">;

export async function runLinear(options: LinearOptions): Promise<InteractiveEnd> {
  const { context, flags, isTrusted } = options;
  const { root, environment } = context;
  const configuration = loadConfiguration({ folder: root, environment, isTrusted, flags });
  if (isFault(configuration)) return { session: undefined, fault: configuration };
  const write = (line: string) => context.terminal.out(`${line}\n`);
  const connection = await Connection.open({
    root,
    environment,
    flags,
    isTrusted,
    onFault: ({ message }) => write(`Warning: ${visible(message)}`),
    onReplaced: (kind) =>
      write(
        kind === "own"
          ? "The server ended; this terminal goes on by itself."
          : "Attached to another process.",
      ),
  });
  if (isFault(connection)) return { session: undefined, fault: connection };
  const app = new LinearApp(options, connection, configuration);
  try {
    const session = await app.run();
    return { session, fault: undefined, left: await app.leftRunning() };
  } finally {
    await app.close();
  }
}

class LinearApp implements App {
  readonly conversation: OpenConversation;
  readonly background: SessionBackground;
  readonly dialogs: Dialogs;
  readonly theme = fixedTheme({ colours: "none", isPlain: true, preset: "ascii" });
  readonly keys = defaultKeyBindings();
  readonly screen = { columns: 80, rows: 24 };
  settings: Settings;
  readonly #options: LinearOptions;
  readonly #connection: Connection;
  readonly #lines: TypedLines;
  readonly #stop = new AbortController();
  readonly #listeners = new Set<(event: LogEvent) => void>();
  #items: LinearItems;
  #generation = 0;
  #prefill = "";
  /** Deliveries that the person knows of. */
  #waiting: ReadonlySet<string> = new Set();

  constructor(options: LinearOptions, connection: Connection, configuration: Configuration) {
    this.#options = options;
    this.#connection = connection;
    this.settings = configuration.settings;
    this.#lines = new TypedLines(
      (line) => options.context.terminal.out(`${line}\n`),
      () => this.#interrupt(),
    );
    this.dialogs = new LinearDialogs(this.#lines);
    this.#items = this.#newItems();
    const { folder } = options.context;
    this.conversation = new OpenConversation({
      connection,
      chosen: options.chosen,
      toolset: toolsetByFolder(configuration, new GitBranch(folder, () => {}).isRepository),
      onEnd: ({ end }) => {
        if (end?.kind === "review") this.tell(`${end.hunks} changes wait for your review: stet review step.`);
        this.#lines.write("Ready.");
      },
      onFault: (fault) => this.tellFault(fault),
    });
    this.background = new SessionBackground({ api: connection.api, session: () => this.conversation.id });
    this.conversation.onChange(() => {
      this.background.look();
      this.#draw();
    });
    this.background.onChange(() => {
      this.#draw();
      this.#tellWaiting();
    });
  }

  get api(): App["api"] {
    return this.#connection.api;
  }

  get folder(): string {
    return this.#options.context.folder;
  }

  get root(): string {
    return this.#options.context.root;
  }

  get environment(): NodeJS.ProcessEnv {
    return this.#options.context.environment;
  }

  get prompt(): Prompt {
    return {
      text: this.#prefill,
      setText: (text) => {
        this.#prefill = text;
        if (text !== "") this.#lines.write(`Said before, to be typed again or otherwise: ${visible(text)}`);
      },
    };
  }

  onEvent(listener: (event: LogEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  readonly follow: App["follow"] = (options) => this.#connection.follow(options);

  async editText(text: string, name: string): Promise<string | Fault> {
    const { editInEditor } = await import("../external-editor.ts");
    return editInEditor(text, name, this.environment);
  }

  async copy(text: string): Promise<boolean> {
    const { writeClipboard } = await import("@stet/tui/terminal/clipboard");
    const { terminal } = this.#options.context;
    return writeClipboard(text, (sequence) => terminal.out(sequence), { environment: this.environment });
  }

  tell(text: string, kind: "info" | "warning" | "error" = "info"): void {
    const word = { info: "Note", warning: "Warning", error: "Error" }[kind];
    this.#lines.write(`${word}: ${text}`);
  }

  tellFault({ message, suggestion }: Fault): void {
    this.tell(visible(`${message} ${suggestion}`), "error");
  }

  requestRender(): void {}

  async reloadSettings(): Promise<void> {
    const { flags, isTrusted } = this.#options;
    const { root: folder, environment } = this;
    const configuration = loadConfiguration({ folder, environment, isTrusted, flags });
    if (isFault(configuration)) this.tellFault(configuration);
    else this.settings = configuration.settings;
  }

  async openSession(id: string | undefined, prefill = ""): Promise<void> {
    const left = goesOn(this.background, id === this.conversation.id);
    const fault = await this.conversation.open(id);
    if (fault !== undefined) this.tellFault(fault);
    if (left !== undefined) this.tell(left);
    this.prompt.setText(prefill);
  }

  async quit(): Promise<void> {
    if (await this.#mayLeave()) this.#lines.close();
  }

  /** The end of the input leaves without a question: nobody is there to answer it. */
  async #mayLeave(): Promise<boolean> {
    if ((await this.#connection.kind()) !== "own") return true;
    return mayEnd(await workOfHost(this.api), this.dialogs);
  }

  /** What goes on elsewhere. */
  async leftRunning(): Promise<string | undefined> {
    return (await this.#connection.kind()) === "attached"
      ? leftRunning(await workOfHost(this.api))
      : undefined;
  }

  /** Until the input ends; the id of the session, where something was said in it. */
  async run(): Promise<string | undefined> {
    const { start, words } = this.#options;
    this.#lines.write(
      `Stet in ${visible(this.folder)}. Type a request and press Enter. /help lists commands. Ctrl-C stops a turn, Ctrl-D leaves.`,
    );
    void followWorkspace({
      connection: this.#connection,
      signal: this.#stop.signal,
      onEvent: (event) => this.#hear(event),
      onOpenHunks: () => {},
      onFault: (fault) => this.tellFault(fault),
    });
    const id =
      start.kind === "new" || start.kind === "pick" ? undefined : await sessionToOpen(this.api, start);
    const fault = isFault(id) ? id : await this.conversation.open(id);
    if (fault !== undefined) this.tellFault(fault);
    if (start.kind === "pick") await runCommand({ name: "resume", argument: "" }, this);
    if (words !== "") await this.#take(words);
    for (let line = await this.#lines.next(); line !== undefined; line = await this.#lines.next())
      await this.#take(line);
    return this.conversation.id === "" ? undefined : this.conversation.id;
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.#lines.close();
    this.conversation.close();
    this.background.close();
    await this.#connection.close();
  }

  async #take(line: string): Promise<void> {
    const { question } = this.conversation;
    if (question !== undefined) return this.#answer(question, line.trim());
    const [asked] = this.background.questions;
    if (asked !== undefined && parseCommand(line) === undefined)
      return this.#answer(asked.item, line.trim(), asked);
    if (line.trim() === "") return;
    const command = parseCommand(line);
    if (command !== undefined) {
      await runCommand(command, this);
      return;
    }
    const fault = await this.conversation.send(line);
    if (fault !== undefined) this.tellFault(fault);
  }

  async #answer({ questionId, asked }: QuestionItem, line: string, by?: AgentQuestion): Promise<void> {
    const choices = questionChoices(asked).filter(({ kind }) => kind !== "done");
    const chosen =
      choices[Number(line) - 1] ?? choices.find((choice) => choice.kind === "answer" && choice.key === line);
    const isNumber = /^\d+$/.test(line);
    if (line === "" || chosen?.kind === "own" || (isNumber && chosen === undefined)) {
      this.#lines.write(`Type a number from 1 to ${choices.length}, or an answer in your own words.`);
      return;
    }
    const answer = chosen === undefined || !("answer" in chosen) ? line : chosen.answer;
    const id = questionId ?? "";
    const fault =
      by === undefined ? await this.conversation.answer(id, answer) : await this.#answerAgent(by, id, answer);
    if (fault !== undefined) this.tellFault(fault);
  }

  async #answerAgent({ job }: AgentQuestion, id: string, answer: string): Promise<Fault | undefined> {
    const body = { question_id: id, answer };
    const reply = await this.api.call("clarify", { params: { job_id: job }, body });
    return isFault(reply) ? reply : undefined;
  }

  /** Ctrl-C: the turn is stopped; where none runs, the mode ends. */
  #interrupt(): void {
    if (this.conversation.runningJob === undefined) this.#lines.close();
    else void this.conversation.cancel().then((fault) => fault !== undefined && this.tellFault(fault));
  }

  #hear(event: LogEvent): void {
    const { type, data } = event;
    const { conversation } = this;
    if (type === "job.status" && data.session_id === conversation.id && data.status === "running")
      conversation.hearJob(data.job_id);
    else if (type === "session.changed" && data.session_id === conversation.id) conversation.refreshSoon();
    this.background.hear(event);
    for (const listener of [...this.#listeners]) listener(event);
  }

  /** What happened in the background and was not told to the agent, each once. */
  #tellWaiting(): void {
    const { waiting, autonomy } = this.background.background;
    const when =
      autonomy.mode === "allowed" ? "" : " The agent hears it with your next message; /jobs tell: now.";
    for (const one of waiting)
      if (!this.#waiting.has(one.delivery_id)) this.tell(`${visible(deliveryTitle(one))}.${when}`);
    this.#waiting = new Set(waiting.map(({ delivery_id: id }) => id));
  }

  #newItems(): LinearItems {
    return new LinearItems({
      thinking: this.settings["tui.thinking"],
      write: (line) => this.#lines.write(line),
    });
  }

  #draw(): void {
    const { conversation } = this;
    if (conversation.generation !== this.#generation) {
      this.#generation = conversation.generation;
      this.#items = this.#newItems();
    }
    const asked = this.background.questions.map(({ item }) => item);
    // What the person has just typed stands there: it is written when the turn has it.
    const said = conversation.items.filter(({ kind, key }) => kind !== "waiting" && key !== "pending");
    this.#items.update([...said, ...asked]);
  }
}
