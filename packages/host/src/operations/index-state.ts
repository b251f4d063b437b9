// The index for search by meaning: how far it is, and its pause.

import type { Host } from "../host.ts";
import type { Operations } from "./operation.ts";

export function indexOperations({ index }: Host): Pick<Operations, "getIndex" | "pauseIndex"> {
  return {
    async getIndex() {
      return index.state();
    },

    async pauseIndex({ body }) {
      return index.setPaused(body.paused);
    },
  };
}
