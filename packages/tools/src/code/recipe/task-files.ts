// Tasks of a justfile, a makefile and a Taskfile, read as text.
//
//   justfile   `name parameters: dependencies` at the start of a line. Private ones (`_name`, `[private]`) are left out; a
//              comment right above is what a recipe does
//   makefile   with a `.PHONY` line, the targets that it names and those with a `## comment`; without one, all targets
//   Taskfile   internal ones are left out; what a task does is its `desc`, or else its `summary`

import { isRecord } from "@stet/protocol/json-record";
import type { ProjectFiles } from "./detect.ts";
import { type RecipeTask, shellWord } from "./runner.ts";

function firstOf(files: ProjectFiles, ...names: readonly string[]): string | undefined {
  return names.map((name) => files.read(name)).find((content) => content !== undefined);
}

const recipe = /^@?([A-Za-z_][\w-]*)(?:\s+[^:]*)?:(?!=)/;

export function justTasks(files: ProjectFiles): RecipeTask[] {
  const text = firstOf(files, "justfile", "Justfile", ".justfile");
  if (text === undefined) return [];
  const tasks: RecipeTask[] = [];
  let doc: string | undefined;
  let isPrivate = false;
  for (const line of text.split(/\r?\n/)) {
    const comment = /^#\s*(.*)$/.exec(line)?.[1];
    const attribute = /^\[(.*)\]\s*$/.exec(line)?.[1];
    if (comment !== undefined) doc = comment;
    else if (attribute !== undefined) isPrivate ||= /\bprivate\b/.test(attribute);
    else {
      const name = /^(?:alias|set|export|import|mod)\s/.test(line) ? undefined : recipe.exec(line)?.[1];
      if (name !== undefined && !name.startsWith("_") && !isPrivate)
        tasks.push({ name, command: `just ${shellWord(name)}`, doc });
      doc = undefined;
      isPrivate = false;
    }
  }
  return tasks;
}

const target = /^([A-Za-z0-9][\w./-]*)\s*:(?![=:])[^#]*(?:##\s*(.*))?$/;

export function makeTasks(files: ProjectFiles): RecipeTask[] {
  const text = firstOf(files, "GNUmakefile", "makefile", "Makefile");
  if (text === undefined) return [];
  const lines = text.replaceAll("\\\n", " ").split(/\r?\n/);
  const phony = new Set(
    lines.flatMap((line) => /^\.PHONY\s*:(.*)$/.exec(line)?.[1]?.trim().split(/\s+/) ?? []),
  );
  const tasks = new Map<string, RecipeTask>();
  let comment: string | undefined;
  for (const line of lines) {
    const above = comment;
    comment = /^##?\s*(.*)$/.exec(line)?.[1];
    const [, name, beside] = target.exec(line) ?? [];
    if (name === undefined || name.includes("%") || tasks.has(name)) continue;
    const doc = beside ?? above;
    if (phony.size > 0 && !phony.has(name) && doc === undefined) continue;
    const isFile = phony.size > 0 && !phony.has(name);
    tasks.set(name, { name, command: `make ${shellWord(name)}`, doc: isFile ? `${doc} (file target)` : doc });
  }
  return [...tasks.values()];
}

const maxBytes = 1024 * 1024;

export async function taskfileTasks(files: ProjectFiles): Promise<RecipeTask[]> {
  const text = firstOf(files, "Taskfile.yml", "taskfile.yml", "Taskfile.yaml", "taskfile.yaml");
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
    const line = typeof doc === "string" ? doc.split("\n")[0] : undefined;
    return [{ name, command: `task ${shellWord(name)}`, doc: line }];
  });
}
