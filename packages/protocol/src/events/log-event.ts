// Everything that is logged, as one discriminated union: `{cursor, ts, agent, type, data}`, where the type says what the
// data is. A module that only needs the types imports them as types, and loads no schema.

import * as z from "zod";
import { backgroundEvents } from "./background-events.ts";
import { jobEvents } from "./job-events.ts";
import { turnEvents } from "./turn-events.ts";
import { workspaceEvents } from "./workspace-events.ts";

export const logEvent = z.discriminatedUnion("type", [
  ...jobEvents,
  ...turnEvents,
  ...backgroundEvents,
  ...workspaceEvents,
]);

export type LogEvent = z.output<typeof logEvent>;
export type EventType = LogEvent["type"];
export type EventData<Type extends EventType> = { [One in LogEvent as One["type"]]: One["data"] }[Type];

/** Without its cursor in a log. */
export type NewEvent = LogEvent extends infer One
  ? One extends LogEvent
    ? Omit<One, "cursor">
    : never
  : never;
