// Which of the two models answers: the setting agentMode, and the local model that two of its values need.

import { isFault } from "@stet/protocol/fault";
import { visibleName } from "@stet/protocol/visible";
import type { Models } from "../../models/connect.ts";
import { modelChoice } from "../../models/default-model.ts";
import { modelRows } from "../../models/model-table.ts";
import type { App } from "../app.ts";
import { useModel } from "./use-model.ts";

export function modeWords({ mode, local_model: local }: Models): string {
  return local === "" ? `mode ${mode}` : `mode ${mode}, local model ${visibleName(local)}`;
}

export async function agentMode(models: Models, app: App): Promise<void> {
  const { mode, local_model: local } = models;
  const modes = ["remote", "local", "hybrid_auto"] as const;
  const abouts = {
    remote: "the model that is set",
    local: "nothing of a conversation leaves this machine",
    hybrid_auto: "the local model, the other where it is not enough",
  };
  const chosen = await app.dialogs.choose<(typeof modes)[number] | "localModel">({
    title: `Which of the two answers? Now: ${modeWords(models)}.`,
    choices: [
      ...modes.map((value) => ({ value, label: value, detail: abouts[value] })),
      { value: "localModel", label: "Choose the local model", detail: visibleName(local) },
    ],
    selected: modes.indexOf(mode),
  });
  if (chosen === undefined) return;
  const isIncomplete = chosen === "localModel" || (chosen !== "remote" && local === "");
  if (isIncomplete && !(await chooseLocal(models, app))) return;
  if (chosen === "localModel") return;
  const changed = await app.api.call("changeSetting", { body: { name: "agentMode", value: chosen } });
  if (isFault(changed)) return app.tellFault(changed);
  await app.reloadSettings();
  if (changed.value === chosen) app.tell(`The mode is ${chosen}: ${abouts[chosen]}.`);
  else app.tell(`It was written, but ${visibleName(changed.source)} decides.`, "warning");
}

/** Returns whether there is one now. */
async function chooseLocal({ providers, local_model: local }: Models, app: App): Promise<boolean> {
  const rows = modelRows(providers.filter((one) => one.is_local && one.is_ready && one.kind !== "practice"));
  if (rows.length === 0) {
    app.tell(
      "No server on this machine answers, so there is no local model to choose: /login ollama",
      "warning",
    );
    return false;
  }
  const chosen = await app.dialogs.choose({
    title: "Which is the local model?",
    choices: rows.map((row) => ({ ...modelChoice(row, local), value: row.model.name })),
  });
  if (chosen === undefined) return false;
  await useModel(chosen, app, "local");
  return true;
}
