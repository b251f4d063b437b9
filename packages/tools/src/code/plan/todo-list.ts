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
    case "start": {
      const { task } = operation;
      if (!task) return "Missing task content";
      if (!isKnown(phases, task)) return taskNotFound(phases, task);
      const demoted = withStatus(phases, ({ status }) => status === "in_progress", "pending");
      return withFirst(demoted, task, "in_progress");
    }
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
  const status = op === "done" ? "completed" : "abandoned";
  if (task !== undefined) {
    if (!isKnown(phases, task)) return taskNotFound(phases, task);
    return op === "rm" ? withoutFirst(phases, task) : withFirst(phases, task, status);
  }
  if (phase !== undefined && !phases.some(({ name }) => name === phase)) return `Phase "${phase}" not found`;
  return phases.map((one) => {
    if (phase !== undefined && one.name !== phase) return one;
    return { ...one, tasks: op === "rm" ? [] : one.tasks.map((item) => ({ ...item, status })) };
  });
}

function isKnown(phases: readonly TodoPhase[], task: string): boolean {
  return phases.some(({ tasks }) => tasks.some(({ content }) => content === task));
}

function taskNotFound(phases: readonly TodoPhase[], task: string): string {
  const isEmpty = phases.every(({ tasks }) => tasks.length === 0);
  return `Task "${task}" not found${isEmpty ? " (the list is empty: use init first)" : ""}`;
}

function withStatus(
  phases: readonly TodoPhase[],
  isMeant: (item: TodoItem) => boolean,
  status: TodoStatus,
): readonly TodoPhase[] {
  return phases.map((phase) => ({
    ...phase,
    tasks: phase.tasks.map((item) => (isMeant(item) ? { ...item, status } : item)),
  }));
}

/** A content names the first task that has it. */
function withFirst(phases: readonly TodoPhase[], task: string, status: TodoStatus): readonly TodoPhase[] {
  const first = phases.flatMap(({ tasks }) => tasks).find(({ content }) => content === task);
  return withStatus(phases, (item) => item === first, status);
}

function withoutFirst(phases: readonly TodoPhase[], task: string): readonly TodoPhase[] {
  const first = phases.flatMap(({ tasks }) => tasks).find(({ content }) => content === task);
  return phases.map((phase) => ({ ...phase, tasks: phase.tasks.filter((item) => item !== first) }));
}

function oneInProgress(phases: readonly TodoPhase[]): readonly TodoPhase[] {
  const all = phases.flatMap(({ tasks }) => tasks);
  const active =
    all.find(({ status }) => status === "in_progress") ?? all.find(({ status }) => status === "pending");
  return phases.map((phase) => ({
    ...phase,
    tasks: phase.tasks.map((item) => {
      if (item === active) return { ...item, status: "in_progress" };
      return item.status === "in_progress" ? { ...item, status: "pending" } : item;
    }),
  }));
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
