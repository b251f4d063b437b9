// Models that stand first where one is chosen: the setting favouriteModels.

import { type Fault, isFault } from "@stet/protocol/fault";
import { visibleName } from "@stet/protocol/visible";
import type { ModelsApi } from "./with-models.ts";

/** What was done, as a sentence. */
export async function changeFavourite(
  api: ModelsApi,
  name: string,
  isFavourite: boolean,
): Promise<string | Fault> {
  const config = await api.call("getConfig", {});
  if (isFault(config)) return config;
  const value = config.settings.find((setting) => setting.name === "favouriteModels")?.value;
  const before: readonly unknown[] = Array.isArray(value) ? value : [];
  const others = before.filter((one) => one !== name);
  const favourites = isFavourite ? [...others, name] : others;
  const shown = visibleName(name);
  if (favourites.length === before.length)
    return isFavourite ? `${shown} is a favourite already.` : `${shown} is no favourite.`;
  const changed = await api.call("changeSetting", { body: { name: "favouriteModels", value: favourites } });
  if (isFault(changed)) return changed;
  return isFavourite ? `${shown} stands first from now on.` : `${shown} is no longer a favourite.`;
}
