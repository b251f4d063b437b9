// Which model to use: the one that was named, else the practice model, which needs no set-up; with fallbacks, and, where
// the person wants that, a local model first.

import { withMergedDeltas } from "@stet/model/delta-merge";
import { isModelFailure, type ModelSources, resolveModel } from "@stet/model/providers";
import { type RetryEvent, withRetry } from "@stet/model/retry";
import type { RouteChoice, Router } from "@stet/model/routing";
import type { Model, ModelFailure } from "@stet/protocol/model-stream";
import type { Settings } from "../settings/configuration.ts";

export interface ChosenModel {
  readonly model: Model;
  readonly router?: Router;
}

/** Whoever wants to know what goes on behind a model. */
export interface ModelWatcher {
  onRetry?(event: RetryEvent): void;
  onChoice?(choice: RouteChoice): void;
}

export async function chooseModel(
  settings: Settings,
  environment: NodeJS.ProcessEnv,
  watcher: ModelWatcher = {},
): Promise<ChosenModel | ModelFailure> {
  const sources = { environment, providers: settings.providers } as ModelSources;
  const remote = await named(settings.model || "practice", settings.fallbackModels, sources, watcher);
  if (isModelFailure(remote)) return remote;
  if (settings.agentMode === "remote" || settings.localModel === "") return { model: remote };
  const local = await named(settings.localModel, [], sources, watcher);
  if (isModelFailure(local)) return local;
  const { createRouter } = await import("@stet/model/routing");
  const router = createRouter({
    settings: { ...settings, mode: settings.agentMode },
    local,
    remote,
    onChoice: (choice) => watcher.onChoice?.(choice),
  });
  if ("kind" in router) return router;
  router.startJob();
  return { model: router.model, router };
}

export function isRefused(chosen: ChosenModel | ModelFailure): chosen is ModelFailure {
  return "kind" in chosen;
}

async function named(
  name: string,
  fallbacks: readonly string[],
  sources: ModelSources,
  watcher: ModelWatcher,
): Promise<Model | ModelFailure> {
  const models: Model[] = [];
  for (const each of [name, ...fallbacks]) {
    const model = await resolveModel(each, sources);
    if (isModelFailure(model)) return model;
    models.push(model);
  }
  const [first, ...others] = models;
  if (first === undefined) return { kind: "not_found", message: "No model is named." };
  return withMergedDeltas(withRetry(first, others, { onEvent: (event) => watcher.onRetry?.(event) }));
}
