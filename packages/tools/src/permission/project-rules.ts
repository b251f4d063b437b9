// The rules that a person gave for a project, in a file of Stet's own state: only their account may read or change it.
// It is written whole or not at all. A file that cannot be understood is left alone, and counts as empty.

import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Fault, isFault } from "@stet/protocol/fault";
import { errnoCode, systemFault } from "@stet/protocol/system-fault";
import { whatIsLost, writeMark } from "@stet/storage/mark";
import * as z from "zod";
import type { PermissionRule } from "./permission-rule.ts";

const fileName = "permissions.json";
const maxRules = 500;

const fileSchema = z.object({
  rules: z
    .array(
      z.object({
        tool: z.string().min(1),
        target: z.string().min(1),
        effect: z.enum(["allow", "ask", "deny"]),
      }),
    )
    .max(maxRules),
});

export interface ProjectRules {
  readonly rules: readonly PermissionRule[];
  /** What is wrong with the file, as a sentence. */
  readonly problem: string | undefined;
}

/** The rules in the order in which they were given. */
export function listProjectRules(stateFolder: string): ProjectRules {
  const path = join(stateFolder, fileName);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (errnoCode(error) === "ENOENT") return { rules: [], problem: goneProblem(path) };
    const { message, suggestion } = systemFault(error, "read", path);
    return { rules: [], problem: `${message} No rule of this project is used. ${suggestion}` };
  }
  const parsed = fileSchema.safeParse(jsonOf(text));
  if (parsed.success) return { rules: parsed.data.rules, problem: undefined };
  const problem = `The rules of this project in ${path} cannot be understood, so none of them is used. Correct the file, or remove it.`;
  return { rules: [], problem };
}

/** Nothing where there never were rules. */
function goneProblem(path: string): string | undefined {
  const lost = whatIsLost(path);
  if (lost === undefined) return undefined;
  return `The file of this project's rules, ${path}, ${lost}. No rule of this project is used: give them again.`;
}

/** What has to be corrected by hand before rules can be written. */
function keptProblem(stateFolder: string, problem: string | undefined): string | undefined {
  return existsSync(join(stateFolder, fileName)) ? problem : undefined;
}

export function addProjectRules(stateFolder: string, added: readonly PermissionRule[]): Fault | undefined {
  const { rules, problem: found } = listProjectRules(stateFolder);
  const problem = keptProblem(stateFolder, found);
  if (problem !== undefined) return unusable(problem);
  const isNew = (rule: PermissionRule) => !rules.some((known) => isSame(known, rule));
  const all = [...rules, ...added.filter(isNew)].slice(-maxRules);
  return write(stateFolder, all);
}

/** Whether there was such a rule. */
export function removeProjectRule(stateFolder: string, rule: PermissionRule): boolean | Fault {
  const { rules, problem: found } = listProjectRules(stateFolder);
  const problem = keptProblem(stateFolder, found);
  if (problem !== undefined) return unusable(problem);
  const rest = rules.filter((known) => !isSame(known, rule));
  if (rest.length === rules.length) return false;
  const fault = write(stateFolder, rest);
  return isFault(fault) ? fault : true;
}

function write(stateFolder: string, rules: readonly PermissionRule[]): Fault | undefined {
  const path = join(stateFolder, fileName);
  const draft = `${path}.${process.pid}.draft`;
  try {
    const descriptor = openSync(draft, "w", 0o600);
    try {
      writeFileSync(descriptor, `${JSON.stringify({ rules }, undefined, 2)}\n`);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(draft, path);
    writeMark(path, "", rules.length);
    return undefined;
  } catch (error) {
    rmSync(draft, { force: true });
    return systemFault(error, "written", path);
  }
}

/** What a person wrote there is not replaced because of a comma. */
function unusable(problem: string): Fault {
  return new Fault("not_readable", problem, "Correct the file, or remove it.");
}

function isSame(a: PermissionRule, b: PermissionRule): boolean {
  return a.tool === b.tool && a.target === b.target && a.effect === b.effect;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
