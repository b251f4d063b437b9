// /todo: the agent's list of tasks. The person may change it: the model is told of it with the next request.

import type { TodoPhases } from "@stet/protocol/api/session-state";
import { isFault } from "@stet/protocol/fault";
import { visible } from "@stet/protocol/visible";
import { Text } from "@stet/tui/components/text";
import type { App } from "../app.ts";

export const todoVerbs = ["add", "done", "drop", "rm", "edit", "clear"] as const;

export async function todo(argument: string, app: App): Promise<void> {
  const { id } = app.conversation;
  const list = id === "" ? undefined : await app.api.call("getTodo", { params: { session_id: id } });
  if (isFault(list)) return app.tellFault(list);
  if (list === undefined) return app.tell("There is no list of tasks yet: ask something first.");
  const [, verb = "", text = ""] = /^(\S+)\s*(.*)$/s.exec(argument) ?? [];
  if (verb === "") return show(list, app);
  if (verb === "edit") return edit(id, list.markdown, app);
  if (verb === "clear") return replace(id, "", app);
  if (verb === "add" && text !== "") return replace(id, await written(added(list.phases, text)), app);
  const status = { done: "completed", drop: "abandoned", rm: undefined } as const;
  if (verb in status && text !== "") {
    const changed = withStatus(list.phases, text, status[verb as keyof typeof status]);
    if (changed === undefined)
      return app.tell(`There is no task that begins with "${visible(text)}".`, "error");
    return replace(id, await written(changed), app);
  }
  app.tell(
    "/todo, /todo add TEXT, /todo done TASK, /todo drop TASK, /todo rm TASK, /todo edit, /todo clear",
    "error",
  );
}

async function show({ phases, markdown }: { phases: TodoPhases; markdown: string }, app: App): Promise<void> {
  if (phases.length === 0) return app.tell("There is no list of tasks. /todo add TEXT begins one.");
  await app.dialogs.page("Tasks", new Text(visible(markdown.trimEnd())));
}

async function edit(id: string, markdown: string, app: App): Promise<void> {
  const edited = await app.editText(markdown, "todo.md");
  if (isFault(edited)) return app.tellFault(edited);
  if (edited.trim() === markdown.trim()) return app.tell("The list of tasks is as it was.");
  await replace(id, edited, app);
}

async function replace(id: string, markdown: string, app: App): Promise<void> {
  const changed = await app.api.call("setTodo", { params: { session_id: id }, body: { markdown } });
  if (isFault(changed)) return app.tellFault(changed);
  const left = changed.phases.flatMap(({ tasks }) => tasks).filter(isLeft).length;
  app.tell(`The list of tasks was changed: ${left} to do. The model is told with your next message.`);
}

async function written(phases: TodoPhases): Promise<string> {
  const { phasesToMarkdown } = await import("@stet/tools/code/plan/todo-markdown");
  return phasesToMarkdown(phases);
}

function isLeft({ status }: TodoPhases[number]["tasks"][number]): boolean {
  return status === "pending" || status === "in_progress";
}

/** At the end of the last phase. */
function added(phases: TodoPhases, content: string): TodoPhases {
  const task = { content, status: "pending" as const };
  const last = phases.at(-1);
  if (last === undefined) return [{ name: "Todos", tasks: [task] }];
  return [...phases.slice(0, -1), { ...last, tasks: [...last.tasks, task] }];
}

/** Of the first task that begins with these words; undefined takes it away. */
function withStatus(
  phases: TodoPhases,
  words: string,
  status: "completed" | "abandoned" | undefined,
): TodoPhases | undefined {
  const wanted = words.toLowerCase();
  const found = phases
    .flatMap(({ tasks }) => tasks)
    .find(({ content }) => content.toLowerCase().startsWith(wanted));
  if (found === undefined) return undefined;
  return phases.map(({ name, tasks }) => ({
    name,
    tasks: tasks.flatMap((task) =>
      task !== found ? [task] : status === undefined ? [] : [{ ...task, status }],
    ),
  }));
}
