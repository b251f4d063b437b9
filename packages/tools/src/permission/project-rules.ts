// The rules that a person gave for a project, in a file of Stet's own state: only their account may read or change it.
// It is written whole or not at all. A file that cannot be understood is left alone, and counts as empty.

import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Fault, isFault } from "@stet/protocol/fault";
import { errnoCode, systemFault } from "@stet/protocol/system-fault";
import { whatIsLost, writeMark } from "@stet/storage/mark";
import { privateFile } from "@stet/storage/private-files";
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

export function addProjectRules(stateFolder: string, added: readonly PermissionRule[]): Fault | undefined {
  const rules = rulesToChange(stateFolder);
  if (isFault(rules)) return rules;
  const isNew = (rule: PermissionRule) => !rules.some((known) => isSameRule(known, rule));
  return write(stateFolder, [...rules, ...added.filter(isNew)].slice(-maxRules));
}

/** Whether there was such a rule. */
export function removeProjectRule(stateFolder: string, rule: PermissionRule): boolean | Fault {
  const rules = rulesToChange(stateFolder);
  if (isFault(rules)) return rules;
  const rest = rules.filter((known) => !isSameRule(known, rule));
  return rest.length === rules.length ? false : (write(stateFolder, rest) ?? true);
}

/** What a person wrote there is not replaced because of a comma: it has to be corrected by hand before rules can be written. */
function rulesToChange(stateFolder: string): readonly PermissionRule[] | Fault {
  const { rules, problem } = listProjectRules(stateFolder);
  if (problem === undefined || !existsSync(join(stateFolder, fileName))) return rules;
  return new Fault("not_readable", problem, "Correct the file, or remove it.");
}

function write(stateFolder: string, rules: readonly PermissionRule[]): Fault | undefined {
  const path = join(stateFolder, fileName);
  const draft = `${path}.${process.pid}.draft`;
  try {
    writeFileSync(draft, `${JSON.stringify({ rules }, undefined, 2)}\n`, { mode: privateFile, flush: true });
    renameSync(draft, path);
    writeMark(path, "", rules.length);
    return undefined;
  } catch (error) {
    rmSync(draft, { force: true });
    return systemFault(error, "written", path);
  }
}

export function isSameRule(a: PermissionRule, b: PermissionRule): boolean {
  return a.tool === b.tool && a.target === b.target && a.effect === b.effect;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
