// The prompt: the editor with what belongs to Stet. Chips for what is pasted, a list that completes files and commands, the past
// and a search in it, the person's own editor, and a border that says what Enter will do.
//
// A key goes to the search while it is open, then to the list of completions, then to the prompt's own actions, then to the
// editor. What none of them uses is the app's.

import type { Api } from "@stet/client/direct";
import { isFault } from "@stet/protocol/fault";
import type { InputComponent } from "@stet/tui/component";
import { Editor } from "@stet/tui/editor/editor";
import type { EditorBorder } from "@stet/tui/editor/editor-border";
import type { EditorAction } from "@stet/tui/editor/editor-keys";
import type { Input, KeyInput } from "@stet/tui/input/input";
import type { App, Prompt, SlashCommand } from "../app.ts";
import type { ActionIn } from "../keys/actions.ts";
import { isEditorAction, type KeyBindings } from "../keys/bindings.ts";
import type { Theme } from "../theme/theme.ts";
import { AgentNames } from "./agent-names.ts";
import { Attachments } from "./attachments.ts";
import { Completion } from "./completion.ts";
import { FileIndex } from "./file-index.ts";
import { HistorySearch } from "./history-search.ts";
import { pastedPicture } from "./pasted.ts";
import { modeOf, type PromptMode, type SendMode, type Submission, submissionOf } from "./submission.ts";
import type { VimKeys } from "./vim-keys.ts";

export interface PromptEditorOptions {
  readonly theme: Theme;
  readonly keys: () => KeyBindings;
  readonly commands: readonly SlashCommand[];
  /** Where the person stands, and the root of the workspace. */
  readonly folder: string;
  readonly root: string;
  readonly screenRows: () => number;
  readonly requestRender: () => void;
  /** Undefined until the host is there: then the past and files are not known yet. */
  readonly api: () => Pick<Api<"listFiles" | "listPrompts" | "listAgentDefinitions">, "call"> | undefined;
  readonly completeArgument: (command: SlashCommand, word: string) => Promise<readonly string[]>;
  /** Returns whether it was used up; where it was not, it comes back into the prompt. */
  readonly onSubmit: (submission: Submission, mode: SendMode) => Promise<boolean>;
  readonly onChange?: () => void;
  readonly tell: App["tell"];
  readonly tellFault: App["tellFault"];
  readonly editText: App["editText"];
  readonly environment: NodeJS.ProcessEnv;
  readonly placeholder?: () => string;
  /** What a key would do on the empty prompt, in place of its usual words. */
  readonly offer?: () => string | undefined;
}

type PromptAction = Exclude<ActionIn<"prompt">, EditorAction>;

/** How much of the past Up and Down go through. */
const maxHistory = 500;
/** A longer text is nothing to recall; the host's own list has the same limit. */
const maxRecalled = 100_000;

export class PromptEditor implements InputComponent, Prompt {
  readonly editor: Editor;
  readonly #options: PromptEditorOptions;
  readonly #attachments: Attachments;
  readonly #completion: Completion;
  #search: HistorySearch | undefined;
  #files: FileIndex | undefined;
  #border: Partial<EditorBorder> = {};
  #isFocused = false;
  #vim: VimKeys | undefined;

