// /model: which model answers, of all that are there: favourites first, with how much each takes, costs and can do, and how fast
// it was here. Providers that are not connected lead to /login. Below them: the mode, and the local model that it needs.

import { isFault } from "@stet/protocol/fault";
import { visibleName } from "@stet/protocol/visible";
import type { Models } from "../../models/connect.ts";
import { modelChoice } from "../../models/default-model.ts";
import { changeFavourite } from "../../models/favourites.ts";
import { missingWords } from "../../models/missing-providers.ts";
import { modelRows } from "../../models/model-table.ts";
import { nextStep, slashText } from "../../models/next-step.ts";
import { byLikelihood } from "../../models/usable-providers.ts";
import type { App, Choice } from "../app.ts";
import { agentMode, modeWords } from "./agent-mode.ts";
import { namesOf } from "./help.ts";
import { connectOne } from "./login.ts";
import { type ModelScope, useModel } from "./use-model.ts";
import { waitFor } from "./wait-for.ts";

type Row =
  | { readonly kind: "model"; readonly model: string; readonly isLocal: boolean }
  | { readonly kind: "provider"; readonly provider: string }
  | { readonly kind: "mode" }
  | { readonly kind: "connect" };

export async function model(argument: string, app: App): Promise<void> {
  if (argument !== "") return useModel(argument, app, "session");
  const models = await waitFor(app, "Looking for models", (signal) => app.api.call("listModels", {}, signal));
  if (isFault(models)) return models.error === "aborted" ? undefined : app.tellFault(models);
  const row = await pick(models, app);
  if (row === undefined) return;
  if (row.kind === "mode") return agentMode(models, app);
  if (row.kind !== "model") {
    await connectOne(row.kind === "provider" ? row.provider : undefined, undefined, models, app);
    return;
  }
  const scope = await scopeFor(row, models, app);
  if (scope !== undefined) await useModel(row.model, app, scope);
}

export async function completeModel(word: string, app: App): Promise<readonly string[]> {
  const models = await app.api.call("listModels", {});
  if (isFault(models)) return [];
  const names = models.providers.flatMap((provider) => provider.models.map(({ name }) => name));
  return [...new Set(["practice", ...names])].filter((name) => name.startsWith(word));
}

async function pick(models: Models, app: App): Promise<Row | undefined> {
  const current = app.conversation.choices.model || models.current;
  const values = new Map<string, Row>();
  const choices = rowsOf(models, current, values);
  const favouriteKeys = app.keys.keysOf("models.favourite");
  const [key = ""] = favouriteKeys;
  let shown = models;
  return app.dialogs.choose({
    title: "Which model answers?",
    choices,
    selected: Math.max(
      0,
      choices.findIndex(({ value }) => value.kind === "model" && value.model === current),
    ),
    hint: `Enter chooses${key === "" ? "" : `, ${namesOf([key])} marks a favourite`}, Esc closes`,
    onKey(pressed, value) {
      if (!favouriteKeys.includes(pressed)) return undefined;
      return toggled(shown, value, app).then((next) => {
        shown = next;
        return rowsOf(next, current, values);
      });
    },
  });
}

/** With the favourite changed, here and in the setting. */
async function toggled(models: Models, row: Row, app: App): Promise<Models> {
  if (row.kind !== "model") return models;
  const all = models.providers.flatMap((provider) => provider.models);
  const before = all.find(({ name }) => name === row.model)?.is_favourite === true;
  const said = await changeFavourite(app.api, row.model, !before);
  if (isFault(said)) {
    app.tellFault(said);
    return models;
  }
  return {
    ...models,
    providers: models.providers.map((provider) => ({
      ...provider,
      models: provider.models.map((one) =>
        one.name === row.model ? { ...one, is_favourite: !before } : one,
      ),
    })),
  };
}

function scopeFor(
  { model: name, isLocal }: Extract<Row, { kind: "model" }>,
  { mode, local_model: local }: Models,
  app: App,
): Promise<ModelScope | undefined> {
  const asLocal: Choice<ModelScope> = {
    value: "local",
    label: "As the local model",
    detail: `of the modes local and hybrid_auto${local === "" ? "" : `, instead of ${visibleName(local)}`}`,
  };
  const rows: Choice<ModelScope>[] = [
    { value: "session", label: "In this session" },
    { value: "always", label: "From now on", detail: "also as the setting model" },
  ];
  return app.dialogs.choose<ModelScope>({
    title: `${visibleName(name)}: for how long?`,
    choices: isLocal ? (mode === "remote" ? [...rows, asLocal] : [asLocal, ...rows]) : rows,
  });
}

/** `values`: the same value for the same row, so that the selected one stays selected. */
function rowsOf(models: Models, current: string, values: Map<string, Row>): Choice<Row>[] {
  const sameRow = (row: Row): Row => {
    const key = JSON.stringify(row);
    const value = values.get(key) ?? row;
    values.set(key, value);
    return value;
  };
  const ready = byLikelihood(models.providers, current).filter((provider) => provider.is_ready);
  const rows = modelRows(ready).map(
    (row): Choice<Row> => ({
      ...modelChoice(row, current),
      value: sameRow({ kind: "model", model: row.model.name, isLocal: row.provider.is_local }),
    }),
  );
  const practice = rows.filter(({ label }) => label === "practice");
  const others = models.providers
    .filter((provider) => !provider.is_ready)
    .map((provider): Choice<Row> => {
      const { name, title, mend, models: examples } = provider;
      const step = nextStep({ provider: name, field: mend?.field ?? "key" });
      const lead = step?.slash.name === "login" ? ` · ${slashText(step)}` : "";
      return {
        value: sameRow({ kind: "provider", provider: name }),
        label: visibleName(name),
        detail: `${missingWords(provider)}${lead}`,
        words: `${title} ${examples.map((one) => one.name).join(" ")}`,
      };
    });
  return [
    ...rows.filter(({ label }) => label !== "practice"),
    ...practice.map((row) => ({
      ...row,
      detail: `${current === "practice" ? "in use · " : ""}built in, for trying things out; needs no key`,
    })),
    ...others,
    {
      value: sameRow({ kind: "connect" }),
      label: "Connect a provider or a server of your own",
      words: "login key address gateway",
    },
    {
      value: sameRow({ kind: "mode" }),
      label: "Which of the two answers",
      detail: modeWords(models),
      words: "mode local remote hybrid_auto",
    },
  ];
}
