// Which model answers from now on: the setting that the mode reads, changed as /settings does.

import type { ProviderView } from "@stet/protocol/api/models";
import { type Fault, isFault } from "@stet/protocol/fault";
import { visibleName } from "@stet/protocol/visible";
import type { Choice } from "../interactive/app.ts";
import type { ConnectPerson } from "./connect-person.ts";
import { abilityWords, contextWords, priceWords, searchText, speedWords } from "./model-facts.ts";
import { type ModelRow, modelRows } from "./model-table.ts";
import { testWords } from "./test-words.ts";
import type { ModelsApi } from "./with-models.ts";

/** With its provider before it, as the setting has it. */
export function fullModelName(name: string, provider: string): string {
  return name.startsWith(`${provider}/`) ? name : `${provider}/${name}`;
}

/** What was done, as a sentence. */
export async function setDefaultModel(
  api: ModelsApi,
  name: string,
  setting: "model" | "localModel" = "model",
): Promise<string | Fault> {
  const changed = await api.call("changeSetting", { body: { name: setting, value: name } });
  if (isFault(changed)) return changed;
  const shown = visibleName(name);
  if (changed.value !== name)
    return `It was written, but the setting ${setting} stays ${visibleName(String(changed.value))}: ${visibleName(changed.source)} decides.`;
  return setting === "model" ? `${shown} answers from now on.` : `${shown} is the local model from now on.`;
}

/** The models of a provider, to choose one that answers; typed where it lists none. Undefined: none was chosen. */
export async function offerModel(
  provider: ProviderView,
  current: string,
  person: ConnectPerson,
): Promise<string | undefined> {
  const title = visibleName(provider.title);
  if (provider.models.length === 0) {
    const name = await person.ask({
      title: `${title} lists no models. The name of the one that answers from now on (Enter for none):`,
    });
    return name === undefined || name === "" ? undefined : fullModelName(name, provider.name);
  }
  return person.choose({
    title: `Which model of ${title} answers from now on?`,
    choices: modelRows([provider]).map((row) => ({ ...modelChoice(row, current), value: row.model.name })),
    hint: "Enter chooses, typing searches, Esc leaves it as it is",
  });
}

/** One that its provider does not list is tried first: what was said of it, or why it cannot answer. */
export async function tryUnlisted(
  api: ModelsApi,
  name: string,
  { models }: ProviderView,
  person: ConnectPerson,
): Promise<string | Fault | undefined> {
  if (models.some((model) => model.name === name)) return undefined;
  const reply = await person.wait(`Asking ${visibleName(name)}`, (signal) =>
    api.call("testModel", { body: { model: name } }, signal),
  );
  return isFault(reply) ? reply : testWords(reply);
}

/** A model as a row of a list. */
export function modelChoice({ model, provider }: ModelRow, current: string): Omit<Choice<never>, "value"> {
  const facts = [
    model.name === current ? "in use" : "",
    contextWords(model),
    priceWords(model, provider.is_local),
    abilityWords(model).join(", "),
    speedWords(model),
  ];
  return {
    label: `${model.is_favourite ? "★ " : ""}${visibleName(model.name)}`,
    detail: facts.filter((fact) => fact !== "").join(" · "),
    words: searchText(model, provider),
  };
}