  constructor(options: PromptEditorOptions) {
    this.#options = options;
    const { theme } = options;
    this.editor = new Editor({
      screenRows: options.screenRows,
      actionOf: (key) => options.keys().editing(key),
      chipStyle: (label) => theme.fg("accent", label),
    });
    this.editor.onSubmit = () => void this.submit();
    this.editor.onChange = () => options.onChange?.();
    this.#attachments = new Attachments(this.editor);
    this.#completion = new Completion({
      editor: this.editor,
      theme,
      keys: options.keys,
      screenRows: options.screenRows,
      requestRender: options.requestRender,
      sources: {
        commands: options.commands,
        completeArgument: options.completeArgument,
        files: () => this.#fileIndex(),
        agents: new AgentNames(options.api),
      },
    });
  }

  /** What is written, with what was pasted in it. */
  get text(): string {
    return this.#attachments.textOf(this.editor.text);
  }

  get isEmpty(): boolean {
    return this.editor.isEmpty;
  }

  /** Whether Esc closes a list or a search of the prompt first. */
  get hasList(): boolean {
    return this.#search !== undefined || this.#completion.isOpen;
  }

  get mode(): PromptMode {
    return modeOf(this.editor.content.buffer.line(0));
  }

  get isFocused(): boolean {
    return this.#isFocused;
  }

  set isFocused(isFocused: boolean) {
    this.#isFocused = isFocused;
    this.editor.isFocused = isFocused;
  }

  setText(text: string): void {
    this.#completion.close();
    this.editor.setText(text);
  }

  clear(): void {
    this.#completion.close();
    this.editor.clear();
    this.#vim?.startOver();
    this.#attachments.startOver();
  }

  /** How the border looks while a message is written; other modes have their own. */
  setBorder(border: Partial<EditorBorder>): void {
    this.#border = { ...this.#border, ...border };
  }

  /** Reads what was sent before; called when the host is there. */
  async loadHistory(): Promise<void> {
    this.#completion.hostOpened();
    const reply = await this.#options.api()?.call("listPrompts", { query: { limit: maxHistory } });
    if (reply === undefined) return;
    if (isFault(reply)) {
      this.#options.tellFault(reply);
      return;
    }
    const sent = this.editor.history.entries;
    this.editor.history.set([...sent, ...reply.prompts.map(({ text }) => text)]);
  }

  handleInput(input: Input): boolean {
    if (this.#search !== undefined) return this.#search.handleInput(input);
    const isHandled = this.#completion.handleInput(input);
    if (isHandled === "submit") return this.editor.perform("editor.submit");
    if (isHandled) return true;
    if (input.kind === "paste") return this.#paste(input.text);
    if (input.isRelease) return false;
    if (this.#vim?.handle(input) === true) {
      this.#completion.moved();
      return true;
    }
    return this.#handleKey(input);
  }

  /** Vim's keys, or not. */
  async useVim(isWanted: boolean): Promise<void> {
    if (isWanted === (this.#vim !== undefined)) return;
    if (isWanted) {
      const { VimKeys } = await import("./vim-keys.ts");
      this.#vim = new VimKeys(this.editor);
    } else this.#vim = undefined;
    this.#options.requestRender();
  }

  render(width: number): readonly string[] {
    if (this.#search !== undefined) {
      this.#search.isFocused = this.#isFocused;
      return this.#search.render(width);
    }
    this.editor.placeholder = this.#options.placeholder?.() ?? "";
    this.editor.border(this.#borderNow());
    const rows = this.editor.render(width);
    const list = this.#completion.render(width);
    return list.length === 0 ? rows : [...rows, ...list];
  }

  #handleKey(key: KeyInput): boolean {
    const action = this.#options.keys().actionOf.prompt(key.id);
    const own = promptAction(action);
    // Where there is nothing to complete, the key is the app's.
    if (own === "prompt.complete" && this.isEmpty) return false;
    if (own !== undefined) return this.#perform(own);
    const before = this.editor.text;
    const isUsed = this.editor.handleKey(key);
    const isTyped = action === undefined || action.startsWith("editor.delete.");
    if (!isUsed || this.editor.text === before) this.#completion.moved();
    else if (isTyped) this.#completion.look();
    else this.#completion.close();
    return isUsed;
  }

  #perform(action: PromptAction): boolean {
    if (action === "prompt.complete") this.#completion.look();
    else if (action === "prompt.history.search") this.#openSearch();
    else if (action === "prompt.paste") void this.#pasteClipboard();
    else void this.#editExternally();
    return true;
  }

  #paste(text: string): boolean {
    this.#completion.close();
    this.#vim?.changedOtherwise();
    const picture = pastedPicture(text, this.#options.folder);
    if (picture === undefined) this.#attachments.addText(text);
    else this.#attachments.addPictureFile(picture);
    return true;
  }

  async #pasteClipboard(): Promise<void> {
    const { readClipboardPicture } = await import("@stet/tui/terminal/clipboard");
    const picture = await readClipboardPicture({ environment: this.#options.environment });
    if (picture !== undefined) this.#attachments.addPictureBytes(picture.bytes);
    else
      this.#options.tell(
        "There is no picture in the clipboard. Text is pasted with the keys of the terminal.",
      );
    this.#options.requestRender();
  }

  async #editExternally(): Promise<void> {
    this.#completion.close();
    const edited = await this.#options.editText(this.text, "prompt.md");
    if (isFault(edited)) this.#options.tellFault(edited);
    else this.editor.setText(edited);
    this.#options.requestRender();
  }

  #openSearch(): void {
    this.#completion.close();
    const { api, theme, keys, screenRows, requestRender } = this.#options;
    this.#search = new HistorySearch({
      api,
      theme,
      keys,
      screenRows,
      requestRender,
      known: this.editor.history.entries,
      query: "",
      onEnd: (prompt) => {
        this.#search = undefined;
        if (prompt !== undefined) this.editor.setText(prompt);
        requestRender();
      },
    });
  }

  /** The prompt is empty at once; what cannot be sent comes back. */
  async submit(mode: SendMode = "steer"): Promise<void> {
    const written = this.editor.text;
    if (written.trim() === "") return;
    this.clear();
    await this.send(written, mode);
  }

  /** Sends a text as if it had been written here. */
  async send(written: string, mode: SendMode): Promise<void> {
    const submission = await submissionOf(written, this.#attachments, this.#options.root);
    if (typeof submission === "string") {
      this.#options.tell(submission, "error");
      this.bringBack(written);
      return;
    }
    if (isRecalled(submission.text)) this.editor.history.add(submission.text);
    if (!(await this.#options.onSubmit(submission, mode))) this.bringBack(written);
  }

  /** Puts a text back before what was written since. */
  bringBack(text: string): void {
    this.editor.setText(this.editor.isEmpty ? text : `${text}\n${this.editor.text}`);
    this.#options.requestRender();
  }

  #fileIndex(): FileIndex | undefined {
    const api = this.#options.api();
    if (api === undefined) return undefined;
    this.#files ??= new FileIndex(async (limit) => {
      const reply = await (this.#options.api() ?? api).call("listFiles", { query: { limit } });
      return isFault(reply) ? reply : reply.files;
    });
    return this.#files;
  }

  #borderNow(): Partial<EditorBorder> {
    const { theme } = this.#options;
    const rightTitle =
      this.#vim === undefined ? (this.#border.rightTitle ?? "") : theme.fg("muted", this.#vim.label);
    const usual = { ...this.#border, rightTitle, footer: this.#border.footer ?? "" };
    if (this.mode === "message") return usual;
    const footer =
      this.mode === "private"
        ? "runs in your shell; the agent is not told"
        : "runs in your shell; the agent is told (!! keeps it to yourself)";
    return { ...usual, footer: theme.fg("dim", footer), colour: (text) => theme.fg("bashMode", text) };
  }
}

/** A key that was typed behind /login by mistake is not kept. */
function isRecalled(text: string): boolean {
  return text.length <= maxRecalled && !/^\s*\/log(in|out)\s+\S/i.test(text);
}

function promptAction(action: ActionIn<"prompt"> | undefined): PromptAction | undefined {
  return action === undefined || isEditorAction(action) ? undefined : action;
}
