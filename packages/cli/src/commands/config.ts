// `stet config`: every setting, its value and where it came from.

import { loadConfiguration, settingDescriptions } from "@stet/host/settings/configuration";
import { isTrusted } from "@stet/host/settings/trust";
import { isFault } from "@stet/protocol/fault";
import type { CommandContext, WordsOf } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { showFault } from "../terminal.ts";

export async function config({ values }: WordsOf<"config">, context: CommandContext): Promise<number> {
  const { terminal, environment } = context;
  const folder = context.root;
  const configuration = loadConfiguration({ folder, environment, isTrusted: isTrusted(folder, environment) });
  if (isFault(configuration)) {
    showFault(terminal, configuration);
    return exitCode.refused;
  }
  if (values.json) {
    const origins = configuration.origins.map((setting) => {
      return setting.name === "providers" ? { ...setting, value: Object.keys(setting.value ?? {}) } : setting;
    });
    terminal.json(origins);
    return exitCode.done;
  }
  const descriptions = settingDescriptions();
  for (const { name, value, source, from } of configuration.origins) {
    const shown = shownValue(name, value).padEnd(12);
    const place = from === "" ? source : `${source}: ${from}`;
    terminal.out(
      `${terminal.style("bold", name.padEnd(30))} ${shown} ${terminal.style("dim", `${place} — ${descriptions[name]}`)}\n`,
    );
  }
  return exitCode.done;
}

/** Keys are never shown, only that there are some. */
function shownValue(name: string, value: unknown): string {
  return name === "providers" ? JSON.stringify(Object.keys(value ?? {})) : JSON.stringify(value);
}
