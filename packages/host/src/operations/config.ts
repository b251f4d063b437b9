// The settings: what is in force, where it came from, and changing one.

import type { Operations } from "@stet/protocol/api/operation";
import { isFault } from "@stet/protocol/fault";
import type { Host } from "../host.ts";
import { changeSetting } from "../settings/change-setting.ts";
import { type Setting, settingDescriptions, settingValues } from "../settings/configuration.ts";

export function configOperations(host: Host) {
  const { environment, limits, events } = host;

  return {
    async getConfig() {
      const configured = host.configuration();
      if (isFault(configured)) return configured;
      return { settings: views(configured.origins), limits: { ...limits } };
    },

    async changeSetting({ body }) {
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
