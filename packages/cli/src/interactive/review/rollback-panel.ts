// What going back would change, over the whole screen, and one question below it.
//
// Where there are two ways to go back (only what the turn did, or everything since then), a key changes between them, and the
// preview with it. Nothing is changed before the answer.

import type { RollbackPlan } from "@stet/client/rollback";
import { visible, visibleName } from "@stet/protocol/visible";
import type { InputComponent } from "@stet/tui/component";
import type { Input } from "@stet/tui/input/input";
import { wrapText } from "@stet/tui/text/wrap";
import type { App } from "../app.ts";
import { hintRow, type KeyHint, rowsFrom, ruleRow, scrolled } from "../screen/panel-rows.ts";
import type { Theme } from "../theme/theme.ts";
import { diffRows } from "../transcript/diff-rows.ts";

export type RollbackPanelParts = Pick<App, "theme" | "screen" | "requestRender">;

/** One way to go back. */
export interface WayBack<Value> {
  readonly value: Value;
  readonly title: string;
  readonly plan: RollbackPlan;
}

export interface RollbackQuestion<Value> {
  /** At least one; the first one is shown first. */
  readonly ways: readonly [WayBack<Value>, ...WayBack<Value>[]];
  readonly question: string;
  /** What else is to be known. */
  readonly notes?: readonly string[];
  /** Undefined where the person says no. */
  readonly done: (value: Value | undefined) => void;
}

export class RollbackPanel<Value> implements InputComponent {
  isFocused = false;
  readonly #parts: RollbackPanelParts;
  readonly #question: RollbackQuestion<Value>;
  #way: WayBack<Value>;
  /** A long plan is not drawn anew for every key. */
  #drawn:
    | { readonly way: WayBack<Value>; readonly width: number; readonly rows: readonly string[] }
    | undefined;
  #offset = 0;
  #contentRows = 0;
  #bodyRows = 1;

  constructor(parts: RollbackPanelParts, question: RollbackQuestion<Value>) {
    this.#parts = parts;
    this.#question = question;
    this.#way = question.ways[0];
  }

  handleInput(input: Input): boolean {
    if (input.kind !== "key" || input.isRelease) return false;
    const page = Math.max(1, this.#bodyRows - 1);
    const scrolls: Readonly<Record<string, number>> = {
      up: -1,
      down: 1,
      pageUp: -page,
      pageDown: page,
      space: page,
      home: -this.#contentRows,
      end: this.#contentRows,
    };
    const by = scrolls[input.id];
    if (by !== undefined) this.#offset = scrolled(this.#offset + by, this.#contentRows, this.#bodyRows);
    else if (input.id === "y") this.#question.done(this.#way.value);
    else if (["n", "q", "escape", "ctrl+c"].includes(input.id)) this.#question.done(undefined);
    else if (input.id === "tab") this.#turn();
    this.#parts.requestRender();
    return true;
  }

  #turn(): void {
    const { ways } = this.#question;
    this.#way = ways[(ways.indexOf(this.#way) + 1) % ways.length] ?? this.#way;
    this.#offset = 0;
  }

  render(width: number): readonly string[] {
    const { theme, screen } = this.#parts;
    const { question, notes = [], ways } = this.#question;
    const height = Math.max(3, screen.rows);
    const asked = wrapText(theme.fg("warning", question), width).slice(0, Math.max(1, height - 3));
    const hints: KeyHint[] = [
      { key: "y", help: "yes" },
      { key: "n", help: "no" },
    ];
    if (ways.length > 1) hints.push({ key: "tab", help: "the other way" });
    hints.push({ key: "↑↓", help: "scroll" });
    this.#bodyRows = Math.max(1, height - asked.length - 2);
    if (this.#drawn?.way !== this.#way || this.#drawn.width !== width)
      this.#drawn = { way: this.#way, width, rows: planRows(this.#way.plan, notes, width, theme) };
    const { rows } = this.#drawn;
    this.#contentRows = rows.length;
    this.#offset = scrolled(this.#offset, rows.length, this.#bodyRows);
    return [
      ruleRow(theme.emphasis("bold", visible(this.#way.title)), width, theme),
      ...rowsFrom(rows, this.#offset, this.#bodyRows),
      ...asked,
      hintRow(hints, width, theme),
    ];
  }
}

/** Each file with what changes in it, below what stays. */
export function planRows(
  { patches, conflicts }: RollbackPlan,
  notes: readonly string[],
  width: number,
  theme: Theme,
): string[] {
  const told = [
    ...notes.map((note) => theme.fg("muted", visible(note))),
    ...conflicts.map((conflict) => theme.fg("warning", `${theme.symbol("warning")} ${visible(conflict)}`)),
  ];
  const files = patches.flatMap(({ name, patch }) => [
    "",
    ...wrapText(theme.emphasis("bold", visibleName(name)), width),
    ...diffRows(patch, theme, width),
  ]);
  const nothing = patches.length === 0 ? wrapText("No text would change.", width) : [];
  return [...told.flatMap((line) => wrapText(line, width)), ...nothing, ...files];
}
