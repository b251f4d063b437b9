// /login: connects a provider by what it takes, and offers its models. A key is typed masked, and is neither in the prompt's
// past nor in the conversation.

import { isFault } from "@stet/protocol/fault";
import { visibleName } from "@stet/protocol/visible";
import {
  connectionWords,
  connectProvider,
  fillForm,
  formOf,
  type Models,
  type ProviderForm,
  pickProvider,
} from "../../models/connect.ts";
import type { ConnectPerson } from "../../models/connect-person.ts";
import { offerModel, tryUnlisted } from "../../models/default-model.ts";
import { deviceLogin } from "../../models/device-login.ts";
import { keyProblem } from "../../models/given-values.ts";
import type { App } from "../app.ts";
import { useModel } from "./use-model.ts";
import { waitFor } from "./wait-for.ts";

export async function login(argument: string, app: App): Promise<void> {
  const [asked, address, ...others] = argument.split(/\s+/).filter((word) => word !== "");
  const isAddress = address === undefined || /^[\w+.-]+:\/\//.test(address);
  const problem = keyProblem(asked === undefined ? [] : [asked], []);
  if (typeof problem === "string" || !isAddress || others.length > 0)
    return app.tell(
      "/login takes a provider, and the address of a server of your own. A key is asked for after that, and not shown.",
      "error",
    );
  const models = await waitFor(app, "Looking for providers", (signal) =>
    app.api.call("listModels", {}, signal),
  );
  if (isFault(models)) return models.error === "aborted" ? undefined : app.tellFault(models);
  await connectOne(asked, address, models, app);
}

export async function completeLogin(word: string, app: App): Promise<readonly string[]> {
  const models = await app.api.call("listModels", {});
  if (isFault(models)) return [];
  return models.providers
    .filter(({ kind }) => kind !== "practice")
    .map(({ name }) => name)
    .filter((name) => name.startsWith(word));
}

/** Returns whether it is connected. */
export async function connectOne(
  asked: string | undefined,
  address: string | undefined,
  models: Models,
  app: App,
): Promise<boolean> {
  const person = personOf(app);
  const name = asked ?? (await pickProvider(models, person, "Which provider shall be connected?"));
  if (name === undefined) return false;
  const isKnown = models.providers.some((provider) => provider.name === name);
  const form = await formOf(models, name, address ?? (asked === undefined && !isKnown ? "" : undefined));
  if (isFault(form)) {
    app.tellFault(form);
    return false;
  }
  const reply = (await wantsCode(form, address, app))
    ? await deviceLogin(app.api, form, person)
    : await byValues(form, address, app);
  if (reply === undefined) return false;
  if (isFault(reply)) {
    if (reply.error !== "aborted") app.tellFault(reply);
    return false;
  }
  app.tell((await connectionWords(reply, app.environment)).join(" "));
  const current = app.conversation.choices.model || models.current;
  // Its own model answers again: there is nothing to choose.
  if (reply.provider.models.some(({ name: known }) => known === current)) return true;
  const chosen = await offerModel(reply.provider, current, person);
  if (chosen === undefined) return true;
  const answered = await tryUnlisted(app.api, chosen, reply.provider, person);
  if (isFault(answered)) app.tellFault(answered);
  else await useModel(chosen, app, "always");
  return true;
}

async function byValues(form: ProviderForm, address: string | undefined, app: App) {
  const person = personOf(app);
  const values = await fillForm(form, address === undefined ? {} : { address }, person);
  if (values === undefined) return undefined;
  const request = { form, values, isAdded: false, model: undefined };
  return connectProvider(app.api, request, person, true);
}

async function wantsCode(
  { hasDeviceLogin, title }: ProviderForm,
  address: string | undefined,
  app: App,
): Promise<boolean> {
  if (!hasDeviceLogin || address !== undefined) return false;
  const way = await app.dialogs.choose({
    title: `How shall ${visibleName(title)} be connected?`,
    choices: [
      { value: "page", label: "By a code that you type on its page" },
      { value: "key", label: "By a key" },
    ],
  });
  return way === "page";
}

export function personOf(app: App): ConnectPerson {
  return {
    choose: (question) => app.dialogs.choose(question),
    ask: (question) => app.dialogs.ask(question),
    tell: (text, kind) => app.tell(text, kind),
    wait: (words, action) => waitFor(app, words, action),
  };
}
