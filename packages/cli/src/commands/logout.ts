// `stet logout [PROVIDER]`: forgets keys that were kept here. Those of variables and of the configuration stay, and are told.

import type { ProviderView } from "@stet/protocol/api/models";
import { type Fault, isFault } from "@stet/protocol/fault";
import { visibleName } from "@stet/protocol/visible";
import type { CommandContext, WordsOf } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { formOf } from "../models/connect.ts";
import { forgetKeys, isKeptHere, keyWords } from "../models/forget-keys.ts";
import { terminalPerson } from "../models/terminal-person.ts";
import { withModels } from "../models/with-models.ts";
import { usage } from "../with-folder.ts";

export async function logout(
  { values, positionals: [asked, ...others] }: WordsOf<"logout">,
  context: CommandContext,
): Promise<number> {
  const { terminal, signal } = context;
  if (others.length > 0) return usage(context, "Name one provider: stet logout PROVIDER.");
  return withModels(context, async (api): Promise<number | Fault> => {
    const models = await api.call("listModels", {}, signal);
    if (isFault(models)) return models;
    const kept = models.providers.filter(({ keys }) => keys.some(isKeptHere));
    if (asked === undefined && kept.length === 0) {
      terminal.out("No key is kept here, so there is nothing to forget.\n");
      return exitCode.done;
    }
    const name = asked ?? (await chosen(kept, context));
    if (name === undefined)
      return usage(context, `Name the provider: ${kept.map((one) => visibleName(one.name)).join(", ")}.`);
    const form = await formOf(models, name, undefined);
    if (isFault(form)) return form;
    const done = await forgetKeys(api, form.name, values.key);
    if (isFault(done)) return done;
    for (const sentence of done) terminal.out(`${sentence}\n`);
    return exitCode.done;
  });
}

async function chosen(
  kept: readonly ProviderView[],
  { terminal, signal }: CommandContext,
): Promise<string | undefined> {
  const input = terminal.person();
  if (input === undefined) return undefined;
  return terminalPerson(terminal, input, signal).choose({
    title: "Forget the keys of which provider?",
    choices: kept.map(({ name, keys }) => {
      return { value: name, label: visibleName(name), detail: keys.map(keyWords).join(", ") };
    }),
  });
}
