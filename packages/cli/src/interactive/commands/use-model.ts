// Another model answers: in the session that is open, or from now on.

import { isFault } from "@stet/protocol/fault";
import { visibleName } from "@stet/protocol/visible";
import { setDefaultModel } from "../../models/default-model.ts";
import type { App } from "../app.ts";

/** `local`: as the local model of the modes local and hybrid_auto. */
export type ModelScope = "session" | "always" | "local";

export async function useModel(name: string, app: App, scope: ModelScope): Promise<void> {
  if (scope !== "local") {
    // The host says whether there is such a model.
    const id = await app.conversation.ensure();
    const fault = isFault(id) ? id : await app.conversation.choose({ model: name });
    if (fault !== undefined) return app.tellFault(fault);
    if (scope === "session") return app.tell(`${visibleName(name)} answers in this session.`);
  }
  const said = await setDefaultModel(app.api, name, scope === "local" ? "localModel" : "model");
  if (isFault(said)) return app.tellFault(said);
  await app.reloadSettings();
  app.tell(said);
}
