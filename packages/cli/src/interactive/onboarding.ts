// The first start without a model: what there is (keys in the environment, servers on this machine, the practice model), and a
// choice among it. What is chosen is set for the next time, so that nobody is asked twice.

import type { Reply } from "@stet/protocol/api/route";
import type { Routes } from "@stet/protocol/api/routes";
import { isFault } from "@stet/protocol/fault";
import { visibleName } from "@stet/protocol/visible";
import type { App, Choice } from "./app.ts";

type Providers = Reply<Routes["listModels"]>["providers"];

const mostOfOne = 12;
const keyNames = "OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY";

/** Where a model is set already, nothing is asked. */
export async function chooseFirstModel(app: App): Promise<void> {
  const models = await app.api.call("listModels", {});
  if (isFault(models)) return app.tellFault(models);
  if (!models.is_practice || app.conversation.choices.model !== undefined) return;
  const choices = choicesOf(models.providers);
  // Who writes already is not interrupted.
  if (choices.length === 0 || app.prompt.text !== "" || app.conversation.runningJob !== undefined) {
    app.tell(
      `No model is set, so the practice model answers: a small program that understands simple requests. For a real one, set ${keyNames} and start again, or start a server on this machine such as Ollama; stet models tells what was found.`,
      "warning",
    );
    return;
  }
  const practice = {
    value: "practice",
    label: "practice",
    detail: "the built-in practice model: no key, no network, simple requests only",
  };
  const chosen = await app.dialogs.choose<string>({
    title: "Which model shall answer? These can be used here.",
    choices: [...choices, practice],
    hint: "Enter chooses, typing searches, Esc decides later; /model changes it at any time",
  });
  if (chosen === undefined) return;
  const set = await app.api.call("changeSetting", { body: { name: "model", value: chosen } });
  if (isFault(set)) {
    app.tellFault(set);
    return;
  }
  await app.reloadSettings();
  app.tell(`${visibleName(chosen)} answers from now on.`);
}

export function choicesOf(providers: Providers): Choice<string>[] {
  return providers
    .filter(({ name, is_ready: isReady }) => isReady && name !== "practice")
    .flatMap(({ name, models, example, why }) => {
      const names =
        models.length > 0 ? models.map((model) => model.name) : example === undefined ? [] : [example];
      return names.slice(0, mostOfOne).map((model) => ({
        value: model,
        label: visibleName(model),
        detail: visibleName(why),
        words: name,
      }));
    });
}
