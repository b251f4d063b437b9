// How much the model of a session takes, as far as it is known without asking.

import { isFault } from "@stet/protocol/fault";
import type { Host } from "../host.ts";

/** Of the model that the last request named, or that is set. */
export async function windowOf(host: Host, session: string): Promise<number | null> {
  const configured = host.configuration();
  if (isFault(configured)) return null;
  const [last] = await host.store.jobs({ session, limit: 1 });
  const model = last?.model || configured.settings.model;
  return host.sessions.uses.window(model) ?? (await knownWindow(model)) ?? null;
}

/** From the tables of models; no request is sent. */
async function knownWindow(model: string): Promise<number | undefined> {
  if (model === "" || model === "practice") {
    const { practiceModel } = await import("@stet/model/practice/practice-model");
    return practiceModel().contextWindow;
  }
  const { limitsOf } = await import("@stet/model/table/model-limits");
  const slash = model.indexOf("/");
  return limitsOf(model.slice(slash + 1), model.slice(0, slash))?.contextWindow;
}
