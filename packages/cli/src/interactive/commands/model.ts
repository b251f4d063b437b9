// /model: which model answers, of all that are there, with how much each takes and why others cannot be used. What is chosen
// holds in this session, or from now on.

import type { Reply } from "@stet/protocol/api/route";
import type { Routes } from "@stet/protocol/api/routes";
import { isFault } from "@stet/protocol/fault";
import { visibleName } from "@stet/protocol/visible";
import type { App, Choice } from "../app.ts";
import { waitFor } from "./wait-for.ts";

type Models = Reply<Routes["listModels"]>;

/** A model, or why a provider has none that could be used. */
type Row = { readonly model: string } | { readonly why: string };

export async function model(argument: string, app: App): Promise<void> {
  if (argument !== "") return use(argument, app);
  const models = await waitFor(app, "Looking for models", (signal) => app.api.call("listModels", {}, signal));
  if (isFault(models)) return models.error === "aborted" ? undefined : app.tellFault(models);
  const current = currentOf(models, app);
  const choices = rowsOf(models, current);
  const row = await app.dialogs.choose({
    title: "Which model answers?",
    choices,
    selected: Math.max(
      0,
      choices.findIndex(({ value }) => "model" in value && value.model === current),
    ),
  });
  if (row === undefined) return;
  if ("why" in row) return app.tell(row.why, "warning");
  const scope = await app.dialogs.choose<"session" | "always">({
    title: `${visibleName(row.model)}: for how long?`,
    choices: [
      { value: "session", label: "In this session" },
      { value: "always", label: "From now on", detail: "also as the setting model" },
    ],
  });
  if (scope !== undefined) await use(row.model, app, scope === "always");
}

export async function completeModel(word: string, app: App): Promise<readonly string[]> {
  const models = await app.api.call("listModels", {});
  if (isFault(models)) return [];
  const names = models.providers.flatMap((provider) => provider.models.map(({ name }) => name));
  return ["practice", ...names].filter((name) => name.startsWith(word));
}

function currentOf({ current }: Models, app: App): string {
  return app.conversation.choices.model || current;
}

function rowsOf({ providers }: Models, current: string): Choice<Row>[] {
  const ready = providers.filter((provider) => provider.is_ready);
  const rows = ready.flatMap(({ name: provider, models, why }) =>
    models.map(({ name, context_window }): Choice<Row> => {
      const facts = [
        name === current ? "in use" : "",
        context_window === null ? "" : `${Math.round(context_window / 1000)}k context`,
        visibleName(why),
      ];
      const detail = facts.filter((fact) => fact !== "").join(" · ");
      return { value: { model: name }, label: visibleName(name), detail, words: provider };
    }),
  );
  const practice: Choice<Row> = {
    value: { model: "practice" },
    label: "practice",
    detail: `${current === "practice" ? "in use · " : ""}built in, for trying things out; needs no key`,
  };
  const others = providers
    .filter((provider) => !provider.is_ready)
    .map(({ name, why }): Choice<Row> => {
      return {
        value: { why: `${visibleName(name)}: ${visibleName(why)}` },
        label: name,
        detail: visibleName(why),
      };
    });
  const isListed = rows.some(({ value }) => "model" in value && value.model === "practice");
  return [...rows, ...(isListed ? [] : [practice]), ...others];
}

async function use(name: string, app: App, isDefault = false): Promise<void> {
  // The host says whether there is such a model.
  const id = await app.conversation.ensure();
  const fault = isFault(id) ? id : await app.conversation.choose({ model: name });
  if (fault !== undefined) return app.tellFault(fault);
  if (!isDefault) return app.tell(`${visibleName(name)} answers in this session.`);
  const changed = await app.api.call("changeSetting", { body: { name: "model", value: name } });
  if (isFault(changed)) return app.tellFault(changed);
  await app.reloadSettings();
  app.tell(`${visibleName(name)} answers from now on.`);
}
