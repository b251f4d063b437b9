// The agent's list of tasks. Its state is in the conversation: each answer carries the whole list in its details, and the
// newest answer on the branch is the list. So it survives a restart, and a branch of the conversation has its own.

import { defineTool } from "@stet/agent/tool";
import { Fault } from "@stet/protocol/fault";
import type { Message } from "@stet/protocol/message";
import * as z from "zod";
import { prompt } from "../../prompt.ts";
import type { CodeContext } from "../code-context.ts";
import { applyTodo, completedBy, type TodoItem, type TodoPhase, type TodoStatus } from "./todo-list.ts";

const operation = z.object({
  op: z.enum(["init", "start", "done", "rm", "drop", "append", "view"]),
  list: z
    .array(z.object({ phase: z.string(), items: z.array(z.string()).min(1) }))
    .optional()
    .describe("init: the whole list"),
  task: z.string().optional().describe("exact text of a task"),
  phase: z.string().optional().describe("exact name of a phase"),
  items: z.array(z.string()).min(1).optional().describe("append: new tasks"),
});

const stored = z.object({
  phases: z.array(
    z.object({
      name: z.string(),
      tasks: z.array(
        z.object({
          content: z.string(),
          status: z.enum(["pending", "in_progress", "completed", "abandoned"]),
        }),
      ),
    }),
  ),
});

/** A list that the person wrote in place of the agent's. */
export interface TodoEdit {
  readonly phases: unknown;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export const todo = (context: Pick<CodeContext, "messages" | "todoEdit">) => {
  // Calls of one message do not see each other's answers in the conversation yet.
  const opened = Date.now();
  let latest: { phases: readonly TodoPhase[]; messages: number; at: number } | undefined;
  return defineTool({
    name: "todo",
    description: prompt(import.meta.url, "todo"),
    traits: ["exclusive"],
    words: () => "Keep the list of tasks",
    schema: z.object({ ops: z.array(operation).min(1) }),
    async execute({ ops }) {
      const messages = context.messages();
      const edit = context.todoEdit?.();
      const isKnown = latest?.messages === messages.length && latest.at >= (edit?.at ?? 0);
      const before = isKnown && latest ? latest.phases : todoPhases(messages, opened, edit);
      const { phases, errors } = applyTodo(before, ops);
      if (errors.length > 0) {
        return new Fault(
          "invalid_arguments",
          `Errors: ${errors.join("; ")}. Nothing of this call was applied.`,
          `Correct the operations and send all of them again; the list as it is:\n${summary(before, true)}`,
          { errors, phases: before },
        );
      }
      latest = { phases, messages: messages.length, at: Date.now() };
      const isView = ops.every(({ op }) => op === "view");
      const completedTasks = isView ? [] : completedBy(before, phases);
      return {
        content: summary(phases, isView),
        details: { phases, storage: "session", ...(completedTasks.length > 0 ? { completedTasks } : {}) },
      };
    },
  });
};

/**
 * The list as the newest answer in the conversation has it, or the person's edit where that is newer; of one from before
 * `since`, only what is left to do.
 */
export function todoPhases(
  messages: readonly Message[],
  since = 0,
  edit: TodoEdit | undefined = undefined,
): readonly TodoPhase[] {
  const answer = messages.findLast((message) => {
    return message.role === "toolResult" && message.toolName === "todo" && !message.isError;
  });
  const answered =
    answer?.role === "toolResult" ? { details: answer.details, at: answer.timestamp } : undefined;
  const isEdited = edit !== undefined && edit.at >= (answered?.at ?? 0);
  const parsed = stored.safeParse(isEdited ? { phases: edit.phases } : answered?.details);
  if (!parsed.success) return [];
  const at = isEdited ? edit.at : (answered?.at ?? 0);
  return at >= since ? parsed.data.phases : leftOf(parsed.data.phases);
}

/** What the model is told of an edit. */
export function todoEditReminder(markdown: string): string {
  return prompt(import.meta.url, "todo-edit").replace("{{list}}", () => markdown.trim() || "(empty)");
}

function leftOf(phases: readonly TodoPhase[]): readonly TodoPhase[] {
  return phases.flatMap(({ name, tasks }) => {
    const left = tasks.filter(isLeft);
    return left.length === 0 ? [] : [{ name, tasks: left }];
  });
}

function isLeft({ status }: TodoItem): boolean {
  return status === "pending" || status === "in_progress";
}

const marks: Readonly<Record<TodoStatus, string>> = {
  pending: " ",
  in_progress: "/",
  completed: "x",
  abandoned: "-",
};

function summary(phases: readonly TodoPhase[], isView: boolean): string {
  const all = phases.flatMap(({ tasks }) => tasks);
  if (all.length === 0) return isView ? "Todo list is empty." : "Todo list cleared.";
  const left = all.filter(isLeft);
  const current = phases.find(({ tasks }) => tasks.some(({ status }) => status === "in_progress"));
  const done = current?.tasks.filter((task) => !isLeft(task)).length ?? 0;
  const progress =
    current === undefined
      ? "All tasks are done."
      : `Remaining: ${left.length}. Phase "${current.name}": ${done} of ${current.tasks.length} done.`;
  const tree = phases.map(({ name, tasks }) => {
    return [`${name}`, ...tasks.map(({ content, status }) => `  [${marks[status]}] ${content}`)].join("\n");
  });
  return [progress, ...tree].join("\n");
}
