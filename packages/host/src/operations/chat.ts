// One paper and a conversation about it, in the words of toolset paper.

import type { Operations, StartStream, StreamEvent } from "@stet/protocol/api/operation";
import type { ChatEvent } from "@stet/protocol/events/chat-events";
import { isFault } from "@stet/protocol/fault";
import { chatToolset } from "@stet/tools/toolset-policies";
import { isChat } from "../events/chat-feed.ts";
import type { Host } from "../host.ts";
import { unknownJob } from "../store/sqlite-store.ts";
import type { JobRecord } from "../store/store.ts";

export function chatOperations(host: Host) {
  const { workspace, sessions, store, chats } = host;
  return {
    async createChat({ body }) {
      const tab = body.tab_id === undefined ? workspace.tabs.active() : workspace.tabs.info(body.tab_id);
      if (isFault(tab)) return tab;
      const { sessionId: id } = body;
      const session = id === undefined ? await sessions.create() : await sessions.record(id);
      if (isFault(session)) return session;
      const job = await host.startJob(session, {
        instruction: body.message,
        toolset: chatToolset,
        model: "",
        maxToolCalls: null,
        tab: tab?.tab_id ?? null,
      });
      return isFault(job) ? job : { sessionId: session.id };
    },

    async streamChat({ query }) {
      const session = await sessions.record(query.sid);
      if (isFault(session)) return session;
      const job = (await store.jobs({ session: session.id, limit: 20 })).find(isChat);
      if (job === undefined) return unknownJob(`of the chat ${session.id}`);
      const chat = chats.chat(job.id);
      if (chat === undefined) return endOf(host, job);
      return async (sink) => {
        const listener = (events: readonly ChatEvent[]) => {
          sink.send(events.map(streamEvent));
          if (events.at(-1)?.type !== "chat.final") return;
          chat.listeners.delete(listener);
          sink.end();
        };
        // Nothing happens between the two, so nothing is missed.
        chat.listeners.add(listener);
        if (chat.events.length > 0) listener(chat.events);
        return () => chat.listeners.delete(listener);
      };
    },
  } satisfies Partial<Operations>;
}

function streamEvent({ type, data }: ChatEvent): StreamEvent {
  return { event: type, data };
}

/** Of a chat from before a restart, only how it ended is known. */
function endOf({ sessions }: Host, job: JobRecord): StartStream {
  return async (sink) => {
    const session = await sessions.find(job.session);
    const chat = isFault(session) ? session : sessions.chat(session);
    const said = isFault(chat) ? undefined : chat.findLast(({ role }) => role === "assistant")?.text;
    const text = job.error?.message ?? said ?? "The turn is done.";
    sink.send([streamEvent({ type: "chat.final", data: { text } })]);
    sink.end();
    return () => {};
  };
}
