// What a host without settings, models and indexes offers a toolset: a workspace and a turn, and nothing beyond.

import type { Capabilities } from "@stet/tools/capabilities";
import { Sight } from "@stet/tools/sight/sight";
import { defaultTokenBudget } from "@stet/tools/tabs/tabs-context";

export function bareCapabilities(
  given: Partial<Capabilities> & Pick<Capabilities, "workspace" | "turn">,
): Capabilities {
  return {
    ask: async () => "",
    messages: () => [],
    readArtifact: undefined,
    sight: new Sight(),
    readRules: undefined,
    meaning: undefined,
    embedder: async () => undefined,
    subagents: async () => undefined,
    tokenBudget: defaultTokenBudget,
    searches: async () => undefined,
    tab: undefined,
    projectLimits: {},
    agents: undefined,
    background: undefined,
    code() {
      throw new Error("a bare host runs no commands");
    },
    ...given,
  };
}
