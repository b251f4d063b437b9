// A process that connects many providers, one after the other: FOLDER TAG COUNT.

import { changeProvider } from "@stet/host/settings/change-provider";
import { isFault } from "@stet/protocol/fault";

const [folder = "", tag = "", count = "0"] = process.argv.slice(2);

for (let index = 0; index < Number(count); index++) {
  const changed = changeProvider({ XDG_CONFIG_HOME: folder }, `${tag}${index}`, {
    baseURL: "http://127.0.0.1:1/v1",
  });
  if (isFault(changed)) throw new Error(changed.message);
}
