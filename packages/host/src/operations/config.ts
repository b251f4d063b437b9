// The settings: what is in force, where it came from, and changing one.

import type { Operations } from "@stet/protocol/api/operation";
import { Fault, isFault } from "@stet/protocol/fault";
import { whatHappened } from "@stet/protocol/model-stream";
import type { WorkspaceEvents } from "../events/workspace-events.ts";
import type { Host } from "../host.ts";
import { changeSetting } from "../settings/change-setting.ts";
import { type Setting, settingDescriptions, settingValues } from "../settings/configuration.ts";
import { modelSources } from "../settings/model-settings.ts";

/** What of a host they need. */
export interface ConfigHost extends Pick<Host, "environment" | "configuration"> {
  readonly limits: Readonly<Record<string, number>>;
  readonly events: Pick<WorkspaceEvents, "tell">;
}

export function configOperations(host: ConfigHost) {
  const { environment, limits, events } = host;

  return {
    async getConfig() {
      const configured = host.configuration();
      if (isFault(configured)) return configured;
      return { settings: views(configured.origins), limits: { ...limits } };
    },

    async changeSetting({ body }) {
      const unknown = await unknownModel(host, body.name, body.value);
      if (unknown !== undefined) return unknown;
      const name = changeSetting(environment, body.name, body.value);
      if (isFault(name)) return name;
      events.tell("config.changed", { name });
      const configured = host.configuration();
      if (isFault(configured)) return configured;
      const [view] = views(configured.origins.filter((setting) => setting.name === name));
      if (view === undefined) throw new Error(`The setting ${name} has no value.`);
      return view;
    },
  } satisfies Partial<Operations>;
}

/** One that needs a key, or whose server does not run now, may be chosen; a name that no provider has would fail every turn. */
async function unknownModel(host: ConfigHost, name: string, value: unknown): Promise<Fault | undefined> {
  if (name !== "model" && name !== "localModel") return undefined;
  if (typeof value !== "string" || value === "") return undefined;
  const configured = host.configuration();
  // What is wrong with the file is told by the change itself.
  if (isFault(configured)) return undefined;
  const { resolveModel, isModelFailure } = await import("@stet/model/providers");
  const model = await resolveModel(value, modelSources(configured.settings, host.environment));
  if (!isModelFailure(model) || model.kind !== "not_found") return undefined;
  const suggestion = "List the models for their names, or connect the provider first.";
  return new Fault("invalid_arguments", whatHappened(model), suggestion, { name, field: "model" });
}

function views(settings: readonly Setting[]) {
  const abouts = settingDescriptions();
  const values = settingValues();
  return settings.map((setting) => {
    const few = values[setting.name];
    return {
      name: setting.name,
      value: shownValue(setting),
      source: setting.from === "" ? setting.source : `${setting.source}: ${setting.from}`,
      about: abouts[setting.name] ?? "",
      ...(few === undefined ? {} : { values: few }),
    };
  });
}

/** Keys, addresses and headers are private; only the names of providers are in the reply. */
function shownValue({ name, value }: Setting): unknown {
  return name === "providers" && typeof value === "object" && value !== null ? Object.keys(value) : value;
}
