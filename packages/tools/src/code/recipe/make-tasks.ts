// Targets of a makefile, read as text. With a `.PHONY` line, those it names and those with a `## comment` are tasks;
// without one, all targets are.

import type { ProjectFiles } from "./detect.ts";
import { type RecipeTask, shellWord } from "./runner.ts";

const names = ["GNUmakefile", "makefile", "Makefile"];
const target = /^([A-Za-z0-9][\w./-]*)\s*:(?![=:])[^#]*(?:##\s*(.*))?$/;

export function makeTasks(files: ProjectFiles): RecipeTask[] {
  const text = names.map((name) => files.read(name)).find((content) => content !== undefined);
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
    const told = isFile ? `${doc} (file target)` : doc;
    tasks.set(name, { name, command: `make ${shellWord(name)}`, doc: told });
  }
  return [...tasks.values()];
}
