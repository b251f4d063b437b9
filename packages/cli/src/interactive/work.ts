// What the person does at the prompt: commands, messages, commands of their own shell, stops.

import type { Item } from "@stet/client/items";
import { isFault } from "@stet/protocol/fault";
import { visibleName } from "@stet/protocol/visible";
import { goesOn } from "./background/leaving.ts";
import type { Interactive } from "./interactive.ts";
import type { SendMode, Submission } from "./prompt/submission.ts";
import { isWaitedFor } from "./screen/activity.ts";
import type { Pictures } from "./screen/pictures.ts";
import { readPicture } from "./screen/read-picture.ts";
import type { ShellRun } from "./shell-run.ts";

export class Work {
  readonly #app: Interactive;
  /** Sent before the folder was open. */
  readonly #waiting: Submission[] = [];
  /** What the first message of a session tells beside its own words. */
  #told: string[] = [];
  #shell: ShellRun | undefined;
  #pictures: Pictures | undefined;
  /** The question whether to leave is open. */
  #isAskedToStay = false;

  constructor(app: Interactive) {
    this.#app = app;
  }

  /** The folder is open: what was asked on the command line, and what was sent meanwhile. */
  async begin(): Promise<void> {
    const { prompt, options } = this.#app;
    if (options.words !== "") await prompt.send(options.words, "follow_up");
    for (const { text, images } of this.#waiting.splice(0))
      if (!(await this.submit({ text, images }, "follow_up"))) prompt.bringBack(text);
  }

  /** The border tells how hard the model thinks. */
  promptChanged(): void {
    const { prompt, theme, opened } = this.#app;
    const level = opened?.conversation.choices.thinking ?? "off";
    const token = thinkingTokens[level] ?? "thinkingOff";
    prompt.setBorder({
      colour: (text) => theme.fg(token, text),
      line: theme.symbol("line"),
      prefix: theme.fg("accent", `${theme.symbol("user")} `),
    });
  }

  /** Whether it was used up; the prompt takes it back otherwise. */
  async submit(submission: Submission, mode: SendMode): Promise<boolean> {
    const { text } = submission;
    if (this.#app.opened === undefined) {
      this.#waiting.push(submission);
      this.#app.tell("The folder is still being opened. This is sent when it is.");
      return true;
    }
    const { parseCommand, runCommand } = await import("./commands/run-command.ts");
    const command = parseCommand(text);
    if (command !== undefined) return runCommand(command, this.#app);
    return text.startsWith("!") ? this.#runShell(text) : this.#send(submission, mode);
  }

  async #send({ text, images }: Submission, mode: SendMode): Promise<boolean> {
    const app = this.#app;
    if (images.length > 0 && app.conversation.runningJob !== undefined) {
      app.tell("Pictures can be sent when the turn is done: a turn that runs hears text only.", "warning");
      return false;
    }
    if (images.length > 0) (await this.#picturesOf()).show(images);
    app.step.clear();
    const words = [...this.#told, text].join("\n\n");
    const fault = await app.conversation.send(words, { mode, images });
    if (fault === undefined) {
      this.#told = [];
      return true;
    }
    app.tellFault(fault);
    return false;
  }

  /** Pictures that the agent has read, in what the turn did until now. */
  async showRead(items: readonly Item[]): Promise<void> {
    if (!items.some((item) => readPicture(item) !== undefined)) return;
    await (await this.#picturesOf()).showRead(items, this.#app.folder);
  }

  /** Loaded when the first one is shown. */
  async #picturesOf(): Promise<Pictures> {
    const { Pictures } = await import("./screen/pictures.ts");
    const { screenParts, theme, settings } = this.#app;
    const most = settings["tui.maxInlineImages"];
    this.#pictures ??= new Pictures(screenParts, theme, most);
    this.#pictures.setMost(most);
    return this.#pictures;
  }

  async #runShell(text: string): Promise<boolean> {
    const app = this.#app;
    if (this.#shell !== undefined) {
      app.tell("Another command still runs; Esc ends it.", "warning");
      return false;
    }
    const { ShellRun } = await import("./shell-run.ts");
    const isTold = !text.startsWith("!!");
    const command = text.slice(isTold ? 1 : 2).trim();
    if (command === "") return true;
    const run = new ShellRun(command, app);
    this.#shell = run;
    const end = await run.ended;
    this.#shell = undefined;
    if (isTold && end !== undefined) await this.#tellAgent(end);
    return true;
  }

  /** While a turn runs it hears of it; a session that nothing was answered in has no file yet, so its first message says it. */
  async #tellAgent(text: string): Promise<void> {
    const { conversation, api } = this.#app;
    if (conversation.runningJob === undefined && !conversation.hasAnswers) {
      this.#told.push(text);
      return;
    }
    if (conversation.runningJob !== undefined) {
      const fault = await conversation.send(text);
      if (fault !== undefined) this.#app.tellFault(fault);
      return;
    }
    const note = await api.call("tellSession", { params: { session_id: conversation.id }, body: { text } });
    if (isFault(note)) this.#app.tellFault(note);
    else conversation.markShown(note.entry_id);
  }

  /** Esc: whether something was stopped. */
  stop(): boolean {
    const { opened } = this.#app;
    if (this.#shell !== undefined) {
      this.#shell.stop();
      return true;
    }
    if (opened?.conversation.runningJob === undefined) return false;
    void this.#stopTurn();
    return true;
  }

  async #stopTurn(): Promise<void> {
    await this.takeBackQueued();
    const fault = await this.#app.conversation.cancel();
    if (fault !== undefined) this.#app.tellFault(fault);
  }

