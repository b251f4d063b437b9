// Tries a model with one very short request, as a turn would ask it.

import { resolveWithFacts } from "@stet/model/listing/server-facts";
import { tryModel } from "@stet/model/listing/try-model";
import { remoteAddressOf } from "@stet/model/network/own-machine";
import { isModelFailure } from "@stet/model/providers";
import { fullName } from "@stet/model/wrapped-model";
import { Fault } from "@stet/protocol/fault";
import { type ModelSettings, modelSources } from "../settings/model-settings.ts";
import { faultOfModel } from "./model-fault.ts";
import { measured, noteAnswer } from "./model-speeds.ts";

export async function testModel(
  name: string,
  settings: ModelSettings,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
) {
  const sources = modelSources(settings, environment);
  const [provider = ""] = name.split("/", 1);
  const staysOnMachine = settings.agentMode === "local";
  if (staysOnMachine && remoteAddressOf(name, sources) !== undefined)
    return new Fault(
      "invalid_arguments",
      `The mode is local, and ${name} is not on this machine, so nothing was sent.`,
      "Change the mode first, or try a model of this machine.",
      { provider, model: name },
    );
  const model = await resolveWithFacts(name, sources, { staysOnMachine, isFirst: true });
  if (isModelFailure(model)) return faultOfModel(model, { provider, model: name });
  const asked =
    model.provider === "practice" ? model : measured(model, (answer) => noteAnswer(environment, answer));
  const answer = await tryModel(asked, signal);
  if ("kind" in answer) return faultOfModel(answer, { provider, model: name });
  return {
    model: fullName(model),
    text: answer.text,
    first_token_ms: answer.firstTokenMs,
    duration_ms: answer.durationMs,
    cost: answer.cost ?? null,
  };
}
