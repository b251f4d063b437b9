// What a person at the terminal should know of the model that answers.

import type { Settings } from "@stet/host/settings/configuration";
import { firstModel, type ModelWatcher } from "@stet/host/turn/choose-model";
import type { RetryEvent } from "@stet/model/retry";
import type { ModelFailure } from "@stet/protocol/model-stream";
import { exitCode } from "./exit-code.ts";
import type { Terminal } from "./terminal.ts";

export function tellPractice(terminal: Terminal, settings: Settings, asked: string): void {
  if (asked !== "" || firstModel(settings) !== "practice" || settings.model !== "") return;
  const words =
    "No model is configured, so this is the practice model: it understands simple requests only. See stet models.";
  terminal.note(terminal.style("dim", `${words}\n`));
}

export function modelWatcher(
  terminal: Terminal,
  onRetry: (event: RetryEvent) => void = () => {},
): ModelWatcher {
  return {
    onRetry: (event) => {
      onRetry(event);
      showRetry(event, terminal);
    },
    onChoice: ({ mode, model, trigger, reason }) => {
      // A model that the person named themselves needs no word.
      if (mode === "hybrid_auto" || trigger !== "start")
        terminal.note(terminal.style("dim", `${model} answers. ${reason}\n`));
    },
  };
}

export function tellKeptModel(terminal: Terminal, kept: string): void {
  if (kept !== "")
    terminal.note(terminal.style("dim", `Going on with ${kept}, as the session did before.\n`));
}

/** The exit code after saying why there is no model. `kept`: the one that the session goes on with. */
export function refuseModel(terminal: Terminal, { kind, message }: ModelFailure, kept: string): number {
  const why =
    kept === ""
      ? message
      : `This session goes on with ${kept}, which cannot be had: ${message} Name another one with --model.`;
  terminal.note(`${terminal.style("red", "stet:")} ${why}\n`);
  return kind === "not_found" ? exitCode.usage : exitCode.failed;
}

function showRetry(event: RetryEvent, terminal: Terminal): void {
  if (event.type !== "auto_retry_start") return;
  const seconds = Math.round(event.delayMs / 1000);
  terminal.note(terminal.style("dim", `Trying again in ${seconds} s: ${event.errorMessage}\n`));
}
