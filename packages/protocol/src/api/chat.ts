// One paper and a conversation about it: create a chat, then listen until its last event.

import * as z from "zod";
import { chatEvent } from "../events/chat-events.ts";
import { route } from "./route.ts";

export const chatRoutes = {
  createChat: route({
    method: "POST",
    path: "/api/chat/create",
    about: "Asks something about one document: the tab in front, or the one that is named.",
    body: z.object({
      message: z.string().min(1).max(1_000_000),
      tab_id: z.string().optional(),
      sessionId: z.string().optional().describe("Goes on with an earlier conversation"),
    }),
    reply: z.object({ sessionId: z.string() }),
  }),
  streamChat: route({
    method: "GET",
    path: "/api/chat/stream",
    about: "What happens in a chat, until chat.final.",
    query: z.object({ sid: z.string() }),
    reply: chatEvent,
    isStream: true,
    ends: "It ends after chat.final.",
  }),
};
