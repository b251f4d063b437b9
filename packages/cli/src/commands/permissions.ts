// `stet permissions`: what this project was allowed for good, and taking it back.

import { configFoldersOf } from "@stet/host/settings/config-folders";
import { loadConfiguration } from "@stet/host/settings/configuration";
import { isFault } from "@stet/protocol/fault";
import { visibleName } from "@stet/protocol/visible";
import { listProjectRules, removeProjectRule } from "@stet/tools/permission/project-rules";
import type { CommandContext, WordsOf } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { usage, withFolder } from "../with-folder.ts";

export async function permissions(
  { positionals }: WordsOf<"permissions">,
  context: CommandContext,
): Promise<number> {
  const [verb = "list", ...numbers] = positionals;
  if (verb === "list" && numbers.length === 0) return list(context);
  if (verb === "remove" && numbers.length > 0) return remove(numbers, context);
  return usage(context, "Use: stet permissions, or stet permissions remove NUMBER …");
}

function list(context: CommandContext): Promise<number> {
  const { terminal, environment } = context;
  return withFolder(context, async ({ workspace }) => {
    const folder = workspace.root.path;
    const isTrusted = configFoldersOf(folder, environment).project !== undefined;
    const configuration = loadConfiguration({ folder, environment, isTrusted });
    if (isFault(configuration)) return configuration;
    const { "permission.mode": mode, "permission.rules": own } = configuration.settings;
    terminal.out(`Mode: ${mode}\n`);
    for (const { tool, target, effect } of own) {
      terminal.out(
        `  ${effect} ${tool} ${visibleName(target)}  ${terminal.style("dim", "(configuration)")}\n`,
      );
    }
    const { rules, problem } = listProjectRules(workspace.stateFolder);
    if (problem !== undefined) terminal.note(`${problem}\n`);
    if (rules.length === 0) terminal.out("Nothing was allowed for this project for good.\n");
    else terminal.out("Allowed for this project:\n");
    for (const [index, { tool, target, effect }] of rules.entries()) {
      terminal.out(`  ${index + 1}. ${effect} ${tool} ${visibleName(target)}\n`);
    }
    return exitCode.done;
  });
}

function remove(numbers: readonly string[], context: CommandContext): Promise<number> {
  return withFolder(context, async ({ workspace }) => {
    const { rules } = listProjectRules(workspace.stateFolder);
    // All are looked up before any is removed: the numbers are those that were shown.
    const chosen = numbers.map((number) => rules[Number(number) - 1]);
    const unknown = numbers.find((_, index) => chosen[index] === undefined);
    if (unknown !== undefined)
      return usage(context, `There is no rule ${unknown}. See stet permissions for their numbers.`);
    for (const rule of chosen) {
      const removed = rule === undefined ? true : removeProjectRule(workspace.stateFolder, rule);
      if (isFault(removed)) return removed;
    }
    context.terminal.out(`Taken back: ${chosen.map((rule) => rule?.target ?? "").join(", ")}.\n`);
    return exitCode.done;
  });
}
