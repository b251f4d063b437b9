// The agent's list of tasks: in a call's block, and above the prompt while there is something to do. Above the prompt a task that
// is closed goes after a delay; the list itself stays as the agent left it.

import type { Item } from "@stet/client/items";
import type { TodoPhase } from "@stet/protocol/api/sessions";
import type { Component } from "@stet/tui/component";
import type { SymbolName, TextToken, Theme } from "../theme/theme.ts";
import { cleanLine, fitted, hanging, paint, plural } from "./rows.ts";

/** Tasks that are shown of a longer list. */
const previewTasks = 8;

type Task = TodoPhase["tasks"][number];

const signs: Readonly<Record<Task["status"], { readonly symbol: SymbolName; readonly colour: TextToken }>> = {
  pending: { symbol: "unchecked", colour: "text" },
  in_progress: { symbol: "active", colour: "accent" },
  completed: { symbol: "checked", colour: "success" },
  abandoned: { symbol: "abandoned", colour: "muted" },
};

/** The list as the newest call left it; undefined where there was none. */
export function latestTodo(items: readonly Item[]): readonly TodoPhase[] | undefined {
  const call = items.findLast((item) => item.kind === "tool" && item.todo !== undefined);
  return call?.kind === "tool" ? call.todo : undefined;
}

export function isClosed({ status }: Task): boolean {
  return status === "completed" || status === "abandoned";
}

/** All phases with their tasks, or the part of them around the task that is worked on. */
export function todoRows(
  phases: readonly TodoPhase[],
  theme: Theme,
  width: number,
  most = previewTasks,
): string[] {
  const tasks = phases.flatMap((phase) => phase.tasks.map((task) => ({ phase, task })));
  if (tasks.length === 0) return hanging("", [theme.fg("muted", "No tasks.")], width);
  const start =
    tasks.length <= most
      ? 0
      : firstShown(
          tasks.map(({ task }) => task),
          most,
        );
  const shown = tasks.slice(start, start + most);
  const rows: string[] = [];
  if (start > 0) rows.push(theme.fg("muted", `… ${plural(start, "task")} before`));
  for (const [index, { phase, task }] of shown.entries()) {
    if (phases.length > 1 && phase !== shown[index - 1]?.phase)
      rows.push(...hanging("", [theme.emphasis("bold", cleanLine(phase.name))], width));
    rows.push(...taskRows(task, phases.length > 1 ? "  " : "", theme, width));
  }
  const left = tasks.length - start - shown.length;
  if (left > 0) rows.push(theme.fg("muted", `… ${left} more`));
  return rows;
}

/** One closed task above the one that is worked on, and what comes after that. */
function firstShown(tasks: readonly Task[], most: number): number {
  const active = tasks.findIndex(({ status }) => status === "in_progress");
  const first = active >= 0 ? active : tasks.findIndex((task) => !isClosed(task));
  return Math.max(0, Math.min(first - 1, tasks.length - most));
}

function taskRows({ content, status }: Task, indent: string, theme: Theme, width: number): string[] {
  const { symbol, colour } = signs[status];
  const emphasis =
    status === "in_progress"
      ? (["bold"] as const)
      : status === "abandoned"
        ? (["strikethrough"] as const)
        : [];
  const text = paint(
    theme,
    { colour: isClosed({ content, status }) ? "muted" : "text", emphasis },
    cleanLine(content),
  );
  return hanging(`${indent}${theme.fg(colour, theme.symbol(symbol))} `, [text], width);
}

export interface TodoViewOptions {
  readonly theme: Theme;
  /** Seconds until a closed task goes; 0 at once, less than 0 never. */
  readonly clearDelay: () => number;
  readonly requestRender: () => void;
  readonly now?: () => number;
}

/** Above the prompt. */
export class TodoView implements Component {
  readonly #options: TodoViewOptions;
  readonly #now: () => number;
  #phases: readonly TodoPhase[] | undefined;
  #settled: readonly Item[] = [];
  /** What the last call before the turn left, and what the person made of that. */
  #last: readonly TodoPhase[] | undefined;
  #before: readonly TodoPhase[] | undefined;
  /** When a task was seen closed for the first time, by its text. */
  #closedAt = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #rows: readonly string[] = [];
  #drawn = "";

  constructor(options: TodoViewOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** The list of a conversation: of the turn that runs, else of what was before it. */
  update(settled: readonly Item[], live: readonly Item[]): void {
    if (settled !== this.#settled) {
      this.#settled = settled;
      const last = latestTodo(settled);
      if (last !== this.#last) this.#before = last;
      this.#last = last;
    }
    const now = latestTodo(live);
    this.show(now ?? this.#before, now !== undefined);
  }

  /** The list that the person made of it; until the agent's next call. */
  edited(phases: readonly TodoPhase[]): void {
    if (JSON.stringify(phases) === JSON.stringify(this.#phases ?? [])) return;
    this.#before = phases;
    this.show(phases);
    this.#options.requestRender();
  }

  /** Another list, or the same one as it is now. Tasks of a list that was there before count as closed for long. */
  show(phases: readonly TodoPhase[] | undefined, isNew = true): void {
    if (phases === this.#phases) return;
    this.#phases = phases;
    const closedAt = new Map<string, number>();
    for (const task of phases?.flatMap(({ tasks }) => tasks) ?? [])
      if (isClosed(task))
        closedAt.set(
          task.content,
          this.#closedAt.get(task.content) ?? (isNew ? this.#now() : Number.NEGATIVE_INFINITY),
        );
    this.#closedAt = closedAt;
    this.#drawn = "";
    this.#wait();
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  render(width: number): readonly string[] {
    const { theme } = this.#options;
    const key = `${width} ${theme.revision}`;
    if (key !== this.#drawn) {
      this.#rows = fitted(this.#draw(Math.max(1, width)), Math.max(1, width));
      this.#drawn = key;
    }
    return this.#rows;
  }

  #draw(width: number): string[] {
    const { theme } = this.#options;
    const all = this.#phases?.flatMap(({ tasks }) => tasks) ?? [];
    const visible = (this.#phases ?? []).flatMap(({ name, tasks }) => {
      const left = tasks.filter((task) => !this.#isGone(task));
      return left.length === 0 ? [] : { name, tasks: left };
    });
    if (visible.length === 0) return [];
    const done = all.filter(isClosed).length;
    const title = theme.fg("muted", `Tasks: ${done} of ${all.length} done`);
    return [...hanging("", [title], width), ...todoRows(visible, theme, width)];
  }

  #isGone(task: Task): boolean {
    const since = this.#closedAt.get(task.content);
    const delay = this.#options.clearDelay();
    if (since === undefined || delay < 0) return false;
    return this.#now() - since >= delay * 1000;
  }

  /** Draws again when the next closed task goes. */
  #wait(): void {
    clearTimeout(this.#timer);
    const delay = this.#options.clearDelay() * 1000;
    const next = [...this.#closedAt.values()]
      .map((since) => since + delay - this.#now())
      .filter((left) => Number.isFinite(left) && left > 0);
    if (delay < 0 || next.length === 0) return;
    this.#timer = setTimeout(
      () => {
        this.#drawn = "";
        this.#options.requestRender();
        this.#wait();
      },
      Math.min(...next),
    );
    this.#timer.unref();
  }
}
