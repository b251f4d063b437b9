// Tasks of a Taskfile. Internal ones are left out; what a task does is its `desc`, or else its `summary`.

import { isRecord } from "@stet/protocol/json-record";
import type { ProjectFiles } from "./detect.ts";
import { type RecipeTask, shellWord } from "./runner.ts";

const names = ["Taskfile.yml", "taskfile.yml", "Taskfile.yaml", "taskfile.yaml"];
const maxBytes = 1024 * 1024;

export async function taskfileTasks(files: ProjectFiles): Promise<RecipeTask[]> {
  const text = names.map((name) => files.read(name)).find((content) => content !== undefined);
  if (text === undefined || text.length > maxBytes) return [];
  const { parse } = await import("yaml");
  let content: unknown;
  try {
    content = parse(text, { maxAliasCount: 100 });
  } catch {
    return [];
  }
  if (!isRecord(content) || !isRecord(content.tasks)) return [];
  return Object.entries(content.tasks).flatMap(([name, task]) => {
    if (isRecord(task) && task.internal === true) return [];
    const doc = isRecord(task) ? (task.desc ?? task.summary) : undefined;
    const told = typeof doc === "string" ? doc.split("\n")[0] : undefined;
    return [{ name, command: `task ${shellWord(name)}`, doc: told }];
  });
}
