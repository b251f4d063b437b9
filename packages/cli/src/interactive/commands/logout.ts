// /logout: forgets keys that were kept here.

import { isFault } from "@stet/protocol/fault";
import { visibleName } from "@stet/protocol/visible";
import { formOf } from "../../models/connect.ts";
import { forgetKeys, isKeptHere, keyWords } from "../../models/forget-keys.ts";
import type { App } from "../app.ts";
import { waitFor } from "./wait-for.ts";

export async function logout(argument: string, app: App): Promise<void> {
  const models = await waitFor(app, "Looking for keys", (signal) => app.api.call("listModels", {}, signal));
  if (isFault(models)) return models.error === "aborted" ? undefined : app.tellFault(models);
  const kept = models.providers.filter(({ keys }) => keys.some(isKeptHere));
  if (argument === "" && kept.length === 0) return app.tell("No key is kept here.");
  const name =
    argument === ""
      ? await app.dialogs.choose({
          title: "Forget the keys of which provider?",
          choices: kept.map(({ name: each, keys }) => {
            return { value: each, label: visibleName(each), detail: keys.map(keyWords).join(", ") };
          }),
        })
      : argument;
  if (name === undefined) return;
  const form = await formOf(models, name, undefined);
  if (isFault(form)) return app.tellFault(form);
  const done = await forgetKeys(app.api, form.name, undefined);
  if (isFault(done)) return app.tellFault(done);
  app.tell(done.join(" "));
}
