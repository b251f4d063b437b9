// The model for a command, with what a person at the terminal should know of it.

import type { Settings } from "@stet/host/settings/configuration";
import { type ChosenModel, firstModel, isRefused, modelChooser } from "@stet/host/turn/choose-model";
import type { RetryEvent } from "@stet/model/retry";
import type { RouteChoice } from "@stet/model/routing";
import type { CommandContext } from "./command.ts";
import { exitCode } from "./exit-code.ts";
import type { Terminal } from "./terminal.ts";

/** The model, or the exit code after saying what is wrong. */
export async function chooseModel(
  settings: Settings,
  { terminal, environment }: CommandContext,
  asked = "",
  isKept = false,
  onRetry: (event: RetryEvent) => void = () => {},
): Promise<ChosenModel | number> {
  const tell = (text: string) => terminal.note(terminal.style("dim", `${text}\n`));
  if (asked === "" && firstModel(settings) === "practice" && settings.model === "") {
    tell(
      "No model is configured, so this is the practice model: it understands simple requests only. See stet models.",
    );
  }
  const watcher = {
    onRetry: (event: RetryEvent) => {
      onRetry(event);
      showRetry(event, terminal);
    },
    onChoice: ({ mode, model, trigger, reason }: RouteChoice) => {
      // A model that the person named themselves needs no word.
      if (mode === "hybrid_auto" || trigger !== "start") tell(`${model} answers. ${reason}`);
    },
  };
  const chosen = await modelChooser(environment)(settings, watcher, asked);
  if (!isRefused(chosen)) {
    if (isKept) tell(`Going on with ${asked}, as the session did before.`);
    return chosen;
  }
  const why = isKept
    ? `This session goes on with ${asked}, which cannot be had: ${chosen.message} Name another one with --model.`
    : chosen.message;
  terminal.note(`${terminal.style("red", "stet:")} ${why}\n`);
  return chosen.kind === "not_found" ? exitCode.usage : exitCode.failed;
}

function showRetry(event: RetryEvent, terminal: Terminal): void {
  if (event.type !== "auto_retry_start") return;
  const seconds = Math.round(event.delayMs / 1000);
  terminal.note(terminal.style("dim", `Trying again in ${seconds} s: ${event.errorMessage}\n`));
}
