// Tasks that a project's own runner knows, and which of them a request means.
//
//   request   task (blank rest)?            the rest is handed over as it is
//   task      runner ":" name | name        a name that several runners have needs its runner
//
// Names of workspace packages and crates are part of a task's name, with "/" between.

import { Fault } from "@stet/protocol/fault";

export type RunnerId = "just" | "pkg" | "cargo" | "make" | "task";

export interface RecipeTask {
  readonly name: string;
  /** The whole command, without what a request adds. */
  readonly command: string;
  readonly doc?: string | undefined;
  /** From the root; the root unless given. */
  readonly folder?: string | undefined;
}

export interface Runner {
  readonly id: RunnerId;
  /** What has to be installed. */
  readonly program: string;
  readonly tasks: readonly RecipeTask[];
}

export interface DetectedTasks {
  readonly runners: readonly Runner[];
  /** Runners whose program is not installed. */
  readonly missing: readonly Runner[];
}

export interface ResolvedTask {
  readonly runner: RunnerId;
  readonly task: RecipeTask;
  readonly command: string;
}

export function resolveTask(request: string, detected: DetectedTasks): ResolvedTask | Fault {
  const { runners } = detected;
  const [, head = "", rest = ""] = /^\s*(\S*)\s*([\s\S]*)$/.exec(request) ?? [];
  if (head === "") return refuse("Say which task to run.", detected);
  const prefix = head.slice(0, Math.max(0, head.indexOf(":")));
  const named = runners.find(({ id }) => id === prefix);
  const name = named === undefined ? head : head.slice(prefix.length + 1);
  if (name === "") return refuse(`Say which task of ${prefix} to run.`, detected);
  const having = (named === undefined ? runners : [named]).flatMap(({ id, tasks }) => {
    const task = tasks.find((one) => one.name === name);
    return task === undefined ? [] : [{ runner: id, task }];
  });
  const [only, ...others] = having;
  if (only === undefined) return refuse(`There is no task ${head}.`, detected);
  if (others.length > 0) {
    const choices = having.map(({ runner }) => `${runner}:${name}`).join(" or ");
    return refuse(`Several runners have a task ${name}: use ${choices}.`, detected);
  }
  const tail = rest.trim();
  return { ...only, command: tail === "" ? only.task.command : `${only.task.command} ${tail}` };
}

/** The tasks of each runner on one line. */
export function taskList(runners: readonly Runner[], most = 20): string {
  return runners
    .map(({ id, tasks }) => {
      const names = tasks.slice(0, most).map(({ name, doc }) => (doc ? `${name} (${doc})` : name));
      const more = tasks.length > most ? `, and ${tasks.length - most} more` : "";
      return `${id}: ${names.join(", ")}${more}`;
    })
    .join("\n");
}

function refuse(message: string, { runners, missing }: DetectedTasks): Fault {
  const list = taskList(runners);
  const tasks =
    list === "" ? "The project has no tasks that can be run here; use bash." : `The tasks are:\n${list}`;
  const lost = missing.map(
    ({ program, tasks }) => `${program} is not installed, so ${counted(tasks)} left out.`,
  );
  return new Fault("invalid_arguments", message, [tasks, ...lost].join("\n"), {
    runners: runners.map(({ id, tasks }) => ({ runner: id, tasks: tasks.map(({ name }) => name) })),
  });
}

function counted({ length }: Runner["tasks"]): string {
  return length === 1 ? "its task is" : `its ${length} tasks are`;
}

/** A word that the shell takes as it is. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
