// What the person does at the prompt: commands, messages, commands of their own shell, stops.

import { isFault } from "@stet/protocol/fault";
import type { Interactive } from "./interactive.ts";
import type { ShellRun } from "./shell-run.ts";

type Mode = "steer" | "follow_up";

export class Work {
  readonly #app: Interactive;
  /** Sent before the folder was open. */
  readonly #waiting: string[] = [];
  /** What the first message of a session tells beside its own words. */
  #told: string[] = [];
  #shell: ShellRun | undefined;

  constructor(app: Interactive) {
    this.#app = app;
  }

  /** The folder is open: what was asked on the command line, and what was sent meanwhile. */
  async begin(): Promise<void> {
    const { words } = this.#app.options;
    const first = words === "" ? [] : [words];
    for (const text of [...first, ...this.#waiting.splice(0)]) await this.#send(text, "follow_up");
  }

  /** The border tells what Enter will do. */
  promptChanged(): void {
    const { screenParts, theme, opened } = this.#app;
    const { editor } = screenParts;
    const isShell = editor.text.startsWith("!");
    const level = opened?.conversation.choices.thinking ?? "off";
    const token = isShell ? "bashMode" : (thinkingTokens[level] ?? "thinkingOff");
    const footer = isShell
      ? editor.text.startsWith("!!")
        ? "runs in your shell; the agent is not told"
        : "runs in your shell; the agent is told (!! keeps it to yourself)"
      : "";
    editor.border({
      colour: (text) => theme.fg(token, text),
      line: theme.symbol("line"),
      prefix: theme.fg("accent", `${theme.symbol("user")} `),
      footer: footer === "" ? "" : theme.fg("dim", footer),
    });
  }

  async submit(text: string, mode: Mode = "steer"): Promise<void> {
    const { screenParts, opened } = this.#app;
    const { editor } = screenParts;
    if (text.trim() === "") return;
    if (opened === undefined) {
      this.#waiting.push(text);
      editor.history.add(text);
      editor.clear();
      this.#app.tell("The folder is still being opened; this is sent then.");
      return;
    }
    const { parseCommand, runCommand } = await import("./commands/run-command.ts");
    const command = parseCommand(text);
    if (command !== undefined) {
      editor.clear();
      const isUsed = await runCommand(command, this.#app);
      if (!isUsed && editor.isEmpty) editor.setText(text);
      else editor.history.add(text);
      return;
    }
    editor.history.add(text);
    editor.clear();
    if (text.startsWith("!")) await this.#runShell(text);
    else await this.#send(text, mode);
  }

  /** What is refused comes back into the prompt. */
  async #send(text: string, mode: Mode): Promise<void> {
    const app = this.#app;
    const { isPromptProblem, promptOf } = await import("../prompt-references.ts");
    const { signal } = new AbortController();
    const request = await promptOf([text], app.folder, signal);
    if (isPromptProblem(request)) {
      app.tell(request.problem, "error");
      this.#giveBack(text);
      return;
    }
    const { sentImages } = await import("./sent-images.ts");
    const words = [...this.#told, request.text].join("\n\n");
    const fault = await app.conversation.send(words, { mode, images: sentImages(request.images) });
    if (fault === undefined) {
      this.#told = [];
      return;
    }
    app.tellFault(fault);
    this.#giveBack(text);
  }

  #giveBack(text: string): void {
    const { editor } = this.#app.screenParts;
    editor.setText(editor.isEmpty ? text : `${text}\n${editor.text}`);
  }

  async #runShell(text: string): Promise<void> {
    const app = this.#app;
    if (this.#shell !== undefined) {
      app.tell("Another command still runs; Esc ends it.", "warning");
      this.#giveBack(text);
      return;
    }
    const { ShellRun } = await import("./shell-run.ts");
    const isTold = !text.startsWith("!!");
    const command = text.slice(isTold ? 1 : 2).trim();
    if (command === "") return;
    const run = new ShellRun(command, app);
    this.#shell = run;
    const end = await run.ended;
    this.#shell = undefined;
    if (isTold && end !== undefined) await this.#tellAgent(end);
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
    if (texts.length > 0) this.#giveBack(texts.join("\n"));
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
