// `stet models`: what can be used here, and for the rest why not. Servers on this machine are asked, and providers that have
// a key.

import { loadConfiguration } from "@stet/host/settings/configuration";
import { modelSources } from "@stet/host/settings/model-settings";
import { type ListedProvider, listModels } from "@stet/model/model-list";
import { isFault } from "@stet/protocol/fault";
import { visibleName } from "@stet/protocol/visible";
import type { CommandContext, WordsOf } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { showFault } from "../terminal.ts";

export interface UsableProvider {
  readonly name: string;
  readonly isUsable: boolean;
  readonly reason: string;
  readonly models: readonly string[];
}

export async function usableProviders(context: CommandContext): Promise<UsableProvider[]> {
  const { environment, root: folder } = context;
  const configuration = loadConfiguration({ folder, environment, isTrusted: false });
  if (isFault(configuration)) showFault(context.terminal, configuration);
  const settings = isFault(configuration) ? { providers: {}, agentMode: "remote" } : configuration.settings;
  const staysOnMachine = settings.agentMode === "local";
  const listed = await listModels(modelSources(settings, environment), { timeoutMs: 500, staysOnMachine });
  return listed.map(shown);
}

function shown({ name, isUsable, reason, models }: ListedProvider): UsableProvider {
  return { name, isUsable, reason, models: name === "practice" ? [] : models.map((model) => model.name) };
}

export async function models({ values }: WordsOf<"models">, context: CommandContext): Promise<number> {
  const { terminal } = context;
  const providers = await usableProviders(context);
  if (values.json) terminal.json(providers);
  for (const provider of values.json ? [] : providers) {
    const mark = provider.isUsable ? terminal.style("green", "yes") : terminal.style("dim", "no ");
    terminal.out(`${mark}  ${terminal.style("bold", provider.name.padEnd(20))} ${provider.reason}\n`);
    for (const model of provider.isUsable ? provider.models : [])
      terminal.out(`     ${visibleName(model)}\n`);
  }
  return exitCode.done;
}
