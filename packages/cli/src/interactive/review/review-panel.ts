// The review over the whole screen. One key is one decision; what is decided is saved when the person leaves.
//
// Keys are obeyed one after the other: what is typed while a decision is on its way waits for it. A question is only answered
// by keys that are typed after it was drawn. While a hunk is edited, the panel goes on reading the review, and leaves the
// person's text alone; nothing that was typed is dropped without a question.

import type { LogEvent } from "@stet/protocol/events/log-event";
import { type Fault, isFault } from "@stet/protocol/fault";
import { visible } from "@stet/protocol/visible";
import type { InputComponent } from "@stet/tui/component";
import { Editor } from "@stet/tui/editor/editor";
import type { Input, KeyInput } from "@stet/tui/input/input";
import { wrapText } from "@stet/tui/text/wrap";
import type { Verdict } from "../../review-decisions.ts";
import type { App } from "../app.ts";
import { keyName } from "../keys/key-ids.ts";
import { bothEnds, hintRow, rowsFrom, scrolled } from "../screen/panel-rows.ts";
import { type HunkEdit, textOf } from "./edit-hunk.ts";
import { type ReviewAction, reviewActions } from "./review-keys.ts";
import { decidedMessage, decisions, errorOf, type Message } from "./review-messages.ts";
import { type ReviewApi, ReviewSession, type Scope } from "./review-session.ts";
import { emptyRows, fileRows, HunkDrawing, helpRows, keyRow, titleRow } from "./review-view.ts";

/** What the panel uses of the interactive mode. */
export type ReviewParts = Pick<
  App,
  "theme" | "keys" | "screen" | "requestRender" | "onEvent" | "editText"
> & {
  readonly api: ReviewApi;
};

/** What the person did, for the line that stays in the conversation. */
export interface ReviewOutcome {
  readonly saved: readonly string[] | Fault;
  readonly notes: readonly string[];
  readonly decided: number;
  /** How many hunks are still open. */
  readonly left: number;
}

type Mode =
  | { readonly kind: "hunk" }
  | { readonly kind: "help"; readonly offset: number }
  | { readonly kind: "question"; readonly text: string; readonly answer: (isYes: boolean) => void }
  | { readonly kind: "edit"; readonly edit: HunkEdit; readonly editor: Editor };

/** Events after which the review may be another one. */
const telling: ReadonlySet<LogEvent["type"]> = new Set([
  "document.changed",
  "document.saved",
  "review.updated",
  "diff.generated",
  "job.status",
  "checkpoint.rollback.completed",
  "log.truncated",
]);

const hints = {
  question: [
    { key: "y", help: "yes" },
    { key: "n", help: "no" },
  ],
  edit: [
    { key: "ctrl+s", help: "keep" },
    { key: "esc", help: "drop" },
  ],
};

const hunkMode: Mode = { kind: "hunk" };
const mostMessageRows = 4;

export class ReviewPanel implements InputComponent {
  isFocused = false;
  readonly session: ReviewSession;
  readonly #parts: ReviewParts;
  readonly #leave: (outcome: ReviewOutcome) => void;
  readonly #stopEvents: () => void;
  #mode: Mode = hunkMode;
  #isQuestionDrawn = false;
  #message: Message | undefined;
  /** The first row of the hunk that is shown, and of which hunk; undefined until it is drawn. */
  #scroll: { readonly id: string; readonly offset: number } | undefined;
  readonly #drawing = new HunkDrawing();
  #bodyRows = 1;
  #contentRows = 0;
  #isBusy = false;
  #typed: Input[] = [];

