// The toolset of a session in which none was chosen: the one for code in a repository, where neither a file nor a flag names one.

import type { Configuration } from "@stet/host/settings/configuration";

/** Undefined where the configuration decides. */
export function toolsetByFolder({ origins }: Configuration, isRepository: boolean): string | undefined {
  const origin = origins.find(({ name }) => name === "toolset");
  return origin?.source === "default" && isRepository ? "code" : undefined;
}
