// What a person at the terminal should know of the model that answers.

import type { Settings } from "@stet/host/settings/configuration";
import { firstModel, type ModelWatcher } from "@stet/host/turn/choose-model";
import type { RetryEvent } from "@stet/model/retry";
import type { ModelFailure } from "@stet/protocol/model-stream";
import { exitCode } from "./exit-code.ts";
import { nextStep } from "./models/next-step.ts";
import type { Terminal } from "./terminal.ts";

export function tellPractice(terminal: Terminal, settings: Settings, asked: string): void {
  if (asked !== "" || firstModel(settings) !== "practice" || settings.model !== "") return;
  const words =
    "No model is configured, so this is the practice model: it understands simple requests only. A real one is connected with: stet login";
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
export function refuseModel(terminal: Terminal, failure: ModelFailure, kept: string): number {
  const { kind, message } = failure;
  const why =
    kept === ""
      ? message
      : `This session goes on with ${kept}, which cannot be had: ${message} Name another one with --model.`;
  terminal.note(`${terminal.style("red", "stet:")} ${why}\n`);
  tellNextStep(terminal, failure);
  return kind === "not_found" ? exitCode.usage : exitCode.failed;
}

/** The one command that mends what failed, on a line of its own. A sentence that names it already is enough. */
export function tellNextStep(terminal: Terminal, { mend, message }: ModelFailure): void {
  const step = mend === undefined ? undefined : nextStep(mend);
  if (step === undefined || message.includes(step.command)) return;
  terminal.note(`${step.label}: ${step.command}\n`);
}

function showRetry(event: RetryEvent, terminal: Terminal): void {
  if (event.type !== "auto_retry_start") return;
  const seconds = Math.round(event.delayMs / 1000);
  // Without a pause another key is there for it.
  const how = event.delayMs === 0 ? "Going on with another key" : `Trying again in ${seconds} s`;
  terminal.note(terminal.style("dim", `${how}: ${event.errorMessage}\n`));
}
