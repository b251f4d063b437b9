// The settings of an agent that was sent: those of whoever sent it, with what its own file says, and nothing that outlives its
// turn.

import type { BudgetLimits } from "@stet/model/budget";
import { narrower, type PermissionMode } from "@stet/protocol/permission-mode";
import type { AgentDefinition } from "@stet/tools/agents/agent-definition";
import type { Settings } from "../settings/configuration.ts";
import type { Sender } from "./sender.ts";

export function childSettings(
  { settings, model, isImmediate }: Pick<Sender, "settings" | "model" | "isImmediate">,
  agent: AgentDefinition,
  readable: readonly string[],
): Settings {
  return {
    ...settings,
    model: agent.model ?? model,
    thinking: agent.thinking ?? settings.thinking,
    // Whatever the sender writes with: what an agent changes is staged, so it needs no other words for it.
    toolset: agent.toolset ?? "code",
    "permission.mode": childPermission(settings["permission.mode"], agent, isImmediate),
    "async.enabled": false,
    "bash.autoBackground.enabled": false,
    "sandbox.read": [...settings["sandbox.read"], ...readable],
    maxTokens: null,
    maxCost: null,
  };
}

/** Never more than its sender's, but that edits which wait for the person anyway need no question. */
export function childPermission(
  mode: PermissionMode,
  agent: AgentDefinition,
  isImmediate: boolean,
): PermissionMode {
  const own = agent.permission ?? "full";
  return narrower(own, isImmediate || mode === "plan" || mode === "full" ? mode : "auto-edit");
}

/** The tighter of what the settings and its own file say. */
export function childLimits(settings: Settings, agent: AgentDefinition): BudgetLimits {
  const maxTokens = least(settings["task.maxTokens"], agent.maxTokens);
  const maxCost = least(settings["task.maxCost"], agent.maxCost);
  return {
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(maxCost === undefined ? {} : { maxCost }),
  };
}

/** Milliseconds; undefined for as long as it takes. */
export function childTime(settings: Settings, agent: AgentDefinition): number | undefined {
  const minutes = least(settings["task.maxMinutes"], agent.maxMinutes);
  return minutes === undefined ? undefined : minutes * 60_000;
}

function least(...values: readonly (number | null | undefined)[]): number | undefined {
  const given = values.filter((value) => value !== null && value !== undefined);
  return given.length === 0 ? undefined : Math.min(...given);
}
