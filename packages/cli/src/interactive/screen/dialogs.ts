// Questions of ours to the person, in place of the prompt or over the screen.

import type { Component, InputComponent } from "@stet/tui/component";
import { InputLine } from "@stet/tui/components/input-line";
import { Pager } from "@stet/tui/components/pager";
import type { Input } from "@stet/tui/input/input";
import type { Tui } from "@stet/tui/renderer/tui";
import type { ChoiceQuestion, Dialogs } from "../app.ts";
import type { KeyBindings } from "../keys/bindings.ts";
import type { Theme } from "../theme/theme.ts";
import { frameRow, ListPanel } from "./list-panel.ts";
import type { PromptArea } from "./prompt-area.ts";

export interface DialogOptions {
  readonly tui: Tui;
  readonly area: PromptArea;
  readonly theme: Theme;
  readonly keys: () => KeyBindings;
}

export class TerminalDialogs implements Dialogs {
  readonly #options: DialogOptions;

  constructor(options: DialogOptions) {
    this.#options = options;
  }

  choose<Value>(question: ChoiceQuestion<Value>): Promise<Value | undefined> {
    const { area, theme, tui, keys } = this.#options;
    const { promise, resolve } = Promise.withResolvers<Value | undefined>();
    const panel = new ListPanel<Value>({
      ...(question.onKey === undefined ? {} : { onKey: question.onKey, onRows: () => tui.requestRender() }),
      theme,
      title: question.title,
      hint: question.hint ?? "Enter chooses, typing searches, Esc closes",
      screenRows: () => tui.terminal.rows,
      list: {
        items: question.choices,
        actionOf: keys().actionOf.list,
        editing: keys().editing,
        ...(question.selected === undefined ? {} : { selected: question.selected }),
      },
    });
    const close = area.open(panel);
    panel.list.onSelect = ({ value }) => {
      close();
      resolve(value);
    };
    panel.list.onCancel = () => {
      close();
      resolve(undefined);
    };
    return promise;
  }

  ask({ title, text, isSecret = false }: Parameters<Dialogs["ask"]>[0]): Promise<string | undefined> {
    const { area, theme, keys } = this.#options;
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    const line = new InputLine({
      question: title,
      actionOf: keys().editing,
      isSecret,
      questionStyle: (row) => theme.emphasis("bold", row),
      ...(text === undefined ? {} : { text }),
    });
    const close = area.open(framed(line, theme));
    line.onSubmit = (written) => {
      close();
      resolve(written);
    };
    line.onCancel = () => {
      close();
      resolve(undefined);
    };
    return promise;
  }

  async confirm(question: string): Promise<boolean> {
    const answer = await this.choose({
      title: question,
      choices: [
        { value: true, label: "Yes" },
        { value: false, label: "No" },
      ],
    });
    return answer === true;
  }

  page(title: string, content: Component): Promise<void> {
    const { tui, area, theme, keys } = this.#options;
    const { promise, resolve } = Promise.withResolvers<void>();
    const pager = new Pager({
      title,
      content,
      rows: () => tui.terminal.rows,
      actionOf: keys().actionOf.pager,
      titleStyle: (row) => theme.emphasis("bold", theme.fg("accent", row)),
      hintStyle: (row) => theme.fg("dim", row),
      foundStyle: (row) => theme.bg("selectedBg", row),
    });
    const overlay = tui.showOverlay(pager);
    const uncover = area.cover();
    pager.onClose = () => {
      overlay.close();
      uncover();
      resolve();
    };
    return promise;
  }

  panel(
    make: (close: () => void) => InputComponent,
    { over = "prompt" }: { readonly over?: "prompt" | "screen" } = {},
  ): Promise<void> {
    const { area, tui } = this.#options;
    const { promise, resolve } = Promise.withResolvers<void>();
    let take = () => {};
    const panel = make(() => {
      take();
      resolve();
    });
    if (over === "prompt") take = area.open(panel);
    else {
      const overlay = tui.showOverlay(panel);
      const uncover = area.cover();
      take = () => {
        overlay.close();
        uncover();
      };
    }
    return promise;
  }
}

/** A component between two lines. */
function framed(inner: InputComponent, theme: Theme): InputComponent {
  return {
    get isFocused() {
      return inner.isFocused;
    },
    set isFocused(isFocused: boolean) {
      inner.isFocused = isFocused;
    },
    handleInput: (input: Input) => inner.handleInput(input),
    render: (width: number) => [frameRow(theme, width), ...inner.render(width), frameRow(theme, width)],
  };
}
