// The screen, put together: the conversation above, then what was queued, what goes on, in the turn and beside it, the tasks, the status line and the prompt.
// Only what the first frame needs is loaded here.

import type { Settings } from "@stet/host/settings/configuration";
import type { Component, InputComponent } from "@stet/tui/component";
import type { Input } from "@stet/tui/input/input";
import { Tui, type TuiOptions } from "@stet/tui/renderer/tui";
import { notify } from "@stet/tui/terminal/notify";
import type { Terminal } from "@stet/tui/terminal/terminal";
import { popTitle, pushTitle, titleSequence } from "@stet/tui/terminal/title";
import { type Block, Transcript } from "@stet/tui/transcript/transcript";
import { BackgroundView } from "../background/background-view.ts";
import type { KeyBindings } from "../keys/bindings.ts";
import { PromptEditor, type PromptEditorOptions } from "../prompt/prompt-editor.ts";
import type { LiveTheme } from "../theme/live-theme.ts";
import { TodoView } from "../transcript/todo-list.ts";
import { ActivityView } from "./activity-view.ts";
import { Banner } from "./banner.ts";
import { NoticeBlock, type NoticeKind } from "./notice-block.ts";
import { PromptArea } from "./prompt-area.ts";
import { QueueView } from "./queue-view.ts";
import { type Status, StatusLine } from "./status-line.ts";

export interface ScreenOptions {
  readonly terminal: Terminal;
  readonly theme: LiveTheme;
  readonly keys: KeyBindings;
  readonly prompt: Omit<
    PromptEditorOptions,
    "theme" | "keys" | "screenRows" | "requestRender" | "placeholder"
  >;
  readonly status: Status;
  readonly tui: TuiOptions;
  /** Seconds that a closed task stays in view. */
  readonly todoClearDelay: () => number;
  /** Keys that the prompt leaves. */
  readonly onKey: (input: Input) => boolean;
}

export class Screen {
  readonly tui: Tui;
  readonly transcript: Transcript;
  readonly prompt: PromptEditor;
  readonly area: PromptArea;
  readonly queue: QueueView;
  readonly activity: ActivityView;
  readonly background: BackgroundView;
  readonly todo: TodoView;
  readonly banner: Banner;
  readonly statusLine: StatusLine;
  readonly #theme: LiveTheme;
  readonly #options: TuiOptions;
  #title: string | undefined;

  constructor({ terminal, theme, keys, prompt, status, todoClearDelay, tui: options, onKey }: ScreenOptions) {
    this.#theme = theme;
    this.#options = options;
    options.olderRows ??= (rows) =>
      theme.fg(
        "dim",
        `${rows.toLocaleString("en")} older rows are not shown: the session has them (/tree, /export)`,
      );
    this.tui = new Tui(terminal, options);
    this.transcript = new Transcript({ replayRows: () => options.replayRows ?? 10_000 });
    this.queue = new QueueView(theme);
    this.activity = new ActivityView(this.tui, theme);
    this.background = new BackgroundView({
      theme,
      requestRender: (view) => this.tui.requestComponentRender(view),
      isBelowActivity: () => this.activity.isShown,
    });
    this.todo = new TodoView({
      theme,
      clearDelay: todoClearDelay,
      requestRender: () => this.tui.requestRender(),
    });
    this.banner = new Banner(theme);
    this.statusLine = new StatusLine(theme, status);
    this.prompt = new PromptEditor({
      ...prompt,
      theme,
      keys: () => keys,
      screenRows: () => terminal.rows,
      requestRender: () => this.tui.requestRender(),
      placeholder: () => theme.fg("dim", prompt.offer?.() ?? "Ask for a change, or / for commands"),
    });
    this.area = new PromptArea(this.tui, keysBehind(this.prompt, onKey));
    const parts: Component[] = [
      this.transcript,
      this.queue,
      this.activity,
      this.background,
      this.todo,
      this.banner,
      this.statusLine,
      this.area,
    ];
    for (const part of parts) this.tui.add(part);
    this.area.focus();
  }

  get size(): { readonly columns: number; readonly rows: number } {
    const { columns, rows } = this.tui.terminal;
    return { columns, rows };
  }

  /** What is in the window is drawn anew; history keeps its colours. */
  coloursChanged(): void {
    this.transcript.redraw();
    this.tui.requestRender({ force: true });
  }

  tell(text: string, kind: NoticeKind): void {
    this.show(new NoticeBlock(this.#theme, text, kind));
  }

  /** Behind everything that was said until now. */
  show(block: Block): void {
    this.transcript.add(block);
    this.tui.requestRender();
  }

  /** Of the renderer. */
  useSettings(settings: Pick<Settings, "tui.replayRows" | "tui.resize">): void {
    this.#options.replayRows = settings["tui.replayRows"];
    this.#options.resize = settings["tui.resize"];
  }

  start(): void {
    this.tui.start();
    this.#title = undefined;
    this.tui.terminal.write(pushTitle);
  }

  stop(): void {
    if (!this.tui.isRunning) return;
    this.tui.terminal.write(popTitle);
    this.tui.stop();
  }

  /** Of the window. */
  setTitle(title: string): void {
    if (title === this.#title || !this.tui.isRunning) return;
    this.#title = title;
    this.tui.terminal.write(titleSequence(title));
  }

  notify(text: string): void {
    notify(this.tui.terminal, { title: "Stet", body: text });
  }
}

/** The prompt, and behind it whoever takes the keys that it has no use for. */
function keysBehind(prompt: InputComponent, onKey: (input: Input) => boolean): InputComponent {
  return {
    get isFocused() {
      return prompt.isFocused;
    },
    set isFocused(isFocused: boolean) {
      prompt.isFocused = isFocused;
    },
    handleInput: (input) => prompt.handleInput(input) || onKey(input),
    render: (width) => prompt.render(width),
  };
}
