// Which model answers: the one that was chosen for the conversation, else the default. A choice holds for the conversation
// (it is stored with its session, so the terminal knows of it, too), or from now on, as a setting.

import { isFault } from "@stet/protocol/fault";
import { agentOf } from "../agent/agent.ts";
import type { Workbench } from "../workspace/workbench.ts";
import { providerOf } from "./model-rows.ts";
import { deciderOf, settingOf } from "./model-setting.ts";
import { briefModel } from "./model-words.ts";

/** In full; `practice` for the practice model. */
export function currentModel(workbench: Workbench): string {
  return agentOf(workbench).model() || workbench.state.models?.current || "practice";
}

/** Whether the conversation has a model of its own. */
export function hasOwnModel(workbench: Workbench): boolean {
  const own = agentOf(workbench).model();
  return own !== "" && own !== workbench.state.models?.current;
}

/** Empty: the default answers there again. By its name where that is the practice model: else who answered last goes on. */
export async function chooseForConversation(workbench: Workbench, model: string): Promise<boolean> {
  const isPractice = model === "" && workbench.state.models?.current === "practice";
  if (!(await agentOf(workbench).chooseModel(isPractice ? "practice" : model))) return false;
  const name = model || (workbench.state.models?.current ?? "practice");
  workbench.notices.tell({
    text: `From the next turn on, ${briefModel(name)} answers in this conversation.`,
    tone: "plain",
  });
  return true;
}

export async function chooseFromNowOn(workbench: Workbench, model: string): Promise<boolean> {
  const provider = providerOf(model, workbench.state.models?.providers ?? []);
  const mode = workbench.state.models?.mode ?? "remote";
  const decider = await changeModelSetting(workbench, settingOf(mode, provider?.is_local === true), model);
  if (decider === undefined) return false;
  // What was chosen for the conversation would hide it; what else decides is got round there.
  const isOwn = decider !== "" || model === "practice";
  const isHidden = decider !== "" || agentOf(workbench).model() !== "";
  if (isHidden && !(await agentOf(workbench).chooseModel(isOwn ? model : ""))) return false;
  const name = briefModel(model);
  workbench.notices.tell(
    decider === ""
      ? { text: `${name} answers from now on.`, tone: "good" }
      : {
          text: `${name} answers in this conversation. New ones begin as ${decider} says, which comes before your choice.`,
          tone: "plain",
        },
  );
  return true;
}

/**
 * Changes a setting about models. What decides in its place (a variable or a flag); empty where nothing does, and undefined
 * where it was refused.
 */
export async function changeModelSetting(
  workbench: Workbench,
  name: string,
  value: unknown,
): Promise<string | undefined> {
  const reply = await workbench.client.call("changeSetting", { body: { name, value } });
  if (isFault(reply)) {
    workbench.refuse(reply);
    return undefined;
  }
  await workbench.loadModels();
  return deciderOf(reply.source);
}

let lastToggle: Promise<void> = Promise.resolve();

/** One after the other: each begins with what the one before made of the list. */
export function toggleFavourite(workbench: Workbench, model: string): Promise<void> {
  lastToggle = lastToggle.then(() => toggle(workbench, model));
  return lastToggle;
}

async function toggle(workbench: Workbench, model: string): Promise<void> {
  const favourites = workbench.state.models?.favourites ?? [];
  const others = favourites.filter((name) => name !== model);
  const value = others.length < favourites.length ? others : [...favourites, model];
  const reply = await workbench.ask("changeSetting", { body: { name: "favouriteModels", value } });
  if (reply !== undefined) workbench.showFavourites(reply.value);
}
