// /jobs over the whole screen: what waits to be told, commands and monitors that run, timers, and what has ended lately; the output
// of one as it grows.

import { type Fault, isFault } from "@stet/protocol/fault";
import type { InputComponent } from "@stet/tui/component";
import type { Input } from "@stet/tui/input/input";
import { truncateCells } from "@stet/tui/text/slice";
import { wrapText } from "@stet/tui/text/wrap";
import type { App } from "../app.ts";
import { bothEnds, hintRow, type KeyHint, rowsFrom, ruleRow, scrolled } from "../screen/panel-rows.ts";
import { cleanText, plural, wrapLines } from "../transcript/rows.ts";
import { deliverNow, dismiss, stopWork } from "./agent-actions.ts";
import type { JobsAction } from "./background-keys.ts";
import { isNothing, workOf, workText } from "./background-words.ts";
import { entryRows } from "./entry-rows.ts";
import { autonomyText, entryOf, type JobEntry, jobEntries, wholeText } from "./jobs-view.ts";
import { PanelLine } from "./panel-line.ts";

export type JobsParts = Pick<App, "api" | "theme" | "keys" | "screen" | "requestRender" | "background"> & {
  readonly session: string;
};

/** Outputs grow without an event: they are read again this often. */
const readEveryMs = 1000;

export class JobsPanel implements InputComponent {
  isFocused = false;
  readonly #parts: JobsParts;
  readonly #close: () => void;
  readonly #line = new PanelLine();
  readonly #stops: (() => void)[];
  #selected: string | undefined;
  /** What is looked at; its last state where it is gone meanwhile. */
  #opened: JobEntry | undefined;
  /** The first row that is shown; undefined to follow the end. */
  #offset: number | undefined;
  #bodyRows = 1;
  #contentRows = 0;
  #pending = 0;

