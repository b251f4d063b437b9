// The tests that a change can affect, by the import graph: a test file is affected when it changed itself, or when a file that it
// reaches did. Reached are what a file imports, and files that it names in a string (a process that it starts, a prompt).
// The page that browser tests build reaches all of packages/web.
//
// A changed file that nothing reaches (a case of a folder of cases, a README) affects the tests of its package; one that is in
// no package those of scripts; the lock file and its like affect everything.

import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import { importsOf } from "./boundaries.ts";

const sources = ["packages/*/src/**/*.{ts,tsx}", "scripts/**/*.{ts,mjs}", "bench/**/*.ts"];
const isTest = (file: string) => file.endsWith(".test.ts");
const affectsAll =
  /^(package(-lock)?\.json|tsconfig\.json|\.npmrc|scripts\/(run\.mjs|test\.ts))$|^packages\/[^/]+\/package\.json$/;
const pageBuilder = "scripts/build-page.ts";
const named = /["'`/]([\w.-]+\.(?:tsx?|mjs|md|json|css|html))["'`]/g;

/** Every test file. */
export function testFiles(root: string): string[] {
  return sourceFiles(root).filter(isTest).sort();
}

/** Files that differ from where this branch left `base`, committed or not. */
export function changedFiles(root: string, base: string): string[] {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
  const since = git("merge-base", base, "HEAD");
  const lines = [git("diff", "--name-only", since), git("ls-files", "--others", "--exclude-standard")];
  return [...new Set(lines.join("\n").split("\n"))].filter((file) => file !== "");
}

/** Paths are relative to `root` and have slashes. */
export function affectedTests(root: string, changed: readonly string[]): string[] {
  const files = sourceFiles(root);
  const tests = files.filter(isTest).sort();
  if (changed.some((file) => affectsAll.test(file))) return tests;
  const users = usersOf(root, files);
  const affected = new Set(changed);
  const unreached = changed.filter((file) => !isTest(file) && !users.has(file));
  for (const file of unreached) for (const test of tests.filter(besides(file))) affected.add(test);
  for (const file of affected) for (const user of users.get(file) ?? []) affected.add(user);
  return tests.filter((test) => affected.has(test));
}

function sourceFiles(root: string): string[] {
  return globSync(sources, { cwd: root }).map((file) => file.replaceAll("\\", "/"));
}

/** Whether a test stands in the package of a file, or in scripts where it has none. */
function besides(file: string): (test: string) => boolean {
  const [top, name] = file.split("/");
  const folder = top === "packages" ? `packages/${name}/` : top === "bench" ? "bench/" : "scripts/";
  return (test) => test.startsWith(folder);
}

/** Who reaches a file in one step. */
function usersOf(root: string, files: readonly string[]): Map<string, string[]> {
  const all = globSync("{packages/*/src,scripts,bench}/**/*.*", { cwd: root });
  const known = new Set(all.map((file) => file.replaceAll("\\", "/")));
  const byName = Map.groupBy(known, (file) => basename(file));
  const page = [...known].filter((file) => file.startsWith("packages/web/src/") && !isTest(file));
  const users = new Map<string, string[]>();
  for (const file of files) {
    const source = readFileSync(join(root, file), "utf8");
    const imported = importsOf(source).flatMap((specifier) => resolved(file, specifier) ?? []);
    const mentioned = [...source.matchAll(named)].flatMap(([, name = ""]) => byName.get(name) ?? []);
    const reached = new Set([...imported, ...mentioned, ...(file === pageBuilder ? page : [])]);
    for (const each of reached) users.set(each, [...(users.get(each) ?? []), file]);
  }
  return users;
}

function resolved(file: string, specifier: string): string | undefined {
  if (specifier.startsWith(".")) return posix.join(dirname(file), specifier);
  const [, name, path] = /^@stet\/([^/]+)\/(.+)$/.exec(specifier) ?? [];
  return name === undefined ? undefined : `packages/${name}/src/${path}.ts`;
}
