// A question of the agent, in place of the prompt.
//
// - A number, the arrows and Enter choose; y and n answer a permission; anything else that is typed is an answer in one's own
//   words, which denies a permission and tells the agent why.
// - Keys of the first moment are dropped: they were meant for the prompt that was there before.
// - A permission waits for ever, and Esc denies it. Another question is answered after a time with what is recommended, else
//   with the first answer, unless a key was pressed; Esc stops the turn.

import type { QuestionItem } from "@stet/client/items";
import { noAnswer } from "@stet/protocol/question-text";
import type { InputComponent } from "@stet/tui/component";
import { OneLine } from "@stet/tui/components/one-line";
import type { Input, KeyInput } from "@stet/tui/input/input";
import { truncateCells } from "@stet/tui/text/slice";
import { cellWidth } from "@stet/tui/text/width";
import type { Theme } from "../theme/theme.ts";
import { type QuestionBody, questionBodyRows } from "./question-body.ts";
import {
  denial,
  joinedAnswers,
  type QuestionChoice,
  questionChoices,
  recommendedChoice,
} from "./question-choices.ts";
import { cleanLine, cleanText, fitted, hanging } from "./rows.ts";

/** Milliseconds in which keys are dropped. */
const settleMs = 300;
/** With less of what is asked in view, answers give way. */
const leastBodyRows = 4;

export interface QuestionPanelOptions {
  readonly item: QuestionItem;
  readonly theme: Theme;
  readonly screenRows: () => number;
  /** Seconds until a question that is no permission is answered by itself; 0 never. */
  readonly timeout: number;
  /** What the call would change, as a unified diff, as far as it is known. */
  readonly preview?: string;
  /** How many questions wait, this one among them. */
  readonly waiting?: () => number;
  readonly now?: () => number;
  readonly onAnswer: (answer: string) => void;
  /** Esc, where it is no permission: the turn is stopped. */
  readonly onCancel: () => void;
  readonly requestRender: () => void;
}

export class QuestionPanel implements InputComponent {
  isFocused = false;
  readonly #options: QuestionPanelOptions;
  readonly #choices: readonly QuestionChoice[];
  readonly #chosen = new Set<number>();
  readonly #line = new OneLine();
  readonly #now: () => number;
  #since: number | undefined;
  #isWriting: boolean;
  #isAnswered = false;
  #selected: number;
  /** The first row of the body that is shown. */
  #top = 0;
  #page = 1;
  #secondsLeft: number;
  #change: Pick<QuestionBody, "preview" | "call">;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: QuestionPanelOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#change = { preview: options.preview ?? "", call: undefined };
    const { asked } = options.item;
    this.#choices = questionChoices(asked);
    this.#selected = recommendedChoice(this.#choices);
    // Without answers to choose from there is only one's own.
    this.#isWriting = asked.options.length === 0;
    this.#secondsLeft = asked.kind === "permission" || this.#isWriting ? 0 : options.timeout;
    if (this.#secondsLeft <= 0) return;
    this.#timer = setInterval(() => this.#tick(), 1000);
    this.#timer.unref();
  }

  /** Another front end answered, or the turn ended. */
  close(): void {
    this.#isAnswered = true;
    this.#stopClock();
  }

  /** What the call would change became known. */
  showChange(change: Pick<QuestionBody, "preview" | "call"> | undefined): void {
    if (change === undefined) return;
    this.#change = change;
    this.#options.requestRender();
  }