  constructor(parts: JobsParts, close: () => void) {
    this.#parts = parts;
    this.#close = close;
    const tick = setInterval(() => {
      parts.requestRender();
      if (parts.background.commands.length > 0) void parts.background.readRest();
    }, readEveryMs).unref();
    this.#stops = [() => clearInterval(tick), parts.background.onChange(() => parts.requestRender())];
    this.#do(async () => {
      await parts.background.refresh();
      return undefined;
    });
  }

  /** Whether a request is on its way. */
  get isBusy(): boolean {
    return this.#pending > 0;
  }

  get #entries(): readonly JobEntry[] {
    return jobEntries(this.#parts.background.background);
  }

  get #entry(): JobEntry | undefined {
    const entries = this.#entries;
    if (this.#opened !== undefined) return entries.find(({ id }) => id === this.#opened?.id) ?? this.#opened;
    return entries.find(({ id }) => id === this.#selected) ?? entries[0];
  }

  handleInput(input: Input): boolean {
    if (input.kind === "key" && input.isRelease) return false;
    if (this.#line.isAsking) this.#line.handleInput(input);
    else if (input.kind === "key") {
      const action = this.#parts.keys.actionOf.jobs(input.id);
      if (action === undefined) return false;
      this.#line.quieten();
      this.#act(action);
    }
    this.#parts.requestRender();
    return true;
  }

  #act(action: JobsAction): void {
    const { api, session } = this.#parts;
    const entry = this.#entry;
    const waiting = entry?.kind === "waiting" ? [entry.id] : undefined;
    if (action === "jobs.close") this.#leave();
    else if (action === "jobs.back") this.#back();
    else if (action === "jobs.open") this.#open(entry);
    else if (action === "jobs.stop") this.#stop(entry);
    else if (action === "jobs.tellAll") this.#do(() => deliverNow(api, session));
    else if (action === "jobs.dismissAll")
      this.#line.ask("Drop everything that waits? The agent is not told.", () =>
        this.#do(() => dismiss(api, session)),
      );
    else if (action === "jobs.tell" || action === "jobs.dismiss") {
      const carryOut = action === "jobs.tell" ? deliverNow : dismiss;
      if (waiting === undefined) this.#line.say("This is nothing that waits to be told.");
      else this.#do(() => carryOut(api, session, waiting));
    } else this.#move(action);
  }

  #move(action: JobsAction): void {
    const page = Math.max(1, this.#bodyRows - 1);
    if (this.#opened !== undefined) {
      const by = stepOf(action, page);
      const from = scrolled(this.#offset ?? this.#contentRows, this.#contentRows, this.#bodyRows);
      const offset = scrolled(from + by, this.#contentRows, this.#bodyRows);
      this.#offset = by > 0 && offset >= this.#contentRows - this.#bodyRows ? undefined : offset;
      return;
    }
    const entries = this.#entries;
    const at = entries.findIndex(({ id }) => id === this.#entry?.id);
    const next = Math.max(0, Math.min(entries.length - 1, at + stepOf(action, Math.ceil(page / 2))));
    this.#selected = entries[next]?.id;
  }

  #open(entry: JobEntry | undefined): void {
    if (this.#opened !== undefined || entry === undefined) return;
    this.#selected = entry.id;
    this.#opened = entry;
    this.#offset = undefined;
  }

  #back(): void {
    if (this.#opened === undefined) this.#leave();
    else this.#opened = undefined;
  }

  #leave(): void {
    for (const stop of this.#stops) stop();
    this.#close();
  }

  #stop(entry: JobEntry | undefined): void {
    if (entry === undefined) return;
    if (entry.kind === "waiting" || (entry.kind === "job" && entry.job.status !== "running")) {
      this.#line.say(
        entry.kind === "job" ? "It does not run any more." : "There is nothing to stop: d drops it.",
      );
      return;
    }
    const { api, session } = this.#parts;
    const question =
      entry.kind === "timer" ? `Remove the timer ${entry.id}?` : `Stop ${entry.id}: ${entry.job.label}?`;
    this.#line.ask(question, () => this.#do(() => stopWork(api, session, [entry.id])));
  }

  #do(action: () => Promise<string | Fault | undefined>): void {
    this.#pending += 1;
    void action().then(async (result) => {
      if (isFault(result)) this.#line.say(`${result.message} ${result.suggestion}`.trim(), "error");
      else if (typeof result === "string") {
        this.#line.say(result, "success");
        await this.#parts.background.readRest();
      }
      this.#pending -= 1;
      this.#parts.requestRender();
    });
  }

  render(width: number): readonly string[] {
    const { theme, screen } = this.#parts;
    const height = Math.max(4, screen.rows);
    const hints = this.#line.hints ?? this.#hints();
    const below = [...this.#line.rows(width, this.isFocused, theme), hintRow(hints, width, theme, 1)];
    const above = this.#above(width);
    this.#bodyRows = Math.max(1, height - above.length - below.length);
    return [...above, ...this.#body(width, this.#bodyRows), ...below];
  }

  #hints(): KeyHint[] {
    const entry = this.#entry;
    const hasWaiting = this.#parts.background.background.waiting.length > 0;
    return [
      ...(this.#opened === undefined && entry !== undefined ? [{ key: "enter", help: "look" }] : []),
      ...(entry?.kind === "waiting"
        ? [
            { key: "t", help: "tell now" },
            { key: "d", help: "dismiss" },
          ]
        : []),
      ...(entry?.kind === "timer" ? [{ key: "x", help: "remove" }] : []),
      ...(entry?.kind === "job" && entry.job.status === "running" ? [{ key: "x", help: "stop" }] : []),
      ...(hasWaiting && this.#opened === undefined
        ? [
            { key: "T", help: "tell all" },
            { key: "D", help: "dismiss all" },
          ]
        : []),
      { key: "esc", help: this.#opened === undefined ? "close" : "back" },
    ];
  }

  #above(width: number): string[] {
    const { theme, background } = this.#parts;
    const name = (text: string) => theme.emphasis("bold", theme.fg("accent", text));
    if (this.#opened !== undefined) {
      const { title, name: id, facts } = entryOf(this.#entry ?? this.#opened, Date.now());
      const left = truncateCells(`${name(id)}  ${title}`, width);
      return [bothEnds(left, theme.fg("muted", facts), width), ruleRow("", width, theme)];
    }
    const { jobs, timers } = background.background;
    const work = workOf([], jobs, timers);
    const agents = background.working.length;
    const rest = agents === 0 ? "" : theme.fg("muted", `${plural(agents, "agent")} at work: /agents`);
    const left = `${name("Background")}  ${isNothing(work) ? "nothing runs" : workText(work)}`;
    const { text, isHeld } = autonomyText(background.background);
    const said = wrapText(theme.fg(isHeld ? "warning" : "dim", text), width).slice(0, 3);
    return [bothEnds(truncateCells(left, width), rest, width), ...said, ruleRow("", width, theme)];
  }

  #body(width: number, height: number): string[] {
    const { theme } = this.#parts;
    const now = Date.now();
    if (this.#opened !== undefined) {
      const text = cleanText(wholeText(this.#entry ?? this.#opened, now).trimEnd());
      const rows = wrapLines(text.split("\n"), width).map((row) => theme.fg("toolOutput", row));
      this.#contentRows = rows.length;
      return rowsFrom(rows, scrolled(this.#offset ?? rows.length, rows.length, height), height);
    }
    const entries = this.#entries;
    if (entries.length === 0) {
      const text = truncateCells(
        theme.fg("muted", "Nothing runs in the background, and nothing waits."),
        width,
      );
      return rowsFrom([text], 0, height);
    }
    const selected = entries.findIndex(({ id }) => id === this.#entry?.id);
    const shown = entries.map((entry) => entryOf(entry, now));
    return rowsFrom(entryRows(shown, Math.max(0, selected), { width, height, theme }), 0, height);
  }
}

function stepOf(action: JobsAction, page: number): number {
  const by: Partial<Record<JobsAction, number>> = {
    "jobs.up": -1,
    "jobs.down": 1,
    "jobs.pageUp": -page,
    "jobs.pageDown": page,
  };
  return by[action] ?? 0;
}
