// Targets of a Rust package or workspace, by Cargo's own layout: src/main.rs, src/bin, examples, tests, and [[bin]],
// [[example]], [[test]] of Cargo.toml. Only the few lines of TOML are read that name packages and targets.

import type { ProjectFiles } from "./detect.ts";
import { type RecipeTask, shellWord } from "./runner.ts";

export async function cargoTasks(files: ProjectFiles): Promise<RecipeTask[]> {
  const root = files.read("Cargo.toml");
  if (root === undefined) return [];
  const members = listIn(root, "workspace", "members");
  const manifests = new Set<string>(/^\s*\[package\]/m.test(root) ? ["Cargo.toml"] : []);
  for (const member of members) {
    for (const path of await files.list(`${member.replace(/\/+$/, "")}/Cargo.toml`)) manifests.add(path);
  }
  const tasks: RecipeTask[] = [];
  for (const path of manifests) {
    const folder = path.slice(0, -"Cargo.toml".length);
    tasks.push(...(await packageTargets(files, folder, files.read(path) ?? "", manifests.size > 1)));
  }
  return [...new Map(tasks.map((task) => [task.name, task])).values()];
}

async function packageTargets(
  files: ProjectFiles,
  folder: string,
  manifest: string,
  isOneOfMany: boolean,
): Promise<RecipeTask[]> {
  const name = valueIn(section(manifest, "package"), "name");
  if (name === undefined) return [];
  const chosen = isOneOfMany ? `-p ${shellWord(name)} ` : "";
  const task = (kind: string, target: string): RecipeTask => ({
    name: `${isOneOfMany ? `${name}/` : ""}${kind}/${target}`,
    command:
      kind === "test"
        ? `cargo test ${chosen}--test ${shellWord(target)}`
        : `cargo run ${chosen}--${kind} ${shellWord(target)}`,
  });
  const tasks: RecipeTask[] = [];
  if (files.read(`${folder}src/main.rs`) !== undefined) tasks.push(task("bin", name));
  const layout: readonly [string, string][] = [
    ["bin", "src/bin"],
    ["example", "examples"],
    ["test", "tests"],
  ];
  for (const [kind, place] of layout) {
    for (const path of await files.list(`${folder}${place}/*.rs`)) tasks.push(task(kind, fileName(path)));
    for (const body of tables(manifest, kind)) {
      const declared = valueIn(body, "name");
      if (declared !== undefined) tasks.push(task(kind, declared));
    }
  }
  return tasks;
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1, -".rs".length);
}

function section(manifest: string, name: string): string {
  return (
    new RegExp(`^\\s*\\[${name}\\]\\s*$([\\s\\S]*?)(?=^\\s*\\[|$(?![\\s\\S]))`, "m").exec(manifest)?.[1] ?? ""
  );
}

/** The bodies of `[[name]]`. */
function tables(manifest: string, name: string): string[] {
  const pattern = new RegExp(`^\\s*\\[\\[${name}\\]\\]\\s*$([\\s\\S]*?)(?=^\\s*\\[|$(?![\\s\\S]))`, "gm");
  return [...manifest.matchAll(pattern)].map(([, body = ""]) => body);
}

function valueIn(body: string, key: string): string | undefined {
  return new RegExp(`^\\s*${key}\\s*=\\s*["']([^"']+)["']`, "m").exec(body)?.[1];
}

function listIn(manifest: string, name: string, key: string): string[] {
  const list =
    new RegExp(`^\\s*${key}\\s*=\\s*\\[([^\\]]*)\\]`, "m").exec(section(manifest, name))?.[1] ?? "";
  return [...list.matchAll(/["']([^"']+)["']/g)].map(([, value = ""]) => value);
}
