// A list of tasks in phases, and the operations on it. A batch of operations applies as a whole or not at all.
//
// After every batch at most one task is in progress; where none is, the first pending one is.

export interface TodoItem {
  readonly content: string;
  readonly status: TodoStatus;
}

export type TodoStatus = "pending" | "in_progress" | "completed" | "abandoned";

export interface TodoPhase {
  readonly name: string;
  readonly tasks: readonly TodoItem[];
}

export interface TodoOperation {
  readonly op: "init" | "start" | "done" | "rm" | "drop" | "append" | "view";
  readonly list?: readonly { readonly phase: string; readonly items: readonly string[] }[] | undefined;
  readonly task?: string | undefined;
  readonly phase?: string | undefined;
  readonly items?: readonly string[] | undefined;
}

export interface TodoBatch {
  readonly phases: readonly TodoPhase[];
  readonly errors: readonly string[];
}

export function applyTodo(phases: readonly TodoPhase[], operations: readonly TodoOperation[]): TodoBatch {
  const errors: string[] = [];
  let next = phases;
  for (const operation of operations) {
    const after = applyOne(next, operation);
    if (typeof after === "string") errors.push(after);
    else next = after;
  }
  if (errors.length > 0) return { phases, errors };
  return { phases: operations.every(({ op }) => op === "view") ? phases : oneInProgress(next), errors };
}

/** The list after one operation, or what is wrong with it. */
function applyOne(phases: readonly TodoPhase[], operation: TodoOperation): readonly TodoPhase[] | string {
  switch (operation.op) {
    case "view":
      return phases;
    case "init":
      return started(operation);
    case "append":
      return appended(phases, operation);
    case "start":
      if (!operation.task) return "Missing task content";
      return named(phases, operation.task, (task) => withActive(phases, task));
    case "done":
    case "drop":
    case "rm":
      return targeted(phases, operation);
  }
}

function started({ list }: TodoOperation): readonly TodoPhase[] | string {
  if (list === undefined || list.length === 0) return "Missing list for init operation";
  const names = new Set<string>();
  const tasks = new Set<string>();
  for (const { phase, items } of list) {
    if (phase === "") return "Missing phase name";
    if (names.has(phase)) return `Duplicate phase "${phase}" in init list`;
    names.add(phase);
    for (const item of items) {
      if (item === "") return "Missing task content";
      if (tasks.has(item)) return `Duplicate task "${item}" in init list`;
      tasks.add(item);
    }
  }
  return list.map(({ phase, items }) => ({ name: phase, tasks: items.map(pending) }));
}

function pending(content: string): TodoItem {
  return { content, status: "pending" };
}

function appended(
  phases: readonly TodoPhase[],
  { phase, items }: TodoOperation,
): readonly TodoPhase[] | string {
  if (!phase) return "Missing phase name for append operation";
  if (items === undefined || items.length === 0) return "Missing items for append operation";
  const seen = new Set(phases.flatMap(({ tasks }) => tasks.map(({ content }) => content)));
  for (const item of items) {
    if (item === "") return "Missing task content";
    if (seen.has(item)) return `Task "${item}" already exists`;
    seen.add(item);
  }
  const added = items.map(pending);
  if (!phases.some(({ name }) => name === phase)) return [...phases, { name: phase, tasks: added }];
  return phases.map((one) => (one.name === phase ? { ...one, tasks: [...one.tasks, ...added] } : one));
}

function targeted(
  phases: readonly TodoPhase[],
  { op, task, phase }: TodoOperation,
): readonly TodoPhase[] | string {
  if (task === "") return "Missing task content";
  if (phase === "") return "Missing phase name";
  const change = (item: TodoItem): TodoItem | undefined =>
    op === "rm" ? undefined : { ...item, status: op === "done" ? "completed" : "abandoned" };
  if (task !== undefined) {
    return named(phases, task, (first) => changed(phases, (item) => (item === first ? change(item) : item)));
  }
  if (phase !== undefined && !phases.some(({ name }) => name === phase)) return `Phase "${phase}" not found`;
  return changed(phases, (item, name) => (phase === undefined || name === phase ? change(item) : item));
}

/** A content names the first task that has it. */
function named(
  phases: readonly TodoPhase[],
  task: string,
  change: (item: TodoItem) => readonly TodoPhase[],
): readonly TodoPhase[] | string {
  const all = phases.flatMap(({ tasks }) => tasks);
  const first = all.find(({ content }) => content === task);
  if (first !== undefined) return change(first);
  return `Task "${task}" not found${all.length === 0 ? " (the list is empty: use init first)" : ""}`;
}

/** Undefined takes a task away. */
function changed(
  phases: readonly TodoPhase[],
  change: (item: TodoItem, phase: string) => TodoItem | undefined,
): readonly TodoPhase[] {
  return phases.map(({ name, tasks }) => ({
    name,
    tasks: tasks.flatMap((item) => change(item, name) ?? []),
  }));
}

function withActive(phases: readonly TodoPhase[], active: TodoItem | undefined): readonly TodoPhase[] {
  return changed(phases, (item) => {
    if (item === active) return { ...item, status: "in_progress" };
    return item.status === "in_progress" ? { ...item, status: "pending" } : item;
  });
}

/** At most one task is in progress; where none is, the first pending one is. */
export function oneInProgress(phases: readonly TodoPhase[]): readonly TodoPhase[] {
  const all = phases.flatMap(({ tasks }) => tasks);
  const open = (wanted: TodoStatus) => all.find(({ status }) => status === wanted);
  return withActive(phases, open("in_progress") ?? open("pending"));
}

/** Tasks that a batch completed. */
export function completedBy(
  before: readonly TodoPhase[],
  after: readonly TodoPhase[],
): { phase: string; content: string }[] {
  const done = (phases: readonly TodoPhase[]) =>
    phases.flatMap(({ name, tasks }) =>
      tasks.filter(({ status }) => status === "completed").map(({ content }) => ({ phase: name, content })),
    );
  const known = new Set(done(before).map(({ phase, content }) => JSON.stringify([phase, content])));
  return done(after).filter(({ phase, content }) => !known.has(JSON.stringify([phase, content])));
}
