// A list of tasks as Markdown, and back: a heading for each phase, a checkbox for each task.
//
//   ## Phase
//   - [ ] pending   - [/] in progress   - [x] completed   - [-] abandoned      (`>` and `~` are read as `/` and `-`)
//
// phases → Markdown → phases is the same list. Tasks before the first heading belong to a phase "Todos".

import { oneInProgress, type TodoItem, type TodoPhase, type TodoStatus } from "./todo-list.ts";

const marks: Readonly<Record<TodoStatus, string>> = {
  pending: " ",
  in_progress: "/",
  completed: "x",
  abandoned: "-",
};

const statuses: Readonly<Record<string, TodoStatus>> = {
  " ": "pending",
  "": "pending",
  "/": "in_progress",
  ">": "in_progress",
  x: "completed",
  X: "completed",
  "-": "abandoned",
  "~": "abandoned",
};

const orphanPhase = "Todos";

export function phasesToMarkdown(phases: readonly TodoPhase[]): string {
  return phases
    .map(({ name, tasks }) =>
      [`## ${oneLine(name)}`, ...tasks.map(taskLine)].map((line) => `${line}\n`).join(""),
    )
    .join("\n");
}

function taskLine({ content, status }: TodoItem): string {
  return `- [${marks[status]}] ${oneLine(content)}`;
}

/** The list, or what is wrong with a line. */
export function markdownToPhases(markdown: string): readonly TodoPhase[] | string {
  const phases: { name: string; tasks: TodoItem[] }[] = [];
  for (const [index, line] of markdown.split(/\r?\n/).entries()) {
    if (line.trim() === "") continue;
    const heading = /^#{1,6}\s+(.*\S)\s*$/.exec(line)?.[1];
    if (heading !== undefined) {
      phases.push({ name: heading, tasks: [] });
      continue;
    }
    const [, mark = "", content = ""] = /^\s*[-*+]\s+\[(.?)\]\s+(.*\S)\s*$/.exec(line) ?? [];
    const status = statuses[mark];
    if (content === "" || status === undefined)
      return `Line ${index + 1} is neither a heading nor a task like "- [ ] Read the file": ${line.trim().slice(0, 80)}`;
    if (phases.length === 0) phases.push({ name: orphanPhase, tasks: [] });
    phases.at(-1)?.tasks.push({ content, status });
  }
  return oneInProgress(phases);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
