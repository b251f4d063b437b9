// The first start without a model: the models that can be used already (of servers on this machine, of keys that are there), else
// the providers that can be connected, and the practice model. What is chosen is set for the next time, so that nobody is asked
// twice. With a server that runs, Enter is enough.

import type { ProviderView } from "@stet/protocol/api/models";
import { isFault } from "@stet/protocol/fault";
import { visibleName } from "@stet/protocol/visible";
import type { Models } from "../models/connect.ts";
import { providerChoices } from "../models/connect.ts";
import { modelChoice, setDefaultModel } from "../models/default-model.ts";
import { byLikelihood, isProven } from "../models/usable-providers.ts";
import type { App, Choice } from "./app.ts";

const mostOfOne = 12;

type First =
  | { readonly kind: "model"; readonly model: string }
  | { readonly kind: "provider"; readonly provider: string | undefined };

/** Where a model is set already, nothing is asked. */
export async function chooseFirstModel(app: App): Promise<void> {
  const models = await app.api.call("listModels", {});
  if (isFault(models)) return app.tellFault(models);
  if (!models.is_practice || app.conversation.choices.model !== undefined) return;
  // Who writes already is not interrupted.
  if (app.prompt.text !== "" || app.conversation.runningJob !== undefined) {
    app.tell(
      "No model is set, so the practice model answers: a small program that understands simple requests. /model chooses a real one, /login connects one.",
      "warning",
    );
    return;
  }
  const ready = choicesOf(models.providers);
  const chosen = await app.dialogs.choose<First>({
    title:
      ready.length > 0
        ? "Which model shall answer? These can be used here."
        : "No model can be used yet. Connect one: choose its provider.",
    choices: [...ready, ...(ready.length > 0 ? [connect] : unconnected(models)), practice],
    hint: "Enter chooses, typing searches, Esc decides later; /model changes it at any time",
  });
  if (chosen === undefined) return;
  if (chosen.kind === "provider") {
    const { connectOne } = await import("./commands/login.ts");
    if (!(await connectOne(chosen.provider, undefined, models, app))) app.tell(later, "info");
    return;
  }
  const said = await setDefaultModel(app.api, chosen.model);
  if (isFault(said)) return app.tellFault(said);
  await app.reloadSettings();
  app.tell(said);
}

const later = "Nothing was connected. /login does that at any time; until then the practice model answers.";

const connect: Choice<First> = {
  value: { kind: "provider", provider: undefined },
  label: "Connect another provider",
  detail: "by its key or address",
};

const practice: Choice<First> = {
  value: { kind: "model", model: "practice" },
  label: "practice",
  detail: "the built-in practice model: no key, no network, simple requests only",
};

function unconnected({ providers }: Models): Choice<First>[] {
  const known = providerChoices(providers).map(
    ({ value, ...row }): Choice<First> => ({ ...row, value: { kind: "provider", provider: value } }),
  );
  const own: Choice<First> = {
    value: { kind: "provider", provider: undefined },
    label: "another server",
    detail: "one that speaks OpenAI's format, by its address",
  };
  return [...known, own];
}

/** Servers of this machine first; of each provider what it can do best: models that call tools come before others. */
export function choicesOf(providers: readonly ProviderView[]): Choice<First>[] {
  return byLikelihood(providers)
    .filter((provider) => isProven(provider))
    .flatMap((provider) => {
      const { models, example, why, name } = provider;
      const sorted = [...models].sort((one, other) => rank(one) - rank(other));
      const rows = sorted.slice(0, mostOfOne).map((model): Choice<First> => {
        const { detail = "", ...row } = modelChoice({ model, provider }, "");
        const from = provider.is_local ? `${visibleName(provider.title)} on this machine` : visibleName(why);
        return {
          ...row,
          value: { kind: "model", model: model.name },
          detail: [from, detail].filter((part) => part !== "").join(" · "),
        };
      });
      if (rows.length > 0 || example === undefined) return rows;
      const value: First = { kind: "model", model: example };
      return [{ value, label: visibleName(example), detail: visibleName(why), words: name }];
    });
}

function rank({ tools }: ProviderView["models"][number]): number {
  return tools === "native" ? 0 : tools === null ? 1 : 2;
}