  constructor(parts: ReviewParts, leave: (outcome: ReviewOutcome) => void) {
    this.#parts = parts;
    this.#leave = leave;
    this.session = new ReviewSession(parts.api, () => parts.requestRender());
    this.#stopEvents = parts.onEvent((event) => {
      if (telling.has(event.type)) void this.session.read();
    });
    this.#run(() => this.session.read({ compares: true }));
  }

  /** Whether something is on its way, and no question waits for the person. */
  get isBusy(): boolean {
    return this.#isBusy && this.#mode.kind !== "question";
  }

  handleInput(input: Input): boolean {
    if (input.kind === "key" && input.isRelease) return false;
    const mode = this.#mode;
    if (mode.kind === "question") {
      if (input.kind === "key") this.#answer(mode, input);
      return true;
    }
    if (this.#isBusy) {
      this.#typed.push(input);
      return true;
    }
    if (mode.kind === "edit") return this.#handleEdit(mode, input);
    if (input.kind === "key") this.#handleKey(input);
    this.#parts.requestRender();
    return true;
  }

  #handleKey(input: KeyInput): void {
    const action = this.#parts.keys.actionOf.review(input.id);
    if (this.#mode.kind === "help" && this.#handleHelp(this.#mode.offset, action)) return;
    this.#message = undefined;
    if (action === undefined) {
      this.#say(`${nameOf(input)} does nothing here; ? lists the keys.`);
      return;
    }
    const decision = decisions[action];
    if (decision !== undefined) this.#run(() => this.#decide(...decision));
    else this.#act(action);
  }

  /** The keys scroll by those that scroll; any other one closes them, and does what it does. */
  #handleHelp(offset: number, action: ReviewAction | undefined): boolean {
    const by = action === undefined ? 0 : this.#rowsOf(action);
    if (by !== 0) {
      this.#mode = {
        kind: "help",
        offset: scrolled(offset + by, Object.keys(reviewActions).length, this.#bodyRows),
      };
      return true;
    }
    this.#mode = hunkMode;
    return action === "review.leave" || action === "review.help";
  }

  #act(action: ReviewAction): void {
    const done = this.#actions[action];
    if (done !== undefined) this.#run(done);
    else if (action === "review.help") this.#mode = { kind: "help", offset: 0 };
    else this.#scrollBy(this.#rowsOf(action));
  }

  /** What one after the other is done; the rest is done at once. */
  readonly #actions: Partial<Record<ReviewAction, () => Promise<void>>> = {
    "review.next": () => this.#move(this.session.move(1), "This is the last open hunk."),
    "review.previous": () => this.#move(this.session.move(-1), "This is the first open hunk."),
    "review.nextFile": () => this.#move(this.session.moveFile(1), "This is the last file."),
    "review.previousFile": () => this.#move(this.session.moveFile(-1), "This is the first file."),
    "review.edit": () => this.#edit(),
    "review.editOutside": () => this.#editOutside(),
    "review.undo": () => this.#undo(),
    "review.leave": () => this.#end(),
  };

  /** How far an action scrolls. */
  #rowsOf(action: ReviewAction): number {
    const page = Math.max(1, this.#bodyRows - 1);
    const all = this.#contentRows;
    const by: Partial<Record<ReviewAction, number>> = {
      "review.up": -1,
      "review.down": 1,
      "review.pageUp": -page,
      "review.pageDown": page,
      "review.top": -all,
      "review.bottom": all,
    };
    return by[action] ?? 0;
  }

  /** One thing at a time; what is typed meanwhile follows. */
  #run(action: () => Promise<void>): void {
    this.#isBusy = true;
    void action().finally(() => {
      this.#isBusy = false;
      // One of them may go to work again; the rest stays for when that is done.
      for (
        let typed = this.#typed.shift();
        typed !== undefined;
        typed = this.#isBusy ? undefined : this.#typed.shift()
      )
        this.handleInput(typed);
      this.#parts.requestRender();
    });
  }

  #ask(text: string): Promise<boolean> {
    const before = this.#mode;
    this.#isQuestionDrawn = false;
    this.#typed = [];
    return new Promise((resolve) => {
      const answer = (isYes: boolean) => {
        this.#mode = before;
        resolve(isYes);
      };
      this.#mode = { kind: "question", text, answer };
      this.#parts.requestRender();
    });
  }

  #answer({ answer }: Extract<Mode, { kind: "question" }>, input: KeyInput): void {
    const key = input.id.replace(/^shift\+/, "");
    if (!this.#isQuestionDrawn) return;
    if (key === "y") answer(true);
    else if (["n", "q", "escape", "ctrl+c"].includes(key)) answer(false);
    this.#parts.requestRender();
  }

  async #decide(verdict: Verdict, scope: Scope): Promise<void> {
    const hasWords = this.session.current?.hunk.origins.includes("user") === true;
    const report = await this.session.decide(verdict, scope, (question) => this.#ask(question));
    if (report === undefined) return;
    if (isFault(report)) this.#tellFault(report);
    else if (typeof report === "string") this.#say(report, "warning");
    else {
      const words =
        verdict === "reject" && hasWords
          ? " Your own words in it are in /checkpoints; u brings them back."
          : "";
      this.#sayDecided(verdict === "accept" ? "Accepted" : "Rejected", report, words);
    }
  }

  #sayDecided(...decided: Parameters<typeof decidedMessage>): void {
    this.#message = decidedMessage(...decided);
  }

  async #undo(): Promise<void> {
    const report = await this.session.undo();
    if (isFault(report)) this.#tellFault(report);
    else this.#sayDecided("Open again:", report);
  }

  async #move(moved: Promise<boolean>, otherwise: string): Promise<void> {
    if (!(await moved)) this.#say(this.session.current === undefined ? "Nothing is open." : otherwise);
  }

  async #edit(): Promise<void> {
    const edit = await this.#startEdit();
    if (edit === undefined) return;
    // Half of what it takes for the screen is its own; two of its rows are a border.
    const editor = new Editor({
      screenRows: () => 2 * this.#bodyRows,
      actionOf: this.#parts.keys.editing,
    });
    editor.setText(textOf(edit));
    editor.onChange = () => this.#parts.requestRender();
    this.#mode = { kind: "edit", edit, editor };
  }

  async #editOutside(): Promise<void> {
    const edit = await this.#startEdit();
    if (edit === undefined) return;
    const text = textOf(edit);
    const edited = await this.#parts.editText(text === "" ? "" : `${text}\n`, edit.name);
    if (isFault(edited)) this.#tellFault(edited);
    else await this.#keep(edit, edited.replace(/\r?\n$/, ""));
  }

  async #startEdit(): Promise<HunkEdit | undefined> {
    const { current } = this.session;
    const edit = await this.session.startEdit();
    if (edit === undefined)
      this.#say(current === undefined ? "Nothing is open." : "It is not open any more.");
    else if (!isFault(edit)) return edit;
    else this.#tellFault(edit);
    return undefined;
  }

  #handleEdit(mode: Extract<Mode, { kind: "edit" }>, input: Input): boolean {
    const { edit, editor } = mode;
    const id = input.kind === "key" ? input.id : "";
    if (id === "ctrl+s") this.#run(() => this.#keep(edit, editor.text, mode));
    else if (id === "escape" || id === "ctrl+c") this.#run(() => this.#dropEdit(mode));
    else if (id === "enter") editor.insert("\n");
    else editor.handleInput(input);
    this.#parts.requestRender();
    return true;
  }

  /** The editor stays open with its text where the change is refused. */
  async #keep(edit: HunkEdit, text: string, mode?: Mode): Promise<void> {
    const changed = await this.session.finishEdit(edit, text);
    if (isFault(changed)) {
      if (mode === undefined) await this.#edit();
      if (this.#mode.kind === "edit") this.#mode.editor.setText(text);
      this.#tellFault(changed);
      return;
    }
    this.#mode = hunkMode;
    this.#say(changed ? "Your lines are in the hunk now. It is still open." : "Nothing was changed.");
  }

  async #dropEdit({ edit, editor }: Extract<Mode, { kind: "edit" }>): Promise<void> {
    if (editor.text !== textOf(edit) && !(await this.#ask("Drop what you typed?"))) return;
    this.#mode = hunkMode;
  }

  async #end(): Promise<void> {
    const notes: string[] = [];
    const saved = (await this.session.save((text) => notes.push(text.trim()))) ?? [];
    this.#stopEvents();
    this.#typed = [];
    const { decided, open } = this.session;
    this.#leave({ saved, notes, decided, left: open.length });
  }

  #say(text: string, token: Message["token"] = "muted"): void {
    this.#message = { text, token };
  }

  #tellFault(fault: Fault): void {
    this.#message = errorOf(fault);
  }

  #scrollBy(rows: number): void {
    const id = this.session.current?.hunk.hunk_id;
    if (id === undefined) return;
    const offset = this.#scroll?.id === id ? this.#scroll.offset : 0;
    this.#scroll = { id, offset: scrolled(offset + rows, this.#contentRows, this.#bodyRows) };
  }

  render(width: number): readonly string[] {
    const { theme, screen } = this.#parts;
    const height = Math.max(3, screen.rows);
    const below = [...this.#messageRows(width, height), this.#keyRow(width)];
    const above = [titleRow(this.session, width, theme), ...fileRows(this.session, width, height, theme)];
    this.#bodyRows = Math.max(1, height - above.length - below.length);
    const body = this.#body(width, this.#bodyRows);
    const hidden = this.#mode.kind === "hunk" ? this.#rowsBelow() : 0;
    const last = below.pop() ?? "";
    const more = hidden === 0 ? "" : theme.fg("muted", `${hidden} more below`);
    return [...above, ...body, ...below, bothEnds(last, more, width)];
  }

  #rowsBelow(): number {
    if (this.session.current === undefined) return 0;
    return Math.max(0, this.#contentRows - (this.#scroll?.offset ?? 0) - this.#bodyRows);
  }

  #body(width: number, height: number): string[] {
    const { theme } = this.#parts;
    const mode = this.#mode;
    if (mode.kind === "help") return rowsFrom(helpRows(this.#parts.keys, width, theme), mode.offset, height);
    if (mode.kind === "edit") {
      mode.editor.isFocused = this.isFocused;
      return rowsFrom(mode.editor.render(width), 0, height);
    }
    const { current } = this.session;
    if (current === undefined) return rowsFrom(emptyRows(this.session, width, theme), 0, height);
    const { rows, firstChanged } = this.#drawing.rows(current, this.session, { width, height, theme });
    this.#contentRows = rows.length;
    const id = current.hunk.hunk_id;
    // A hunk that is longer than the screen begins with what is changed, and one line before it.
    const start = firstChanged + 1 < height ? 0 : Math.max(0, firstChanged - 1);
    const offset = scrolled(this.#scroll?.id === id ? this.#scroll.offset : start, rows.length, height);
    this.#scroll = { id, offset };
    return rowsFrom(rows, offset, height);
  }

  #messageRows(width: number, height: number): string[] {
    const { theme } = this.#parts;
    const mode = this.#mode;
    const most = Math.max(1, Math.min(mostMessageRows, height - 3));
    if (mode.kind === "question") {
      this.#isQuestionDrawn = true;
      return wrapText(theme.fg("warning", visible(mode.text)), width).slice(0, most);
    }
    const { fault } = this.session;
    const message = this.#message ?? (fault && errorOf(fault));
    if (message === undefined) return [];
    return wrapText(theme.fg(message.token, visible(message.text)), width).slice(0, most);
  }

  #keyRow(width: number): string {
    const { theme } = this.#parts;
    const { kind } = this.#mode;
    return kind === "hunk" || kind === "help"
      ? keyRow(this.#parts.keys, width, theme)
      : hintRow(hints[kind], width, theme);
  }
}

function nameOf({ id, text }: KeyInput): string {
  return text !== undefined && [...text].length === 1 ? `"${visible(text)}"` : keyName(id);
}
