// What was chosen, as requests name it.

import { thinkingLevels } from "@stet/protocol/model-stream";
import { permissionModes } from "@stet/protocol/permission-mode";
import { toolsetNames } from "@stet/protocol/toolset";
import type { Choices } from "../app.ts";

/** Names that are not known are left out: they came from a session that another version wrote. */
export function turnChoices({ model, thinking, toolset, permission }: Choices) {
  const level = thinkingLevels.find((name) => name === thinking);
  const set = toolsetNames.find((name) => name === toolset);
  const mode = permissionModes.find((name) => name === permission);
  return {
    ...(model === undefined ? {} : { model }),
    ...(level === undefined ? {} : { thinking: level }),
    ...(set === undefined ? {} : { toolset: set }),
    ...(mode === undefined ? {} : { permission: mode }),
  };
}