  async takeBackQueued(): Promise<void> {
    const conversation = this.#app.opened?.conversation;
    const queued = conversation?.queued ?? [];
    const texts: string[] = [];
    for (const { id, text } of queued) {
      const fault = await conversation?.withdraw(id);
      // It was heard a moment ago: then it is part of the conversation.
      if (fault === undefined) texts.push(text);
    }
    if (texts.length > 0) this.#app.prompt.bringBack(texts.join("\n"));
  }

  async doubleEscape(): Promise<void> {
    const action = this.#app.settings.doubleEscapeAction;
    if (action === "none") return;
    await this.command(action);
    this.#app.screenParts.tui.resetDisplay();
  }

  async command(name: string): Promise<void> {
    if (this.#app.opened === undefined) return;
    const { findCommand } = await import("./commands/table.ts");
    await findCommand(name)?.run("", this.#app);
  }

  async nextPermission(): Promise<void> {
    const { opened } = this.#app;
    if (opened === undefined) return;
    if (opened.permission === undefined) {
      this.#app.tell(`The toolset ${opened.toolset} needs no permissions: it only edits documents.`);
      return;
    }
    const { permissionModes } = await import("@stet/protocol/permission-mode");
    const names: readonly string[] = permissionModes;
    const index = names.indexOf(opened.permission);
    const fault = await opened.conversation.choose({
      permission: permissionModes[(index + 1) % permissionModes.length],
    });
    if (fault !== undefined) this.#app.tellFault(fault);
  }

  /** Whether the agent, or one that works for it, waits for a command now. */
  get hasCommand(): boolean {
    return this.#app.opened?.conversation.live.some(isWaitedFor) === true;
  }

  /** The command that the agent waits for goes on in the background. */
  async putAside(): Promise<void> {
    const { api, conversation } = this.#app;
    const reply = await api.call("putInBackground", { params: { session_id: conversation.id }, body: {} });
    if (isFault(reply)) return this.#app.tellFault(reply);
    const [command] = reply.commands;
    this.#app.tell(
      command === undefined
        ? "No command is waited for any more."
        : `In the background now: ${visibleName(command)}. /jobs shows it.`,
    );
  }

  /** Whether leaving ends nothing that goes on, or the person wants that. */
  async mayLeave(): Promise<boolean> {
    const app = this.#app;
    if (app.opened?.kind !== "own") return true;
    if (this.#isAskedToStay) return false;
    const { mayEnd, workOfHost } = await import("./background/leaving.ts");
    this.#isAskedToStay = true;
    const { background, conversation } = app;
    const alone = conversation.runningJob === undefined ? background.working.length : 0;
    const isAllowed = await mayEnd(await workOfHost(app.api, alone), app.dialogs);
    this.#isAskedToStay = false;
    return isAllowed;
  }

  /** What goes on elsewhere when this terminal leaves. */
  async leftRunning(): Promise<string | undefined> {
    const { opened, api } = this.#app;
    if (opened?.kind !== "attached") return undefined;
    const { leftRunning, workOfHost } = await import("./background/leaving.ts");
    return leftRunning(await workOfHost(api));
  }

  /** What goes on where the person is, before they go to another session or another way of this one. */
  goesOn(next: string | undefined): string | undefined {
    return goesOn(this.#app.background, next === this.#app.conversation.id);
  }

  async close(): Promise<void> {
    this.#shell?.stop();
    await this.#shell?.ended;
  }
}

const thinkingTokens: Readonly<
  Record<
    string,
    "thinkingOff" | "thinkingMinimal" | "thinkingLow" | "thinkingMedium" | "thinkingHigh" | "thinkingXhigh"
  >
> = {
  off: "thinkingOff",
  minimal: "thinkingMinimal",
  low: "thinkingLow",
  medium: "thinkingMedium",
  high: "thinkingHigh",
  xhigh: "thinkingXhigh",
};
