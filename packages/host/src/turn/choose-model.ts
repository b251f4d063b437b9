// Which model answers a turn, and why.
//
//   remote        what the request names, else `model`, else the practice model, which needs no set-up; with its fallbacks
//   local         what the request names, else `localModel`, else `model`; only ever on this machine, or refused
//   hybrid_auto   what the request names, else `localModel`; where that is local, `model` takes over when it is not enough
//
// In mode local nothing of a conversation leaves the machine, whatever else is configured: a model whose address is not
// this machine's is refused before any request, and such fallbacks are left out. The watcher is told of every choice, once,
// in one form.

import { resolveWithFacts } from "@stet/model/listing/server-facts";
import { remoteAddressOf } from "@stet/model/network/own-machine";
import { isModelFailure, type ModelSources } from "@stet/model/providers";
import { type RetryEvent, withRetry } from "@stet/model/retry";
import type { RetrySettings } from "@stet/model/retry-policy";
import type { RouteChoice, Router } from "@stet/model/routing";
import { fullName } from "@stet/model/wrapped-model";
import type { Model, ModelFailure } from "@stet/protocol/model-stream";
import { type Answered, measured, noteAnswer } from "../models/model-speeds.ts";
import { fallbacksOf, type ModelSettings, modelSources, retrySettings } from "../settings/model-settings.ts";

export interface ChosenModel {
  readonly model: Model;
  readonly router?: Router;
}

/** Listener for retries and choices behind a model. */
export interface ModelWatcher {
  onRetry?(event: RetryEvent): void;
  onChoice?(choice: RouteChoice): void;
}

export type ChooseModel = (
  settings: ModelSettings,
  watcher: ModelWatcher,
  /** The model that the request itself names; empty where it leaves that to the settings. */
  asked: string,
) => Promise<ChosenModel | ModelFailure>;

/** What failed a moment ago is passed over by the next turns, too. */
export function modelChooser(environment: NodeJS.ProcessEnv): ChooseModel {
  const cooldowns = new Map<string, number>();
  return (settings, watcher, asked) => new Choice(settings, environment, watcher, cooldowns).choose(asked);
}

export function isRefused(chosen: ChosenModel | ModelFailure): chosen is ModelFailure {
  return "kind" in chosen;
}

/** The model that a turn begins with when its request names none. */
export function firstModel({ agentMode, localModel, model }: ModelSettings): string {
  return (agentMode === "remote" ? "" : localModel) || model || "practice";
}

class Choice {
  readonly #settings: ModelSettings;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #sources: ModelSources;
  readonly #watcher: ModelWatcher;
  readonly #cooldowns: Map<string, number>;

  constructor(
    settings: ModelSettings,
    environment: NodeJS.ProcessEnv,
    watcher: ModelWatcher,
    cooldowns: Map<string, number>,
  ) {
    this.#settings = settings;
    this.#environment = environment;
    this.#sources = modelSources(settings, environment);
    this.#watcher = watcher;
    this.#cooldowns = cooldowns;
  }

  readonly #noteAnswer = (answer: Answered) => {
    noteAnswer(this.#environment, answer);
  };

  async choose(asked: string): Promise<ChosenModel | ModelFailure> {
    const { agentMode } = this.#settings;
    const name = asked || firstModel(this.#settings);
    const away = remoteAddressOf(name, this.#sources);
    if (agentMode === "local" && away !== undefined) return refusedInLocal(name, away, asked !== "");
    const isLocal = agentMode !== "remote" && away === undefined && name !== "practice";
    if (agentMode === "hybrid_auto" && isLocal && this.#settings.model !== "")
      return this.#hybrid(name, asked);
    const model = await this.#named(name, retrySettings(this.#settings), agentMode === "local");
    if (isModelFailure(model)) return model;
    this.#tellChoice(fullName(model), isLocal ? "local" : "remote", "start", this.#reasonFor(asked));
    return { model };
  }

  async #hybrid(name: string, asked: string): Promise<ChosenModel | ModelFailure> {
    // The router tries again by itself, and hands over instead of waiting long.
    const local = await this.#named(name, { enabled: false }, true);
    const remote = await this.#named(this.#settings.model, retrySettings(this.#settings), false, false);
    const { createRouter } = await import("@stet/model/routing");
    const router = createRouter({
      settings: { ...this.#settings, mode: "hybrid_auto" },
      ...(isModelFailure(local) ? {} : { local }),
      ...(isModelFailure(remote) ? {} : { remote }),
      ...(asked === "" ? {} : { startReason: this.#reasonFor(asked) }),
      onChoice: (choice) => this.#watcher.onChoice?.(choice),
    });
    if ("kind" in router) return isModelFailure(local) ? local : router;
    return { model: router.model, router };
  }

  #reasonFor(asked: string): string {
    const { agentMode, model, localModel } = this.#settings;
    if (asked !== "") return "The request names it.";
    if (agentMode === "hybrid_auto" && localModel === "")
      return "The mode is hybrid_auto, and there is no local model.";
    if (agentMode === "hybrid_auto")
      return "The mode is hybrid_auto, and there is no remote model to fall back to.";
    if (model === "" && (agentMode === "remote" || localModel === "")) return "No model is configured.";
    return agentMode === "remote" ? "The configuration names it." : "The mode is local.";
  }

  async #named(
    name: string,
    retry: Partial<RetrySettings>,
    isBound: boolean,
    isFirst = true,
  ): Promise<Model | ModelFailure> {
    const fallbacks = fallbacksOf(this.#settings, name).filter(
      (fallback) => !isBound || remoteAddressOf(fallback, this.#sources) === undefined,
    );
    const models: Model[] = [];
    for (const each of [name, ...fallbacks]) {
      const model = await resolveWithFacts(each, this.#sources, {
        staysOnMachine: isBound,
        isFirst: isFirst && each === name,
      });
      if (isModelFailure(model)) {
        if (each === name) return model;
        // Somebody who logged out of a fallback's provider still has the model itself.
        continue;
      }
      models.push(model.provider === "practice" ? model : measured(model, this.#noteAnswer));
    }
    const [first, ...others] = models;
    if (first === undefined) return { kind: "not_found", message: "No model is named." };
    const onEvent = (event: RetryEvent) => this.#tellRetry(event, isBound);
    return withRetry(first, others, { settings: retry, onEvent, cooldowns: this.#cooldowns });
  }

  #tellRetry(event: RetryEvent, isBound: boolean): void {
    this.#watcher.onRetry?.(event);
    const target = isBound ? "local" : "remote";
    if (event.type === "retry_fallback_applied")
      this.#tellChoice(event.to, target, "fallback", `${event.from} failed: ${event.errorMessage}`);
    if (event.type === "retry_fallback_reverted")
      this.#tellChoice(
        event.to,
        target,
        "reverted",
        `It comes first, and is asked again after ${event.from}.`,
      );
  }

  #tellChoice(
    model: string,
    target: RouteChoice["target"],
    trigger: RouteChoice["trigger"],
    reason: string,
  ): void {
    this.#watcher.onChoice?.({ mode: this.#settings.agentMode, target, model, trigger, reason });
  }
}

function refusedInLocal(name: string, place: string, isAsked: boolean): ModelFailure {
  const instead = isAsked ? "Name a model of this machine" : "Set localModel to a model of this machine";
  return {
    kind: "invalid_request",
    message: `The mode is local, and requests to ${name} would go to ${place}, so nothing was sent. ${instead}, or set agentMode to remote or hybrid_auto.`,
  };
}
