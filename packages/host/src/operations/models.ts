// Models: which there are, and connecting a provider.

import type { ProviderView } from "@stet/protocol/api/models";
import type { Operations } from "@stet/protocol/api/operation";
import { Fault, isFault } from "@stet/protocol/fault";
import { type ToolsetName, toolsetNames } from "@stet/protocol/toolset";
import { policyOf } from "@stet/tools/toolset-policies";
import { keptKeys } from "../credentials/kept-keys.ts";
import type { WorkspaceEvents } from "../events/workspace-events.ts";
import type { Host } from "../host.ts";
import type { DeviceLogins } from "../models/device-logins.ts";
import type { Settings } from "../settings/configuration.ts";
import { modelSources } from "../settings/model-settings.ts";
import { firstModel } from "../turn/choose-model.ts";

/** What of a host they need: a command has no more. */
export interface ModelHost extends Pick<Host, "environment" | "dataFolder" | "configuration"> {
  readonly workspace: { readonly root: { readonly path: string } };
  readonly events: Pick<WorkspaceEvents, "tell">;
}

export function modelOperations(host: ModelHost) {
  const { environment } = host;
  let logins: DeviceLogins | undefined;

  /** One provider as it is now. */
  const viewOf = async (provider: string): Promise<ProviderView | Fault> => {
    const configured = host.configuration();
    if (isFault(configured)) return configured;
    const [view] = await viewsOf(configured.settings, environment, provider);
    return view ?? unknownProvider(provider);
  };

  return {
    async listModels() {
      const configured = host.configuration();
      if (isFault(configured)) return configured;
      const { settings } = configured;
      const { pricesAsOf } = await import("@stet/model/table/prices");
      const current = firstModel(settings);
      const { missingSandbox } = await import("@stet/workspace/commands/sandbox/missing-sandbox");
      const reason = missingSandbox({
        root: host.workspace.root.path,
        environment,
        isEnabled: settings["sandbox.enabled"],
      });
      return {
        current,
        is_practice: isPractice(current),
        mode: settings.agentMode,
        model: settings.model,
        local_model: settings.localModel,
        thinking: settings.thinking,
        service_tier: settings.serviceTier,
        favourites: settings.favouriteModels,
        prices_as_of: pricesAsOf,
        toolset: settings.toolset,
        toolsets: toolsetNames.map(toolsetView),
        no_sandbox: reason ?? null,
        providers: await viewsOf(settings, environment),
      };
    },

    async connectProvider({ body }, { signal }) {
      const configured = host.configuration();
      if (isFault(configured)) return configured;
      const { connectProvider } = await import("../models/connect-provider.ts");
      const connected = await connectProvider(body, configured.settings, environment, signal);
      if (isFault(connected)) return connected;
      host.events.tell("config.changed", { name: "providers" });
      const provider = await viewOf(body.provider);
      if (isFault(provider)) return provider;
      return { provider, kept_in: connected.keptIn, note: connected.note };
    },

    async startDeviceLogin({ body }, { signal }) {
      const configured = host.configuration();
      if (isFault(configured)) return configured;
      logins ??= new (await import("../models/device-logins.ts")).DeviceLogins(environment);
      const login = await logins.begin(body.provider, configured.settings, signal);
      if (isFault(login)) return login;
      const { id, code, page, expiresAt } = login;
      return { login_id: id, code, page, expires_at: new Date(expiresAt).toISOString() };
    },

    async finishDeviceLogin({ params }, { signal }) {
      logins ??= new (await import("../models/device-logins.ts")).DeviceLogins(environment);
      const finished = await logins.finish(params.login_id, signal);
      if (isFault(finished)) return finished;
      host.events.tell("config.changed", { name: "providers" });
      const provider = await viewOf(finished.provider);
      if (isFault(provider)) return provider;
      return { provider, kept_in: finished.keptIn ?? "file", note: finished.note };
    },

    async disconnectProvider({ params, query }) {
      const { KeyStore } = await import("../credentials/key-store.ts");
      const forgotten = await new KeyStore(environment).forget(params.provider, query.key);
      if (isFault(forgotten)) return forgotten;
      host.events.tell("config.changed", { name: "providers" });
      const provider = await viewOf(params.provider);
      return isFault(provider) ? provider : { provider, forgotten };
    },

    async testModel({ body }, { signal }) {
      const configured = host.configuration();
      if (isFault(configured)) return configured;
      const { testModel } = await import("../models/test-model.ts");
      return testModel(body.model, configured.settings, environment, signal);
    },
  } satisfies Partial<Operations>;
}

/** All providers, or one of them. */
async function viewsOf(
  settings: Settings,
  environment: NodeJS.ProcessEnv,
  only?: string,
): Promise<ProviderView[]> {
  const { listModels } = await import("@stet/model/listing/model-list");
  const { providerView } = await import("../models/provider-view.ts");
  const { readSpeeds } = await import("../models/model-speeds.ts");
  const sources = modelSources(settings, environment);
  const staysOnMachine = settings.agentMode === "local";
  const listed = await listModels(sources, { staysOnMachine, ...(only === undefined ? {} : { only }) });
  const surroundings = { settings, keys: keptKeys(environment), speeds: readSpeeds(environment) };
  return listed.map((provider) => providerView(provider, surroundings));
}

function unknownProvider(provider: string): Fault {
  return new Fault(
    "invalid_arguments",
    `There is no provider called ${provider}.`,
    "List the models for their names.",
    {
      provider,
    },
  );
}

function isPractice(model: string): boolean {
  return model === "practice" || model.startsWith("practice/");
}

function toolsetView(name: ToolsetName) {
  const { title, about, writes, runsCommands } = policyOf(name);
  return { name, title, about, writes, runs_commands: runsCommands };
}
