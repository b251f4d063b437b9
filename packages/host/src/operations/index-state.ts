// The index for search by meaning: how far it is, and its pause.

import type { Operations } from "@stet/protocol/api/operation";
import type { Host } from "../host.ts";

export function indexOperations({ index }: Host) {
  return {
    async getIndex() {
      return index.state();
    },

    async pauseIndex({ body }) {
      return index.setPaused(body.paused);
    },
  } satisfies Partial<Operations>;
}
