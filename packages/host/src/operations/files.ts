// Files and folders as a person handles them: made, renamed, taken away and brought back.

import type { Operations } from "@stet/protocol/api/operation";
import { isFault } from "@stet/protocol/fault";
import type { Host } from "../host.ts";
import { timeOf } from "./time-of.ts";

export function fileOperations({ workspace, events }: Host) {
  const { files } = workspace;
  return {
    async createFile({ body }) {
      const path = await files.create(body.path, body.content);
      return isFault(path) ? path : { path };
    },

    async renameFile({ body }) {
      const renamed = await files.rename(body.from, body.to);
      // Tabs have other titles now.
      events.look();
      return isFault(renamed) ? renamed : { ...renamed };
    },

    async deleteFile({ body }) {
      const deletion = await files.delete(body.path);
      // Its tabs are closed.
      events.look();
      if (isFault(deletion)) return deletion;
      return { path: deletion.path, deletion_id: deletion.id, files: deletion.files };
    },

    async listDeletions() {
      return {
        deletions: files.deleted().map(({ id, path, files: count, at }) => {
          return { deletion_id: id, path, files: count, at: timeOf(at) };
        }),
      };
    },

    async restoreFile({ body }) {
      const deletion = await files.restore(body.deletion_id);
      return isFault(deletion) ? deletion : { path: deletion.path, files: deletion.files };
    },
  } satisfies Partial<Operations>;
}