  handleInput(input: Input): boolean {
    if (input.kind === "key" && input.isRelease) return false;
    if (this.#since === undefined || this.#now() - this.#since < settleMs)
      return (
        input.kind === "paste" || input.text !== undefined || input.id === "enter" || input.id === "escape"
      );
    this.#stopClock();
    if (input.kind === "key" && this.#scroll(input)) return true;
    if (this.#isWriting) return this.#write(input);
    return input.kind === "key" ? this.#choose(input) : this.#begin(input);
  }

  render(width: number): readonly string[] {
    this.#since ??= this.#now();
    const { theme, screenRows } = this.#options;
    const room = Math.max(1, width);
    const answers = this.#isWriting ? [this.#lineRow(room)] : this.#choiceRows(room).flat();
    const hint = theme.fg("dim", truncateCells(this.#hint(), room));
    const most = screenRows() - answers.length - 5;
    if (most < leastBodyRows) return fitted(this.#tightRows(room, hint), room);
    const body = this.#bodyRows(room, most);
    return fitted(
      [this.#border(room), ...body, "", ...answers, hint, theme.fg("borderAccent", line(theme, room))],
      room,
    );
  }

  /** On a screen with few rows what is asked comes first: answers are a row each, those around the selected one. */
  #tightRows(width: number, hint: string): string[] {
    const height = this.#options.screenRows() - 1;
    const all = this.#isWriting
      ? [this.#lineRow(width)]
      : this.#choiceRows(width).map(([first = "", ...more]) =>
          more.length > 0 ? truncateCells(`${first} …`, width) : first,
        );
    const hasFrame = height >= 4;
    const inside = hasFrame ? height - 2 : height;
    const count = Math.max(1, Math.min(all.length, Math.floor(inside / 2)));
    const from = Math.max(0, Math.min(this.#selected - Math.floor(count / 2), all.length - count));
    const answers = all.slice(from, from + count);
    const body = this.#bodyRows(width, Math.max(1, inside - answers.length));
    return hasFrame ? [this.#border(width), ...body, ...answers, hint] : [...body, ...answers];
  }

  #border(width: number): string {
    const { theme, item, waiting } = this.#options;
    const kind = item.asked.kind === "permission" ? "Permission" : "Question";
    // One that works for the session's own agent asks under its own name.
    const what = item.asked.agent === undefined ? kind : `${kind} of ${cleanLine(item.asked.agent)}`;
    const count = waiting?.() ?? 1;
    const title = count > 1 ? `${what}, 1 of ${count} that wait` : what;
    const sign = theme.symbol("line");
    const start = truncateCells(`${sign}${sign} ${title} `, width);
    return theme.fg("borderAccent", start + sign.repeat(Math.max(0, width - cellWidth(start))));
  }

  #bodyRows(width: number, most: number): string[] {
    const { theme, item } = this.#options;
    const rows = questionBodyRows({ question: item.asked, ...this.#change }, theme, width);
    if (rows.length <= most) return rows;
    if (most === 1) return rows.slice(0, 1);
    this.#page = Math.max(1, most - 1);
    this.#top = Math.max(0, Math.min(this.#top, rows.length - this.#page));
    const end = Math.min(rows.length, this.#top + this.#page);
    const where = `${this.#top + 1} to ${end} of ${rows.length} lines: PgUp and PgDn scroll`;
    return [...rows.slice(this.#top, end), theme.fg("warning", truncateCells(where, width))];
  }

  /** The rows of each answer. */
  #choiceRows(width: number): string[][] {
    const { theme } = this.#options;
    return this.#choices.map((choice, index) => {
      const isSelected = index === this.#selected;
      const pointer = isSelected
        ? `${theme.symbol("selected")} `
        : " ".repeat(cellWidth(theme.symbol("selected")) + 1);
      const mark =
        choice.kind === "part" ? `${theme.symbol(this.#chosen.has(index) ? "checked" : "unchecked")} ` : "";
      const label = cleanText(choice.label);
      const lines = label.split("\n").map((text) => (isSelected ? theme.emphasis("bold", text) : text));
      return hanging(
        `${theme.fg("accent", pointer)}${theme.fg("muted", `${index + 1}.`)} ${mark}`,
        lines,
        width,
      );
    });
  }

  #lineRow(width: number): string {
    const sign = truncateCells("> ", Math.max(0, width - 2));
    return sign + this.#line.row(Math.max(1, width - cellWidth(sign)), this.isFocused);
  }

  /** Whom Esc stops, where it denies nothing. */
  get #asker(): string {
    return cleanLine(this.#options.item.asked.agent ?? "the turn");
  }

  #hint(): string {
    const isPermission = this.#options.item.asked.kind === "permission";
    if (this.#isWriting) {
      const back = this.#choices.length > 1 ? "Esc goes back" : `Esc stops ${this.#asker}`;
      return isPermission ? `Enter denies and tells the agent this, ${back}` : `Enter answers, ${back}`;
    }
    if (isPermission)
      return "y allows once, n or Esc denies; a number or Enter chooses; other words deny and are told";
    const clock =
      this.#secondsLeft > 0 ? `; in ${this.#secondsLeft} s number ${this.#automatic() + 1} is taken` : "";
    const several = this.#choices.some(({ kind }) => kind === "part") ? "Space marks, " : "";
    return `${several}Enter or a number answers, Esc stops ${this.#asker}${clock}`;
  }

  #scroll({ id }: KeyInput): boolean {
    if (id !== "pageUp" && id !== "pageDown") return false;
    this.#top += id === "pageUp" ? -this.#page : this.#page;
    return true;
  }

  #choose(input: KeyInput): boolean {
    const { id, text } = input;
    const count = this.#choices.length;
    if (id === "up" || id === "ctrl+p") this.#selected = (this.#selected + count - 1) % count;
    else if (id === "down" || id === "ctrl+n") this.#selected = (this.#selected + 1) % count;
    else if (id === "enter") this.#take(this.#selected);
    else if (id === "escape") this.#escape();
    else if (id === "space" || text === " ") this.#mark(this.#selected);
    else {
      const byKey = this.#choices.findIndex((choice) => choice.kind === "answer" && choice.key === id);
      const index = byKey >= 0 ? byKey : /^[1-9]$/.test(id) ? Number(id) - 1 : -1;
      if (index >= 0 && index < count) {
        this.#selected = index;
        this.#take(index);
      } else return text !== undefined && text !== "" && this.#begin(input);
    }
    return true;
  }

  #mark(index: number): void {
    if (this.#choices[index]?.kind !== "part") return;
    if (!this.#chosen.delete(index)) this.#chosen.add(index);
  }

  #take(index: number): void {
    const choice = this.#choices[index];
    if (choice?.kind === "answer") this.#answer(choice.answer);
    else if (choice?.kind === "part") this.#mark(index);
    else if (choice?.kind === "own") this.#isWriting = true;
    else if (choice?.kind === "done" && this.#chosen.size > 0)
      this.#answer(joinedAnswers(this.#choices, this.#chosen));
  }

  #escape(): void {
    const answer = denial(this.#options.item.asked);
    if (answer !== undefined) this.#answer(answer);
    else if (!this.#isAnswered) {
      this.close();
      this.#options.onCancel();
    }
  }

  /** The first letter of an answer in one's own words. */
  #begin(input: Input): boolean {
    this.#isWriting = true;
    return this.#line.handleInput(input);
  }

  #write(input: Input): boolean {
    if (input.kind === "key" && input.id === "enter") {
      const text = this.#line.text.trim();
      if (text !== "") this.#answer(text);
      else if (this.#options.item.asked.kind === "clarification") this.#answer(noAnswer);
      return true;
    }
    if (input.kind === "key" && input.id === "escape") {
      if (this.#choices.length === 1) this.#escape();
      else this.#isWriting = false;
      return true;
    }
    return this.#line.handleInput(input);
  }

  #answer(answer: string): void {
    if (this.#isAnswered) return;
    this.close();
    this.#options.onAnswer(answer);
  }

  #automatic(): number {
    return recommendedChoice(this.#choices);
  }

  #tick(): void {
    this.#secondsLeft -= 1;
    if (this.#secondsLeft > 0) {
      this.#options.requestRender();
      return;
    }
    const choice = this.#choices[this.#automatic()];
    if (choice?.kind === "answer" || choice?.kind === "part") this.#answer(choice.answer);
  }

  #stopClock(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#secondsLeft = 0;
  }
}

function line(theme: Theme, width: number): string {
  return theme.symbol("line").repeat(Math.max(1, width));
}
