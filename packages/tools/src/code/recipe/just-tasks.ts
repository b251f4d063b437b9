// Recipes of a justfile: `name parameters: dependencies` at the start of a line. Private ones (`_name`, `[private]`) are
// left out; a comment right above is what a recipe does.

import type { ProjectFiles } from "./detect.ts";
import { type RecipeTask, shellWord } from "./runner.ts";

const names = ["justfile", "Justfile", ".justfile"];
const recipe = /^@?([A-Za-z_][\w-]*)(?:\s+[^:]*)?:(?!=)/;

export function justTasks(files: ProjectFiles): RecipeTask[] {
  const text = names.map((name) => files.read(name)).find((content) => content !== undefined);
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
