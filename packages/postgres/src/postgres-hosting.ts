// The host's port on PostgreSQL: sessions, jobs and logs in its tables, the ledger as a working copy that is written under
// a lease, and jobs that workers take from a queue.

import type { JobDispatch } from "@stet/host/jobs/job-dispatch";
import type { ChatRoute, Hosting, OpenHosting } from "@stet/host/store/hosting";
import type { JobRecord } from "@stet/host/store/store";
import { Fault, isFault } from "@stet/protocol/fault";
import { logFailure } from "@stet/storage/operator-log";
import { ChatRelay } from "./chat-relay.ts";
import type { PostgresStore } from "./postgres-store.ts";
import { sharedOperations } from "./shared-operations.ts";
import type { Sharing } from "./sharing.ts";

/** Opens the folder that a store was opened for. The store is closed with it, or where it cannot be opened. */
export function postgresHosting(store: PostgresStore): OpenHosting {
  return async (folder, options) => {
    const { sharing } = store;
    if (sharing === undefined) throw new Error("the store is not open");
    const workspace = await sharing.openWorkspace(folder, options);
    if (isFault(workspace)) {
      await store.close();
      return workspace;
    }
    let relay: ChatRelay | undefined;
    return {
      workspace,
      store,
      openLog: (name, limits) => sharing.openLog(name, limits),
      exclusively: (action) => sharing.exclusively(action),
      tells: (isOwn) => isOwn,
      wrap: (operations) => sharedOperations(operations, sharing),
      routeChats: (feed, logs, isServed) => {
        relay = new ChatRelay(logs, feed);
        return routeThrough(relay, isServed);
      },
      dispatch: () => dispatchTo(sharing, store, async (job) => relay?.isFollowed(job)),
      unreachable: worksElsewhere,
      onJob: (listener) => sharing.onJob(listener),
      close: () => store.close(),
    } satisfies Hosting;
  };
}

/** A turn's events go to all servers through a log; only those that have readers follow it. */
function routeThrough(relay: ChatRelay, isServed: boolean): ChatRoute {
  return {
    hear: (job, event) => relay.send(job, event),
    follow: (job) => {
      if (isServed) void relay.follow(job).catch(logFailure("chat.follow", { job: job.id }));
    },
  };
}

/**
 * Whoever works elsewhere may be in the middle of a job; who is lost there is noticed there. A job is offered when its chat is
 * followed here: words are told once, and the first ones would be missed.
 */
function dispatchTo(
  { jobs }: Sharing,
  store: PostgresStore,
  isFollowed: (job: JobRecord) => Promise<void>,
): JobDispatch {
  return {
    queued: async (limit) => (await store.jobs({ status: "queued", limit })).length,
    // One that could not be offered is found by whoever looks for work.
    offer: (job) =>
      void isFollowed(job)
        .then(() => jobs.add(job.id))
        .catch(logFailure("postgres.offer", { job: job.id })),
    adopt: (job) => jobs.adopt(job.id),
    withdraw: () => false,
    stop: (id) => jobs.cancel(id),
    recover: async () => {},
    release: () => {},
    close: () => {},
  };
}

function worksElsewhere(id: string): Fault {
  return new Fault(
    "job_not_ready",
    `The job ${id} is carried out by another process, which cannot be spoken to while it works.`,
    "Wait until the job is done, or cancel it, and start a new one with what you want to say.",
    { job_id: id },
  );
}
