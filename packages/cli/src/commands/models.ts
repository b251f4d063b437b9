// `stet models`: what can be used here, and for the rest why not. Servers on this machine are asked.

import { findLocalServers } from "@stet/model/local-servers";
import { listProviders } from "@stet/model/providers";
import { isFault } from "@stet/protocol/fault";
import { loadConfiguration } from "@stet/server/settings/configuration";
import type { CommandContext, WordsOf } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { showFault } from "../terminal.ts";

export interface UsableProvider {
  readonly name: string;
  readonly isUsable: boolean;
  readonly reason: string;
  readonly models?: readonly string[];
}

export async function usableProviders(context: CommandContext): Promise<UsableProvider[]> {
  const { environment } = context;
  const configuration = loadConfiguration({
    folder: context.root,
    environment,
    isTrusted: false,
  });
  if (isFault(configuration)) showFault(context.terminal, configuration);
  const providers = isFault(configuration) ? {} : configuration.settings.providers;
  const servers = await findLocalServers({ environment, timeoutMs: 500 });
  const local = new Set(["ollama", "lmstudio", "llamacpp"]);
  return listProviders({ environment, providers }).map(({ name, isUsable, reason }) => {
    if (!local.has(name)) return { name, isUsable, reason };
    const server = servers.find((candidate) => candidate.provider === name);
    if (server === undefined)
      return { name, isUsable: false, reason: "Nobody answers at its address on this machine." };
    const models = server.models.map((model) => model.name);
    return { name, isUsable: true, reason: `It answers at ${server.baseURL}.`, models };
  });
}

export async function models({ values }: WordsOf<"models">, context: CommandContext): Promise<number> {
  const { terminal } = context;
  const providers = await usableProviders(context);
  if (values.json) terminal.out(`${JSON.stringify(providers)}\n`);
  for (const provider of values.json ? [] : providers) {
    const mark = provider.isUsable ? terminal.style("green", "yes") : terminal.style("dim", "no ");
    terminal.out(`${mark}  ${terminal.style("bold", provider.name.padEnd(20))} ${provider.reason}\n`);
    for (const model of provider.models ?? []) terminal.out(`     ${model}\n`);
  }
  return exitCode.done;
}
