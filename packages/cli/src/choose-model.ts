// Which model to use: the one that was named, else the practice model, which needs no set-up; with fallbacks, and, where
// the person wants that, a local model first.

import { withMergedDeltas } from "@stet/model/delta-merge";
import { isModelFailure, type ModelSources, resolveModel } from "@stet/model/providers";
import { type RetryEvent, withRetry } from "@stet/model/retry";
import type { Router } from "@stet/model/routing";
import type { Model, ModelFailure } from "@stet/protocol/model-stream";
import type { CommandContext } from "./command.ts";
import type { Settings } from "./configuration.ts";
import { exitCode } from "./exit-code.ts";
import type { Terminal } from "./terminal.ts";

export interface ChosenModel {
  readonly model: Model;
  readonly router?: Router;
}

/** The model, or the exit code after saying what is wrong. */
export async function chooseModel(
  settings: Settings,
  context: CommandContext,
): Promise<ChosenModel | number> {
  const { terminal, environment } = context;
  const sources = { environment, providers: settings.providers } as ModelSources;
  if (settings.model === "" && settings.localModel === "") {
    const note =
      "No model is configured, so this is the practice model: it understands simple requests only. See stet models.";
    terminal.note(terminal.style("dim", `${note}\n`));
  }
  const remote = await named(settings.model || "practice", settings.fallbackModels, sources, terminal);
  if (isModelFailure(remote)) return refuse(remote, terminal);
  if (settings.agentMode === "remote" || settings.localModel === "") return { model: remote };
  const local = await named(settings.localModel, [], sources, terminal);
  if (isModelFailure(local)) return refuse(local, terminal);
  const { createRouter } = await import("@stet/model/routing");
  const router = createRouter({
    settings: { ...settings, mode: settings.agentMode },
    local,
    remote,
    onChoice: ({ model, reason }) => terminal.note(terminal.style("dim", `${model} answers. ${reason}\n`)),
  });
  if ("kind" in router) return refuse(router, terminal);
  router.startJob();
  return { model: router.model, router };
}

async function named(
  name: string,
  fallbacks: readonly string[],
  sources: ModelSources,
  terminal: Terminal,
): Promise<Model | ModelFailure> {
  const models: Model[] = [];
  for (const each of [name, ...fallbacks]) {
    const model = await resolveModel(each, sources);
    if (isModelFailure(model)) return model;
    models.push(model);
  }
  const [first, ...others] = models;
  if (first === undefined) return { kind: "not_found", message: "No model is named." };
  return withMergedDeltas(withRetry(first, others, { onEvent: (event) => showRetry(event, terminal) }));
}

function showRetry(event: RetryEvent, terminal: Terminal): void {
  if (event.type !== "auto_retry_start") return;
  const seconds = Math.round(event.delayMs / 1000);
  terminal.note(terminal.style("dim", `Trying again in ${seconds} s: ${event.errorMessage}\n`));
}

function refuse(failure: ModelFailure, terminal: Terminal): number {
  terminal.note(`${terminal.style("red", "stet:")} ${failure.message}\n`);
  return failure.kind === "not_found" ? exitCode.usage : exitCode.failed;
}
