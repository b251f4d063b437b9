// Scripts of package.json, those of workspace packages as `<package>/<script>` in their folder. The lock file says which
// program runs them.

import * as z from "zod";
import type { ProjectFiles } from "./detect.ts";
import { type RecipeTask, shellWord } from "./runner.ts";

const manifest = z.object({
  name: z.string().optional().catch(undefined),
  scripts: z.record(z.string(), z.string()).optional().catch(undefined),
  workspaces: z
    .union([
      z.array(z.string()),
      z.object({ packages: z.array(z.string()) }).transform(({ packages }) => packages),
    ])
    .optional()
    .catch(undefined),
});

const lockFiles: readonly [string, string][] = [
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["package-lock.json", "npm"],
  ["npm-shrinkwrap.json", "npm"],
];

/** What runs the scripts. */
export function packageProgram(files: ProjectFiles): string {
  const [, program = "npm"] = lockFiles.find(([name]) => files.read(name) !== undefined) ?? [];
  return program;
}

export async function packageTasks(files: ProjectFiles): Promise<RecipeTask[]> {
  const root = read(files, "package.json");
  if (root === undefined) return [];
  const run = `${packageProgram(files)} run`;
  const tasks = tasksOf(root.scripts, run);
  for (const path of await workspacePackages(files, root.workspaces ?? [])) {
    const folder = path.slice(0, -"/package.json".length);
    const own = read(files, path);
    for (const task of tasksOf(own?.scripts, run))
      tasks.push({ ...task, name: `${own?.name ?? folder}/${task.name}`, folder });
  }
  return tasks;
}

function tasksOf(scripts: Readonly<Record<string, string>> | undefined, run: string): RecipeTask[] {
  return Object.keys(scripts ?? {}).map((name) => ({ name, command: `${run} ${shellWord(name)}` }));
}

function read(files: ProjectFiles, path: string): z.infer<typeof manifest> | undefined {
  const text = files.read(path);
  if (text === undefined) return undefined;
  try {
    return manifest.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

async function workspacePackages(files: ProjectFiles, globs: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  for (const glob of globs) {
    if (glob.startsWith("!")) continue;
    const pattern = `${glob.replace(/^\.\//, "").replace(/\/+$/, "")}/package.json`;
    for (const path of await files.list(pattern)) found.add(path);
  }
  return [...found].sort();
}
