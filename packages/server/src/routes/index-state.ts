// The index for search by meaning: how far it is, and its pause.

import type { Handlers } from "../http/handlers.ts";
import type { Service } from "../service.ts";

export function indexHandlers({ index }: Service): Pick<Handlers, "getIndex" | "pauseIndex"> {
  return {
    async getIndex() {
      return index.state();
    },

    async pauseIndex({ body }) {
      return index.setPaused(body.paused);
    },
  };
}
