// What a host is opened with: its settings as they are now, and the parts that have to be opened before it.

import type { Fault } from "@stet/protocol/fault";
import { isFault } from "@stet/protocol/fault";
import type { Workspace } from "@stet/workspace/workspace";
import { type HeldLog, Logs, workspaceLog } from "./events/logs.ts";
import type { HostOptions } from "./host.ts";
import { type Configuration, loadConfiguration } from "./settings/configuration.ts";
import { isTrusted } from "./settings/trust.ts";
import type { Hosting } from "./store/hosting.ts";

export type GivenSettings = Pick<HostOptions, "flags" | "isTrusted">;

type GivenParts = HostOptions & Required<Pick<HostOptions, "limits" | "dataFolder">>;

export interface HostParts extends Pick<GivenParts, "environment" | "limits" | "dataFolder"> {
  readonly hosting: Hosting;
  readonly logs: Logs;
  readonly held: HeldLog;
  readonly configured: Configuration;
  readonly options: GivenParts;
}

export async function openHostParts(hosting: Hosting, options: GivenParts): Promise<HostParts | Fault> {
  const { environment, limits, dataFolder } = options;
  const configured = configurationOf(hosting.workspace, environment, options);
  if (isFault(configured)) return configured;
  const logs = new Logs(hosting.store, limits, hosting.openLog);
  const held = await logs.hold(workspaceLog);
  return { hosting, limits, environment, dataFolder, logs, held, configured, options };
}

export function configurationOf(
  { root }: Pick<Workspace, "root">,
  environment: NodeJS.ProcessEnv,
  given: GivenSettings,
): Configuration | Fault {
  const { flags = {} } = given;
  const trusted = trusts({ root }, environment, given);
  return loadConfiguration({ folder: root.path, environment, isTrusted: trusted, flags });
}

export function trusts(
  { root }: Pick<Workspace, "root">,
  environment: NodeJS.ProcessEnv,
  given: GivenSettings,
): boolean {
  return given.isTrusted === true || isTrusted(root.path, environment);
}
