// The screen, put together: the conversation above, then what was queued, what goes on, the status line and the prompt. Only what
// the first frame needs is loaded here.

import type { Component, InputComponent } from "@stet/tui/component";
import { Editor } from "@stet/tui/editor/editor";
import type { Input } from "@stet/tui/input/input";
import { Tui, type TuiOptions } from "@stet/tui/renderer/tui";
import type { Terminal } from "@stet/tui/terminal/terminal";
import { type Block, Transcript } from "@stet/tui/transcript/transcript";
import { ActivityView } from "./activity-view.ts";
import { Banner } from "./banner.ts";
import type { KeyBindings } from "./keys/bindings.ts";
import { NoticeBlock, type NoticeKind } from "./notice-block.ts";
import { PromptArea } from "./prompt-area.ts";
import { QueueView } from "./queue-view.ts";
import { type Status, StatusLine } from "./status-line.ts";
import type { LiveTheme } from "./theme/live-theme.ts";

export interface ScreenOptions {
  readonly terminal: Terminal;
  readonly theme: LiveTheme;
  readonly keys: KeyBindings;
  readonly status: Status;
  readonly tui: TuiOptions;
  /** Keys that the prompt leaves. */
  readonly onKey: (input: Input) => boolean;
}

export class Screen {
  readonly tui: Tui;
  readonly transcript: Transcript;
  readonly editor: Editor;
  readonly area: PromptArea;
  readonly queue: QueueView;
  readonly activity: ActivityView;
  readonly banner: Banner;
  readonly statusLine: StatusLine;
  readonly #theme: LiveTheme;

  constructor({ terminal, theme, keys, status, tui: options, onKey }: ScreenOptions) {
    this.#theme = theme;
    this.tui = new Tui(terminal, options);
    this.transcript = new Transcript({ replayRows: () => options.replayRows ?? 10_000 });
    this.queue = new QueueView(theme);
    this.activity = new ActivityView(this.tui, theme);
    this.banner = new Banner(theme);
    this.statusLine = new StatusLine(theme, status);
    this.editor = new Editor({
      screenRows: () => terminal.rows,
      actionOf: promptActions(keys),
      chipStyle: (label) => theme.fg("accent", label),
      placeholder: theme.fg("dim", "Ask for a change, or / for commands"),
    });
    this.area = new PromptArea(this.tui, keysBehind(this.editor, onKey));
    const parts: Component[] = [
      this.transcript,
      this.queue,
      this.activity,
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

  tell(text: string, kind: NoticeKind): void {
    this.show(new NoticeBlock(this.#theme, text, kind));
  }

  /** Behind everything that was said until now. */
  show(block: Block): void {
    this.transcript.add(block);
    this.tui.requestRender();
  }

  notify(_text: string): void {
    this.tui.terminal.write("\u0007");
  }
}

/** Keys of the prompt that are the editor's own. */
function promptActions({ actionOf }: KeyBindings): Editor["actionOf"] {
  return (key) => {
    const action = actionOf.prompt(key);
    return action === undefined || action.startsWith("prompt.")
      ? undefined
      : (action as ReturnType<Editor["actionOf"]>);
  };
}

/** The editor, and behind it whoever takes the keys that it has no use for. */
function keysBehind(editor: Editor, onKey: (input: Input) => boolean): InputComponent {
  return {
    get isFocused() {
      return editor.isFocused;
    },
    set isFocused(isFocused: boolean) {
      editor.isFocused = isFocused;
    },
    handleInput: (input) => editor.handleInput(input) || onKey(input),
    render: (width) => editor.render(width),
  };
}
