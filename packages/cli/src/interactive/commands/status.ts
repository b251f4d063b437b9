// /status: what is open, who answers, what it may do, and where things are kept.

import { userConfigFile } from "@stet/host/settings/configuration";
import { isFault } from "@stet/protocol/fault";
import { numberText } from "@stet/protocol/number-text";
import { visibleName } from "@stet/protocol/visible";
import { dataFolder } from "@stet/workspace/files/state-folder";
import type { App } from "../app.ts";
import { columnRows } from "./columns.ts";
import { dollars } from "./cost.ts";

export async function status(app: App): Promise<void> {
  const { conversation, settings, environment, theme } = app;
  const { choices, use } = conversation;
  const health = await app.api.call("health", {});
  const workspace = await app.api.call("getWorkspace", {});
  if (isFault(health)) return app.tellFault(health);
  if (isFault(workspace)) return app.tellFault(workspace);
  const chosen = (value: string | undefined, configured: string) =>
    value === undefined || value === "" ? configured : `${value} (chosen in this session)`;
  const pairs: [string, string][] = [
    ["version", health.version],
    ["folder", app.root],
    ["session", conversation.id === "" ? "new" : `${conversation.title || "(no title)"} ${conversation.id}`],
    ["model", chosen(choices.model, settings.model || "practice")],
    ["thinking", chosen(choices.thinking, settings.thinking || "as the model likes")],
    ["toolset", chosen(choices.toolset, conversation.defaultToolset ?? settings.toolset)],
    ["permission", chosen(choices.permission, settings["permission.mode"])],
    ...(use === undefined ? [] : [["used", usedWords(use)] as [string, string]]),
    ["changes", `${workspace.open_hunks} wait for your review`],
    ["host", `up ${Math.round(health.uptime_seconds / 60)} min, ${health.memory_mb} MB`],
    ["settings", userConfigFile(environment)],
    ["data", dataFolder(environment)],
  ];
  const style = { left: (text: string) => theme.fg("muted", text), right: (text: string) => text };
  const shown = pairs.map(([name, value]): [string, string] => [name, visibleName(value)]);
  await app.dialogs.page("Status", { render: (width) => columnRows(shown, width, style) });
}

function usedWords(use: NonNullable<App["conversation"]["use"]>): string {
  const { input, output, cost_usd: cost, cost_known: isKnown, context_tokens: tokens } = use;
  const window = use.context_window === null ? "" : ` of ${numberText(use.context_window)}`;
  return `${dollars(cost, isKnown)}, ${numberText(input)} tokens in, ${numberText(output)} out; context ${numberText(tokens)}${window}`;
}
