// The hosting of one process: it alone serves the folder, and carries out all jobs itself.

import { isFault } from "@stet/protocol/fault";
import { Workspace } from "@stet/workspace/workspace";
import { EventLog } from "../events/event-log.ts";
import { LocalDispatch } from "../jobs/local-dispatch.ts";
import type { Hosting, OpenHosting } from "./hosting.ts";
import { SqliteStore } from "./sqlite-store.ts";

export const localHosting: OpenHosting = async (folder, options) => {
  const workspace = await Workspace.open(folder, options);
  if (isFault(workspace)) return workspace;
  // Two servers would give out the same cursors, and take each other's jobs for abandoned.
  const hold = workspace.hold("serve", "serving");
  if (isFault(hold)) {
    workspace.close();
    return hold;
  }
  const store = SqliteStore.open(workspace.stateFolder);
  if (isFault(store)) {
    hold.release();
    workspace.close();
    return store;
  }
  return {
    workspace,
    store,
    openLog: (name, options) => EventLog.open(name, store, options),
    exclusively: async (action) => action(),
    tells: () => true,
    wrap: (operations) => operations,
    routeChats: (feed) => feed,
    dispatch: (jobs) => new LocalDispatch(store, jobs),
    unreachable: () => undefined,
    onJob: () => () => {},
    async close() {
      hold.release();
      await store.close();
    },
  } satisfies Hosting;
};
